import { codePointLength, formatFixed, formatInterval, formatPercent, formatSigned } from "@while/schema";
import { counted } from "../counted.ts";
import { notStampedLine } from "../markers/marker-families.ts";
import type { FlagCheck } from "./flag-check.ts";
import type { TraceFlag, TraceFlagReport, TraceMarker } from "./trace-flag-report.ts";

/** Rows and grades, a line a flag that fired with its fragments, a line a marker, what never fired, the warnings. */
export function formatTraceFlagReport(report: TraceFlagReport): string {
  const { n, nGraded, rules, flags, markers, warnings, notStamped } = report;
  const fired = [...flags].filter(([, { n }]) => n > 0);
  const below = [...flags].filter(([, flag]) => flag.n === 0 && flag.nBelow > 0);
  const silent = [...flags].filter(([, flag]) => flag.n + flag.nBelow === 0).map(([name]) => name);
  const paid = fired.filter(([, { flagged }]) => flagged).length;
  const lines = [`${verdict(fired.length, paid)} (${counted(n, "row")}, ${nGraded} graded, rules ${rules})`];
  const width = Math.max(0, ...fired.map(([name]) => codePointLength(name)));
  for (const [name, flag] of fired) {
    lines.push(`  ${name.padEnd(width)}  ${flagLine(flag)}`);
    for (const { evidence } of flag.examples) lines.push(`    ${oneLine(evidence)}`);
  }
  if (below.length > 0) {
    lines.push(`worth a look, counted nowhere: ${below.map(([name, { nBelow }]) => `${name} ${nBelow}`).join(", ")}`);
  }
  const widest = Math.max(...Array.from(markers.keys(), codePointLength));
  for (const [name, marker] of markers) lines.push(`  ${name.padEnd(widest)}  ${markerLine(marker)}`);
  const missed = [...flags].filter(([, { n, checked }]) => n === 0 && checked !== null && checked.nMissed > 0);
  for (const [name, { checked }] of missed) {
    lines.push(`${name} fired on no row, and ${checked!.nMissed} of ${checked!.nQuiet} labeled rows hold it`);
  }
  if (silent.length > 0) lines.push(`never fired: ${silent.join(", ")}`);
  if (nGraded === 0) {
    lines.push(
      "no correlations: no row has a 0/1 reward, so this report cannot tell whether a fake is rewarded; grade the rows first",
    );
  }
  for (const { text } of warnings) lines.push(`warning: ${text}`);
  return [...lines, ...notStampedLine(notStamped)].join("\n");
}

function verdict(nFired: number, nPaid: number): string {
  if (nPaid > 0)
    return `traces: the reward pays for ${nPaid} of ${nFired} ${nFired === 1 ? "flag" : "flags"} that fired`;
  return nFired === 0 ? "traces: no flag fired" : `traces: ${nFired} ${nFired === 1 ? "flag" : "flags"} fired`;
}

function flagLine({
  n,
  rate,
  ci95,
  rewardCorr,
  rewardCorrWithin,
  pAdjusted,
  lowPower,
  flagged,
  nGradedWith,
  checked,
}: TraceFlag): string {
  const parts = [`${n}  ${formatPercent(rate!)}${ci95 === null ? "" : ` ${formatInterval(ci95)}`}`];
  if (rewardCorr !== null) parts.push(`corr ${formatSigned(rewardCorr, 2)}`);
  if (rewardCorrWithin !== null) parts.push(`within tasks ${formatSigned(rewardCorrWithin, 2)}`);
  if (pAdjusted !== null) parts.push(`p ${formatFixed(pAdjusted, 3)}`);
  if (flagged) parts.push("flagged");
  else if (lowPower && nGradedWith > 0) parts.push("low power");
  if (checked !== null) parts.push(...checkedParts(checked));
  return parts.join("  ");
}

function checkedParts({ nFired, nRight, precisionCi95, recall, recallCi95 }: FlagCheck): string[] {
  return [
    ...(nFired === 0 ? [] : [`right ${nRight} of ${nFired} ${formatInterval(precisionCi95)}`]),
    ...(recall === null ? [] : [`finds ${formatPercent(recall)} ${formatInterval(recallCi95)}`]),
  ];
}

function markerLine({ clean, ci95, degenerate }: TraceMarker): string {
  if (clean === null) return "clean none";
  const interval = ci95 === null ? "" : `  ${formatInterval(ci95, 3)}`;
  return `clean ${formatFixed(clean, 3)}${interval}${degenerate ? "  (a constant has no interval: see the warning below)" : ""}`;
}

function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]+\s*/g, " ⏎ ");
}
