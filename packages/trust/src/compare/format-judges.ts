import { displayWidth, formatFixed, formatInterval, formatPercent, padToWidth } from "@while/schema";
import { counted } from "../counted.ts";
import type { JudgeComparison } from "./compare-judges.ts";

const HEAD = ["judge", "labels", "agreement", "95%", "kappa", "leak", "miss", "unjudged", "s/row", ""];

/** Which judge, and which others no test tells from it; then a line a judge, best first. */
export function formatJudges({ judges, best, nGold, goldKind }: JudgeComparison): string {
  const chosen = judges.find(({ name }) => name === best)!;
  const tied = judges.filter(({ tiedWithFirst }) => tiedWithFirst).map(({ name }) => name);
  const word = chosen.ok ? "best judge" : "no judge holds; the first";
  const ties = tied.length === 0 ? "" : `; no difference shown between ${judges[0]!.name} and ${tied.join(", ")}`;
  const lines = judges.map((judge) => [
    ...[judge.name, String(judge.n), formatPercent(judge.agreement, 1), formatInterval(judge.ci95)],
    ...[
      formatFixed(judge.kappa, 2),
      formatPercent(judge.leak, 1),
      formatPercent(judge.miss, 1),
      String(judge.nUnjudged),
    ],
    ...[
      formatFixed(judge.secondsPerRow, 3),
      `${judge.ok ? "holds" : "does not hold"}${judge.tiedWithFirst ? ", tied" : ""}`,
    ],
  ]);
  const table = [HEAD, ...lines];
  const widths = HEAD.map((_, column) => Math.max(...table.map((cells) => displayWidth(cells[column]!))));
  return [
    `${word}: ${best}, on ${counted(nGold, "label")} (${goldKind})${ties}`,
    ...table.map((cells) => `  ${cells.map((cell, i) => padToWidth(cell, widths[i]!)).join("  ")}`.trimEnd()),
  ].join("\n");
}
