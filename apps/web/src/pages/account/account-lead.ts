import type { Account } from "@while/platform-client/contract";
import { date, percent } from "../../numbers.ts";
import { limitRows } from "./limit-rows.ts";

/** The one sentence on top: what ends or stops first, else that nothing does. */
export function accountLead(account: Pick<Account, "usage" | "limits" | "resetsAt" | "trial">): string {
  const near = limitRows(account).find((row) => row.near);
  if (near !== undefined && near.share !== null) return `${near.name}: ${percent(near.share)} of the limit is used.`;
  if (account.trial !== null) return `A trial until ${date(account.trial.expires_at)}. ${account.trial.lift}`;
  return "Nothing here is near a limit.";
}
