import { formatFixed, formatPercent } from "@while/schema";
import { counted } from "../counted.ts";
import { formatScoredRows } from "../judge/format-scored-rows.ts";
import type { GradeReport } from "./grade.ts";

/** What was graded and what it came to; then whether the judge is to be believed; then what to know. */
export function formatGrade(report: GradeReport): string {
  const { trust, nLengthCapped, nUnsure } = report;
  const [first, ...rest] = formatScoredRows(report).split("\n");
  const capped = nLengthCapped === 0 ? [] : [`  ${counted(nLengthCapped, "row")} cut by a length limit left as judged`];
  const unsure = nUnsure === 0 ? [] : [`  unsure of ${counted(nUnsure, "row")}: read them first`];
  return [first, trustLine(trust), ...unsure, ...capped, ...rest].join("\n");
}

function trustLine(trust: GradeReport["trust"]): string {
  if (trust === null) return "  judge not measured";
  const { agreement, agreement_low, kappa, n_gold, ok, goldKind } = trust;
  const word = ok ? "holds" : "does not hold";
  const labels = `agrees with ${formatPercent(agreement)} of ${n_gold} labels (${goldKind})`;
  return `  judge ${word}: ${labels}, interval from ${formatFixed(agreement_low, 4)}; kappa ${formatFixed(kappa, 2)}`;
}
