import { formatPercent } from "@while/schema";
import type { RunReport } from "./run-report.ts";

/** The verdict as a head. */
export const VERDICT_WORDS: Readonly<Record<RunReport["verdict"], string>> = {
  holds: "HOLDS",
  fails: "FAILS",
  open: "CANNOT TELL",
};

/** The answer, in a sentence or two; the same in the terminal and on the page. */
export function leadSentence({ outcome, reason, passAt, selection, export: exported }: RunReport): string {
  const { passAt1, ci95, nGroups } = passAt;
  const interval = ci95 === null ? "no interval" : `95%: ${formatPercent(ci95[0], 1)} to ${formatPercent(ci95[1], 1)}`;
  const rate =
    passAt1 === null
      ? "No row is graded 0 or 1, so no pass rate can be given."
      : `The agent passes ${formatPercent(passAt1, 1)} of its attempts (${interval}) on ${nGroups} tasks.`;
  if (outcome !== "written") return `${rate} ${reason}`;
  return `${rate} ${selection.nSelected} of ${selection.n} rows are kept to train on, written for ${exported?.format}.`;
}

/** Rows of several versions or settings in one number: said, because the number belongs to none of them. */
export function mixedSentence({ passAt }: RunReport): string | null {
  const { mixed } = passAt.config;
  if (mixed.length === 0) return null;
  return `The rows differ in ${mixed.join(" and ")}, and these numbers mix them: wai pass-at --by KEY tells them apart.`;
}
