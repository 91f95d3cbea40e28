import { EMAIL_MAX, startEmailSignIn } from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useState } from "react";
import { useSend } from "../../api/use-send.ts";
import { Refused } from "../../parts/Refused.tsx";

const WORDS = { invalid_email: "This is no e-mail address: it has one @, and something before and after it." };

export interface EmailFormProps {
  sentTo: string | null;
  onSent: (email: string) => void;
  onOther: () => void;
}

/** Asks for a code. The answer is the same for every address, so that nobody learns who has an account. */
export function EmailForm({ sentTo, onSent, onOther }: EmailFormProps): ReactNode {
  const [email, setEmail] = useState("");
  const start = useSend(startEmailSignIn);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const wanted = email.trim();
    start.mutate({ body: { email: wanted } }, { onSuccess: () => onSent(wanted) });
  };
  if (sentTo !== null) {
    return (
      <div className="prose small">
        <p>
          If a code may be had for <b className="wrap">{sentTo}</b>, it is on its way. What stands here is the same for
          every address, with an account or without one.
        </p>
        <p className="quiet">
          A server without mail writes the code into its own log instead, where it was started: look there, or ask who
          runs it.
        </p>
        <p>
          <button type="button" className="plain" onClick={onOther}>
            Another address
          </button>
        </p>
      </div>
    );
  }
  return (
    <form className="one-field" onSubmit={onSubmit}>
      <label>
        <span>E-mail</span>
        <input
          className="field"
          type="email"
          name="email"
          autoComplete="email"
          required
          maxLength={EMAIL_MAX}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </label>
      <button className="button main" type="submit" disabled={start.isPending}>
        Send the code
      </button>
      <Refused error={start.error} words={WORDS} />
    </form>
  );
}
