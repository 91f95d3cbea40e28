import { formatFixed, formatPercent } from "@while/schema";
import { counted } from "../counted.ts";
import type { PairReport } from "./pair-report.ts";

/** Pairs, prompts and margin; then length, what was left out, and the warnings. */
export function formatPairReport(report: PairReport): string {
  const { pairs, promptsSeen, promptsWithContrast, meanMargin, trainerPairs, length, unscored, warnings, note } =
    report;
  const lines = [
    `${counted(pairs, "pair")} of ${promptsWithContrast} of ${counted(promptsSeen, "prompt")}` +
      (meanMargin === null ? "" : `, mean margin ${formatFixed(meanMargin, 2)}`),
  ];
  if (pairs > 0) {
    lines.push(
      `  chosen is longer in ${formatPercent(length.chosenLongerFrac ?? 0)}, by ${length.medianDelta} characters at the median`,
      `  first turns differ in ${trainerPairs}`,
    );
  }
  const left = [
    [unscored.noReward, "without a reward"],
    [unscored.outOfRange, "with a reward outside 0 to 1"],
    [unscored.notOk, "that the judge could not read"],
    [unscored.noPrompt, "without a prompt"],
    [report.privilegedLeaks.nDropped, "that quote their privileged block"],
  ] as const;
  const said = left.filter(([n]) => n > 0).map(([n, why]) => `${n} ${why}`);
  if (said.length > 0) lines.push(`  rows left out: ${said.join(", ")}`);
  for (const warning of warnings) lines.push(`! ${warning}`);
  if (note !== null) lines.push(note);
  return lines.join("\n");
}
