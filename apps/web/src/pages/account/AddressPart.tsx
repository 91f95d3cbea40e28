import { claimEmail, getAccount } from "@while/platform-client/contract";
import { type ReactNode, useState } from "react";
import { askAgain } from "../../api/use-answer.ts";
import { Part } from "../../parts/Part.tsx";
import { announce } from "../../shell/announce.tsx";
import { CodeForm } from "../sign-in/CodeForm.tsx";
import { EmailForm } from "../sign-in/EmailForm.tsx";

const WORDS = { account_exists: "Another account has this address. Sign in by it, or give this account another one." };

/** Gives an account that came from a key an address to sign in by. */
export function AddressPart(): ReactNode {
  const [email, setEmail] = useState<string | null>(null);
  const onDone = (): void => {
    announce("The account has its address.");
    void askAgain(getAccount);
  };
  return (
    <Part
      id="address"
      title="An address"
      note="This account was made with a key and has no address. With one, its person signs in by e-mail, without a link from the server."
    >
      <EmailForm sentTo={email} onSent={setEmail} onOther={() => setEmail(null)} />
      {email !== null && (
        <CodeForm email={email} call={claimEmail} button="Take this address" words={WORDS} onDone={onDone} />
      )}
    </Part>
  );
}
