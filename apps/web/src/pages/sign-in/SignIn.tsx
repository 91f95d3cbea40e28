import { useRouter } from "@tanstack/react-router";
import { finishEmailSignIn, getAccount } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useState } from "react";
import { queryClient, useAnswer } from "../../api/use-answer.ts";
import { Part } from "../../parts/Part.tsx";
import { textOf } from "../../search.ts";
import { useTitle } from "../../shell/title.ts";
import { useChoices } from "../../use-search.ts";
import { CodeForm } from "./CodeForm.tsx";
import { EmailForm } from "./EmailForm.tsx";
import { nextPath } from "./next-path.ts";

/** Signing in: an address, then the six digits that were sent there. */
export function SignIn(): ReactNode {
  useTitle("Sign in");
  const [search] = useChoices();
  const [email, setEmail] = useState<string | null>(null);
  const goOn = useGoOn(textOf(search, "next"));
  return (
    <div className="page sign-in">
      <header className="masthead">
        <span className="mark">While</span>
      </header>
      <main id="main" tabIndex={-1}>
        <div className="title">
          <h1>Sign in</h1>
          <p className="lead">Six digits by e-mail, and no password.</p>
        </div>
        {textOf(search, "link") === "over" && <LinkOver />}
        <Part id="address" title="Your address" note="The one that your account has, or shall have.">
          <EmailForm sentTo={email} onSent={setEmail} onOther={() => setEmail(null)} />
        </Part>
        {email !== null && (
          <Part
            id="code"
            title="The code"
            note="Good for ten minutes and five tries. A new one ends the one before it."
          >
            <CodeForm email={email} call={finishEmailSignIn} button="Sign in" onDone={goOn} />
          </Part>
        )}
      </main>
    </div>
  );
}

/** Goes on to what was asked for, at once where one is signed in. */
function useGoOn(next: string | undefined): () => void {
  const router = useRouter();
  const account = useAnswer(getAccount);
  const path = nextPath(next, window.location.origin);
  const goOn = (): void => {
    // What another person saw in this browser is nothing for this one.
    queryClient.clear();
    router.history.replace(path);
  };
  // An answer from before the session ended is still there, and is no answer of now.
  const signedIn = account.isSuccess && !account.isPlaceholderData && !account.isFetching;
  useEffect(() => {
    if (signedIn) router.history.replace(path);
  }, [signedIn, router, path]);
  return goOn;
}

function LinkOver(): ReactNode {
  return (
    <p className="refused" role="alert">
      This link is over. It signs in one browser, once, within fifteen minutes. Ask for another where you got it, or
      sign in by e-mail.
    </p>
  );
}
