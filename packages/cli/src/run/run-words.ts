import { formatPercent } from "@while/schema";
import type { RunReport, RunVerdict } from "./run-report.ts";

/** The verdict as a head. */
export const VERDICT_WORDS: Readonly<Record<RunVerdict, string>> = {
  written: "Written",
  nothing_kept: "Nothing kept",
  refused: "Not exported",
  not_graded: "Not graded",
};

/** The answer, in a sentence or two; the same in the terminal and on the page. */
export function leadSentence({ verdict, reason, passAt, selection, export: exported }: RunReport): string {
  const { passAt1, ci95, nGroups } = passAt;
  const interval = ci95 === null ? "no interval" : `95%: ${formatPercent(ci95[0], 1)} to ${formatPercent(ci95[1], 1)}`;
  const rate =
    passAt1 === null
      ? "No row is graded 0 or 1, so no pass rate can be given."
      : `The agent passes ${formatPercent(passAt1, 1)} of its attempts (${interval}) on ${nGroups} tasks.`;
  if (verdict !== "written") return `${rate} ${reason}`;
  return `${rate} ${selection.nSelected} of ${selection.n} rows are kept to train on, written for ${exported?.format}.`;
}

/** Rows of several versions or settings in one number: said, because the number belongs to none of them. */
export function mixedSentence({ passAt }: RunReport): string | null {
  const { mixed } = passAt.config;
  if (mixed.length === 0) return null;
  return `The rows differ in ${mixed.join(" and ")}, and these numbers mix them: wai pass-at --by KEY tells them apart.`;
}

/** What a run does not look at; a page that leaves it out would say more than it knows. */
export function notChecked({ selection }: RunReport): string[] {
  return [
    "Whether the judge or the program behind the rewards agrees with people.",
    "Whether tasks of an evaluation are among the rows.",
    "Whether the agent claims what its calls do not show.",
    ...(selection.mode === "rl" ? [`Which shortcut the reward pays for: ${selection.hackScanReason}`] : []),
  ];
}
