import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { getAccount } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useRef } from "react";
import { Refusal } from "../api/refusal.ts";
import { useAnswer } from "../api/use-answer.ts";
import { Failed, Waiting } from "../parts/Answered.tsx";
import { textOf } from "../search.ts";
import { useChoices } from "../use-search.ts";
import { useKeys } from "./keys.tsx";
import { Masthead } from "./Masthead.tsx";
import { PAGES } from "./pages.ts";

/** What every page of a signed-in person has: masthead, the keys that lead elsewhere, and the way to sign in when one is not. */
export function Shell(): ReactNode {
  const account = useAnswer(getAccount);
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [search] = useChoices();
  const agent = textOf(search, "agent");
  const signedOut = account.error instanceof Refusal && account.error.status === 401;
  useEffect(() => {
    // The address of now, and not of every later one: the way to the form is an address too.
    const next = window.location.pathname + window.location.search;
    if (signedOut) void navigate({ to: "/login", search: { next } as never, replace: true });
  }, [signedOut, navigate]);
  useKeys(
    PAGES.map(({ to, name, key }) => ({
      keys: `g ${key}`,
      says: `go to ${name}`,
      run: () => void navigate({ to, search: { agent } as never }),
    })),
  );
  useFocusOnMain(path);
  return (
    <>
      <a className="skip" href="#main">
        Skip to the report
      </a>
      <div className="page">
        <Masthead />
        <main id="main" tabIndex={-1}>
          {account.data !== undefined ? (
            <Outlet />
          ) : account.error !== null && !signedOut ? (
            <Failed error={account.error} what="the account" retry={() => void account.refetch()} />
          ) : (
            <Waiting what="the account" />
          )}
        </main>
      </div>
    </>
  );
}

/** After going to another page a reader by ear begins at its top. */
function useFocusOnMain(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.getElementById("main")?.focus({ preventScroll: true });
  }, [path]);
}
