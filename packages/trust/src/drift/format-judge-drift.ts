import { formatFixed } from "@while/schema";
import { wholePercent } from "../agreement/whole-percent.ts";
import { counted } from "../counted.ts";
import type { AnchorChange, DriftStatus, JudgeDrift } from "./judge-drift.ts";

const WORDS: Readonly<Record<DriftStatus, string>> = {
  first: "FIRST RUN: kept, to hold the next one against",
  steady: "STEADY: every verdict is as it was",
  changed: "CHANGED: some verdicts are others, and it is not shown that the judge is worse",
  drifted: "DRIFTED: the judge is no longer the one that was measured",
};

/** The verdict in a line, the last run and what changed, and every finding behind a `!`. */
export function formatJudgeDrift({ status, nAnchors, runs, sinceLast, sinceFirst, findings }: JudgeDrift): string {
  const { agreement, passRate, judgeVersion } = runs.at(-1)!;
  const version = judgeVersion === null ? "" : ` by ${judgeVersion}`;
  return [
    WORDS[status],
    `  run ${runs.length} over ${counted(nAnchors, "anchor")}${version}: agreement ${wholePercent(agreement)}, passes ${wholePercent(passRate)}`,
    ...changeLine("since the run before", sinceLast),
    ...changeLine("since the first run", sinceFirst),
    ...findings.map(({ message }) => `! ${message}`),
  ].join("\n");
}

function changeLine(since: string, change: AnchorChange | null): string[] {
  if (change === null) return [];
  const { changed, onlyBeforeRight, onlyAfterRight, pAdjusted } = change;
  const p = pAdjusted < 0.001 ? "p < 0.001" : `p ${formatFixed(pAdjusted, 3)}`;
  return [
    `  ${since}: ${changed} changed, ${onlyBeforeRight} for the worse and ${onlyAfterRight} for the better (${p})`,
  ];
}
