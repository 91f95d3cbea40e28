import { type EmailCode, type Route, startEmailSignIn } from "@while/platform-client/contract";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useSend } from "../../api/use-send.ts";
import { Refused } from "../../parts/Refused.tsx";
import { announce } from "../../shell/announce.tsx";
import { digitsOf } from "./digits-of.ts";

export interface CodeFormProps<Answer> {
  email: string;
  /** The call that takes the code. */
  call: Route<EmailCode, Answer>;
  /** What the code is for: "Sign in". */
  button: string;
  words?: Readonly<Record<string, string>>;
  onDone: () => void;
}

/** Takes the six digits that were sent to an address. */
export function CodeForm<Answer>({ email, call, button, words = {}, onDone }: CodeFormProps<Answer>): ReactNode {
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const finish = useSend(call);
  const again = useSend(startEmailSignIn);
  useEffect(() => field.current?.focus(), []);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    finish.mutate({ body: { email, code } }, { onSuccess: onDone, onError: () => field.current?.select() });
  };
  const onAgain = (): void => {
    setCode("");
    finish.reset();
    again.mutate({ body: { email } }, { onSuccess: () => announce("A new code was asked for.") });
    field.current?.focus();
  };
  return (
    <form className="one-field" onSubmit={onSubmit}>
      <label>
        <span>Six digits</span>
        <input
          ref={field}
          className="field code-field"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={code}
          onChange={(event) => setCode(digitsOf(event.target.value))}
        />
      </label>
      <button className="button main" type="submit" disabled={finish.isPending || code.length < 6}>
        {button}
      </button>
      <Refused error={finish.error ?? again.error} words={words} />
      <p className="note">
        Nothing came?{" "}
        <button type="button" className="plain" onClick={onAgain} disabled={again.isPending}>
          Send a new code
        </button>
        {again.isSuccess && " A new one was asked for."}
      </p>
    </form>
  );
}
