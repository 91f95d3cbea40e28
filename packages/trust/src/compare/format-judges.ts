import { cutToWidth, displayWidth, formatFixed, formatInterval, formatPercent, padToWidth } from "@while/schema";
import { counted } from "../counted.ts";
import type { JudgeComparison } from "./compare-judges.ts";
import type { JudgePanel } from "./judge-panel.ts";

/** Cells of a judge that a name leaves room for on a terminal of 80 columns. */
const NAME_COLUMNS = 24;

/** Which judge, and which others no test tells from it; then a line a judge, best first; then all of them as one. */
export function formatJudges({ judges, best, nGold, goldKind, panel }: JudgeComparison): string {
  const chosen = judges.find(({ name }) => name === best)!;
  const tied = judges.filter(({ tiedWithFirst }) => tiedWithFirst).map(({ name }) => name);
  const word = chosen.ok ? "best judge" : "no judge holds; the first";
  const ties = tied.length === 0 ? "" : `; no difference shown between ${judges[0]!.name} and ${tied.join(", ")}`;
  // Recorded verdicts take no time worth a column.
  const isTimed = judges.some(({ secondsPerRow }) => secondsPerRow !== null && secondsPerRow >= TIMED_FROM_S);
  const table = [
    ["judge", "n", "agrees", "95%", "kappa", "leak", "miss", "none", ...(isTimed ? ["s/row"] : []), "holds"],
    ...judges.map((judge) => [
      ...[cutToWidth(judge.name, NAME_COLUMNS), String(judge.n), formatPercent(judge.agreement, 1)],
      ...[formatInterval(judge.ci95), formatFixed(judge.kappa, 2), formatPercent(judge.leak, 1)],
      ...[formatPercent(judge.miss, 1), String(judge.nUnjudged)],
      ...(isTimed ? [formatFixed(judge.secondsPerRow, 3)] : []),
      judge.ok ? "yes" : "no",
    ]),
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((cells) => displayWidth(cells[column]!))));
  return [
    `${word}: ${best}, on ${counted(nGold, "label")} (${goldKind})${ties}`,
    ...table.map((cells) => `  ${cells.map((cell, i) => padToWidth(cell, widths[i]!)).join("  ")}`.trimEnd()),
    ...(panel === null ? [] : panelLines(panel, judges[0]!.name)),
  ].join("\n");
}

const TIMED_FROM_S = 0.0005;
const ALPHA = 0.05;

function panelLines({ effective, alpha, vote }: JudgePanel, first: string): string[] {
  const { nEffective, ci95, nRaters, meanCorrelation, nUnits, note } = effective;
  const worth =
    nEffective === null
      ? `together: ${note === "no_errors" ? "none of them errs on these rows" : "no row is judged by all of them"}`
      : `together worth ${formatFixed(nEffective, 2)} ${formatInterval(ci95)} independent judges of ${nRaters} on ${counted(nUnits, "row")}: errors correlate ${formatFixed(meanCorrelation, 2)}`;
  const lines = [`  ${worth}; alpha of their verdicts ${formatFixed(alpha, 2)}`];
  if (vote === null) return lines;
  const { agreement, ci95: interval, kappa, leak, nTies, pAgainstFirst, agreementOfAll } = vote;
  const ties = nTies === 0 ? "" : `, ${counted(nTies, "row")} without a majority`;
  const against =
    pAgainstFirst < ALPHA
      ? `told from ${first} (p ${pAgainstFirst < 0.001 ? "< 0.001" : formatFixed(pAgainstFirst, 3)})`
      : `no difference shown to ${first} (p ${formatFixed(pAgainstFirst, 2)})`;
  lines.push(
    `  by vote: agreement ${formatPercent(agreement, 1)} ${formatInterval(interval)}, kappa ${formatFixed(kappa, 2)}, leak ${formatPercent(leak, 1)}${ties}; ${formatPercent(agreementOfAll, 1)} of all, ${against}`,
  );
  return lines;
}
