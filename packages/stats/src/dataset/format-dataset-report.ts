import { formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { BehaviorTier } from "./behavior-tier.ts";
import type { DatasetReport } from "./dataset-report.ts";

/** Classes of failure that are named; the rest is a tail. */
const SHOWN_CLASSES = 6;

/** Warnings of each kind that are printed. */
const SHOWN_WARNINGS = 4;

/** How many rows, how they came out, why they failed and how hard they are; then what has to be known about it. */
export function formatDatasetReport(report: DatasetReport): string {
  const { rows, uniquePrompts, nNotRows, nWithoutPrompt, usableSft, distinctBehaviors } = report;
  if (rows === 0) return ["dataset: no rows", ...preflight(report)].join("\n");
  const odd = [
    ...(nWithoutPrompt === 0 ? [] : [`  ${countOf(nWithoutPrompt, "row")} without a prompt`]),
    ...(nNotRows === 0 ? [] : [`  ${countOf(nNotRows, "value")} left out: not a row`]),
  ];
  return [
    `${countOf(rows, "row")}, ${countOf(uniquePrompts, "unique prompt")}, ${labels(report)}`,
    `  usable for SFT ${usableSft}, ${countOf(distinctBehaviors, "distinct behavior")}${cells(report)}`,
    ...odd,
    ...failures(report),
    `  hard share ${formatPercent(report.hardShare, 1)}: ${tiers(report)}`,
    ...shown(
      "warning",
      report.warnings.map(({ text }) => text),
    ),
    ...preflight(report),
  ].join("\n");
}

function labels({ labeled, passes, fails, failRate }: DatasetReport): string {
  if (labeled === 0) return "none labeled";
  return `${labeled} labeled: ${passes} pass, ${fails} fail (fail rate ${formatPercent(failRate, 1)})`;
}

function cells({ cellsTouched, cellsTotal }: DatasetReport): string {
  if (cellsTotal !== null) return `, cells ${cellsTouched} of ${cellsTotal}`;
  return cellsTouched === 0 ? "" : `, ${countOf(cellsTouched, "cell")}`;
}

function failures({ fails, failureClasses }: DatasetReport): string[] {
  if (fails === 0) return [];
  const named = Array.from(failureClasses, ([name, n]) => `${name} ${n} (${formatPercent(n / fails)})`);
  return [`  failures: ${named.slice(0, SHOWN_CLASSES).join(", ")}${tail(named.length, SHOWN_CLASSES)}`];
}

function tiers({ tierCounts, tierFailRate }: DatasetReport): string {
  const rate = (tier: BehaviorTier) => formatPercent(tierFailRate.get(tier) ?? null, 1);
  return Array.from(tierCounts, ([tier, n]) => `${tier} ${n} (fail rate ${rate(tier)})`).join(", ");
}

function preflight({ preflightWarnings }: DatasetReport): string[] {
  return shown("before the run", preflightWarnings ?? []);
}

function shown(kind: string, texts: readonly string[]): string[] {
  const lines = texts.slice(0, SHOWN_WARNINGS).map((text) => `  ${kind}: ${text}`);
  return texts.length > SHOWN_WARNINGS ? [...lines, `  ${kind}:${tail(texts.length, SHOWN_WARNINGS)}`] : lines;
}

function tail(n: number, nShown: number): string {
  return n > nShown ? ` and ${n - nShown} more` : "";
}
