import { useNavigate } from "@tanstack/react-router";
import { type Account, getAccount, signOut } from "@while/platform-client/contract";
import type { ReactNode } from "react";
import { queryClient, useAnswer } from "../../api/use-answer.ts";
import { useSend } from "../../api/use-send.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Foot } from "../../parts/Foot.tsx";
import { Refused } from "../../parts/Refused.tsx";
import { useTitle } from "../../shell/title.ts";
import { AddressPart } from "./AddressPart.tsx";
import { AuditPart } from "./AuditPart.tsx";
import { accountLead } from "./account-lead.ts";
import { KeysPart } from "./KeysPart.tsx";
import { LimitsPart } from "./LimitsPart.tsx";
import { SessionsPart } from "./SessionsPart.tsx";
import { ThemePart } from "./ThemePart.tsx";

/** Whose account it is, who may act for it, what it may use, and what was done with it. */
export function AccountPage(): ReactNode {
  useTitle("Account");
  const account = useAnswer(getAccount);
  return (
    <Answered of={account} what="the account" head="Account">
      {(account) => (
        <>
          <AccountHead account={account} />
          {(account.email ?? null) === null && <AddressPart />}
          <KeysPart />
          <SessionsPart />
          <LimitsPart account={account} />
          <AuditPart />
          <ThemePart />
          <Foot json="/me" />
        </>
      )}
    </Answered>
  );
}

function AccountHead({ account }: { account: Account }): ReactNode {
  const navigate = useNavigate();
  const out = useSend(signOut, {
    done: () => {
      // What this person saw is nothing for who signs in next.
      queryClient.clear();
      void navigate({ to: "/login" });
    },
  });
  return (
    <div className="title">
      <h1>Account</h1>
      <div className="actions">
        <button type="button" className="button" disabled={out.isPending} onClick={() => out.mutate({})}>
          Sign out
        </button>
      </div>
      <div className="facts">
        <span className="wrap">{account.email ?? "no e-mail address"}</span>
        <span>{account.tier === "trial" ? "trial" : "full account"}</span>
        <span>{account.user_id}</span>
        <span>this server: {window.location.host}</span>
      </div>
      <p className="lead">{accountLead(account)}</p>
      <Refused error={out.error} />
    </div>
  );
}
