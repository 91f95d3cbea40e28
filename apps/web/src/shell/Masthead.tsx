import { Link, useLocation } from "@tanstack/react-router";
import { getAccount } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { textOf } from "../search.ts";
import { useChoices } from "../use-search.ts";
import { FindAgent } from "./FindAgent.tsx";
import { KeySheet } from "./KeySheet.tsx";
import { PAGES } from "./pages.ts";

/** Head of every page: where one can go, and who one is. The agent goes along. */
export function Masthead(): ReactNode {
  const [search] = useChoices();
  const { pathname } = useLocation();
  const account = useAnswer(getAccount);
  const agent = textOf(search, "agent");
  return (
    <header className="masthead">
      <Link className="mark" to="/platform/runs" search={{ agent } as never}>
        While
      </Link>
      <nav aria-label="Pages">
        {PAGES.map(({ to, name, here }) => (
          <Link
            key={to}
            to={to}
            search={{ agent } as never}
            // Rows lie under /platform/runs and are a page of their own.
            activeOptions={{ exact: true }}
            aria-current={here(pathname) ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <div className="aside">
        <FindAgent />
        <KeySheet />
        <Link to="/platform/account" aria-current={pathname === "/platform/account" ? "page" : undefined}>
          {account.data?.email ?? "Account"}
        </Link>
      </div>
    </header>
  );
}
