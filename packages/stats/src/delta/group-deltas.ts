import { compareCodePoints, isObject, type Row } from "@while/schema";
import { comparePair, type RunComparison } from "../compare/compare-runs.ts";
import type { CompareVerdict } from "../compare/compare-verdict.ts";
import { pairedTInterval } from "../compare/paired-t-interval.ts";
import { RunPair } from "../compare/run-pair.ts";
import { type HeterogeneityQ, heterogeneityQ } from "../meta-analysis/heterogeneity-q.ts";
import { holmAdjust } from "../multiplicity/holm-adjust.ts";
import { type GroupBy, groupOf } from "../rows/group-by.ts";
import type { Metric } from "../rows/metric.ts";
import { keyedRows } from "../sizing/task-rates.ts";
import type { DeltaSettings } from "./delta-options.ts";
import { gainVerdictOf } from "./metric-deltas.ts";
import { pairedGains } from "./paired-gains.ts";

/** Apart from the seeds of the metrics, so that a group's draws do not repeat a marker's. */
const GROUP_SEED_OFFSET = 100;

export interface GroupDelta
  extends Pick<
    RunComparison,
    "delta" | "ci95" | "verdict" | "pValue" | "midP" | "meanA" | "meanB" | "nUsed" | "nPaired" | "paired"
  > {
  gainVerdict: CompareVerdict;
  /** By Holm over all groups; null without a p-value. */
  pAdjusted: number | null;
  rowsA: number;
  rowsB: number;
}

export interface GroupDeltas {
  /** Groups both sides have, in code-point order. */
  groups: Map<string, GroupDelta>;
  /** Did the groups move differently? null under two groups with a spread. */
  heterogeneity: HeterogeneityQ | null;
}

/** The headline metric inside each group. */
export function groupDeltas(
  before: readonly Row[],
  after: readonly Row[],
  metric: Metric,
  { by, lowerIsBetter, settings }: { by: GroupBy; lowerIsBetter: boolean; settings: DeltaSettings },
): GroupDeltas {
  const { alpha, nBoot, seed, inference, cluster } = settings;
  // A group may hold mostly rows that are no task; the report has said already that they are left out.
  const [rowsA, rowsB] = [before, after].map((rows) => rowsByGroup(keyedRows(rows, inference), by)) as [
    Map<string, Row[]>,
    Map<string, Row[]>,
  ];
  const names = [...rowsA.keys()].filter((name) => rowsB.has(name)).sort(compareCodePoints);
  const effects: { delta: number; se: number }[] = [];
  const compared = names.map((name, i) => {
    const [a, b] = [rowsA.get(name)!, rowsB.get(name)!];
    const options = { metric, nBoot, seed: seed + GROUP_SEED_OFFSET + i, level: 1 - alpha, inference, cluster };
    const pair = new RunPair(a, b, inference);
    const report = comparePair(pair, options);
    const test = report.paired
      ? pairedTInterval(pairedGains(pair, metric, { lowerIsBetter, cluster }), { level: 1 - alpha })
      : null;
    if (test !== null && test.se > 0) effects.push({ delta: test.delta, se: test.se });
    return { ...report, rowsA: a.length, rowsB: b.length };
  });
  const tested = compared.flatMap(({ midP, pValue }, i) =>
    (midP ?? pValue) === null ? [] : [{ i, p: (midP ?? pValue)! }],
  );
  const adjusted = new Map(holmAdjust(tested.map(({ p }) => p)).map((p, j) => [tested[j]!.i, p]));
  return {
    groups: new Map(
      compared.map((report, i) => {
        const { delta, ci95, verdict, pValue, midP, meanA, meanB, nUsed, nPaired, paired, ...sizes } = report;
        return [
          names[i]!,
          {
            ...{ delta, ci95, verdict, gainVerdict: gainVerdictOf(verdict, lowerIsBetter), pValue, midP },
            ...{ pAdjusted: adjusted.get(i) ?? null, meanA, meanB, nUsed, nPaired, paired },
            ...{ rowsA: sizes.rowsA, rowsB: sizes.rowsB },
          },
        ];
      }),
    ),
    heterogeneity: heterogeneityQ(effects),
  };
}

function rowsByGroup(rows: readonly Row[], by: GroupBy): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (!isObject(row)) continue;
    const name = groupOf(row, by) || (typeof by === "string" ? groupOf(row, `marker:${by}`) : "");
    if (name === "") continue;
    const list = groups.get(name);
    if (list === undefined) groups.set(name, [row]);
    else list.push(row);
  }
  return groups;
}
