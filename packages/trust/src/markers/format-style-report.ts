import { codePointLength, formatFixed, formatInterval, formatSigned } from "@while/schema";
import { counted } from "../counted.ts";
import { notStampedLine } from "./marker-families.ts";
import type { StyleMarker, StyleReport } from "./style-report.ts";

/** Phrases named on a marker's line. */
const NAMED_PHRASES = 2;

/** Rows, a line a marker, then what has to be known: warnings, notes, and the markers of other families. */
export function formatStyleReport({ n, nGraded, markers, warnings, notes, notStamped }: StyleReport): string {
  const width = Math.max(...Array.from(markers.keys(), codePointLength));
  const lines = [`style ${counted(n, "row")}, ${nGraded} graded`];
  for (const [name, marker] of markers) {
    lines.push(`  ${name}${" ".repeat(width - codePointLength(name))}  ${markerLine(marker)}`);
  }
  if (nGraded === 0) {
    lines.push(
      "no correlations: no row has a 0/1 reward, so this report cannot tell whether a habit is rewarded; grade the rows first",
    );
  }
  for (const { text } of warnings) lines.push(`warning: ${text}`);
  for (const note of notes) lines.push(`note: ${note}`);
  return [...lines, ...notStampedLine(notStamped)].join("\n");
}

function markerLine({
  clean,
  ci95,
  hits,
  rewardCorr,
  rewardCorrWithin,
  flagged,
  topPhrases,
  degenerate,
}: StyleMarker): string {
  const parts = [clean === null ? "clean none" : `clean ${formatFixed(clean, 3)}`];
  if (ci95 !== null) parts.push(formatInterval(ci95, 3));
  parts.push(`hits ${hits}`);
  if (rewardCorr !== null) parts.push(`corr ${formatSigned(rewardCorr, 2)}`);
  if (rewardCorrWithin !== null) parts.push(`within tasks ${formatSigned(rewardCorrWithin, 2)}`);
  if (flagged === true) parts.push("flagged");
  if (topPhrases.length > 0) {
    parts.push(
      topPhrases
        .slice(0, NAMED_PHRASES)
        .map(([phrase, rows]) => `"${phrase}" ${rows}`)
        .join(", "),
    );
  }
  if (degenerate) parts.push("(a constant has no interval: see the warning below)");
  return parts.join("  ");
}
