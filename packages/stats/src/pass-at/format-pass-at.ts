import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { Interval } from "../interval/interval.ts";
import type { PassAt } from "./pass-at.ts";
import type { PassAtBy } from "./pass-at-by.ts";
import type { PassAtWarningCode } from "./pass-at-warnings.ts";

/** Said in the brackets of the first line, so not repeated under it. */
const IN_LINE: ReadonlySet<PassAtWarningCode> = new Set<PassAtWarningCode>([
  "one_reward",
  "not_graded",
  "judge_failed",
  "too_few_repeats",
  "uneven_groups",
  "no_group_at_k",
  "no_interval",
  "score_interval",
  "ungraded_rows",
  "partial_credit",
]);

/** The one line of a pass@k report; under it, what the labels make of it, and a line for each warning that it does not hold. */
export function formatPassAt(report: PassAt): string {
  const warnings = report.warnings.filter(({ code }) => !IN_LINE.has(code));
  return [passAtLine(report), ...debiased(report), ...warnings.map(({ text }) => `  warning: ${text}`)].join("\n");
}

function debiased({ debiasedPassAt1, debiasedCi95, nGold }: PassAt): string[] {
  if (debiasedPassAt1 === null) return [];
  return [
    `  by gold: pass@1 ${measured(debiasedPassAt1, debiasedCi95)}, the judge corrected by ${countOf(nGold, "label")}`,
  ];
}

function passAtLine(report: PassAt): string {
  const { k, passAt1, ci95, passPowK, passPowKCi95, passAtK, passAtKCi95, headroom, nGroups } = report;
  const numbers = [
    `pass@1 ${measured(passAt1, ci95)}`,
    `pass^${k} (pass_pow_k) ${measured(passPowK, passPowKCi95)}`,
    `pass@${k} ${measured(passAtK, passAtKCi95)}`,
    `headroom ${measured(headroom, null)}`,
  ];
  return `${numbers.join(" | ")} (${[`${countOf(nGroups, "group")}, k=${k}`, ...tail(report)].join("; ")})`;
}

function tail(report: PassAt): string[] {
  const { nRows, nRowsTotal, nGroups, nTasksTotal, nUngraded, nLost, nPartial, passAt1UngradedAsFail, note } = report;
  const { truncatedShare, answeredShare } = report.config;
  const parts: string[] = [];
  if (truncatedShare !== null && truncatedShare > 0) {
    parts.push(`${formatPercent(truncatedShare)} of rows cut by the token cap`);
  }
  if (answeredShare !== null && answeredShare < 1) {
    parts.push(`${formatPercent(1 - answeredShare)} of rows with no spoken reply`);
  }
  if (nUngraded > 0) {
    const lost = nLost === 0 ? "" : `, ${nLost} lost to errors`;
    parts.push(`graded ${nRows} of ${nRowsTotal} rows and ${nGroups} of ${nTasksTotal} tasks${lost}`);
    if (nRows > 0) parts.push(`pass@1 ${formatFixed(passAt1UngradedAsFail, 2)} if every ungraded row had failed`);
  }
  if (nPartial > 0) parts.push(`${nPartial} of ${nRowsTotal} rows with partial credit left out`);
  if (note !== "") parts.push(note);
  return parts;
}

function measured(value: number | null, interval: Interval | null): string {
  const number = formatFixed(value, 2, { absent: "n/a" });
  return interval === null ? number : `${number} ${formatInterval(interval)}`;
}

/** The table of pass^1 .. pass^k and pass@1 .. pass@k, three decimals as benchmarks publish them. */
export function formatPassCurve({ curve }: PassAt): string {
  if (curve.length === 0) return "pass^k curve: not measured, no graded rows";
  const header = ["k", "pass^k", "95%", "pass@k", "95%", "tasks"];
  const lines = curve.map((point) => [
    String(point.k),
    formatFixed(point.passPowK, 3),
    formatInterval(point.passPowKCi95, 3, { absent: "" }),
    formatFixed(point.passAtK, 3),
    formatInterval(point.passAtKCi95, 3, { absent: "" }),
    String(point.nGroups),
  ]);
  return alignRight([header, ...lines]);
}

/** One line a group, the group's name first. */
export function formatPassAtBy({ by, groups, nWithoutGroup }: PassAtBy): string {
  const lines = Array.from(groups, ([name, report]) => `${by} ${name}: ${formatPassAt(report)}`);
  if (lines.length === 0) lines.push(`by ${by}: not measured, no row has a value`);
  if (nWithoutGroup > 0) lines.push(`${countOf(nWithoutGroup, "row")} without a value of ${by}, in no group`);
  return lines.join("\n");
}

function alignRight(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padStart(widths[column]!))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
