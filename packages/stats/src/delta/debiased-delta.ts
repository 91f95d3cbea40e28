import { compareCodePoints, isObject, isTrustedGold, type Row } from "@while/schema";
import { clusterSums } from "../compare/cluster-values.ts";
import type { CompareVerdict } from "../compare/compare-verdict.ts";
import type { RunPair } from "../compare/run-pair.ts";
import type { Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { tQuantile } from "../kernel/student-t.ts";
import { mean, sum } from "../kernel/sum.ts";
import { debiasedRate, type JudgedTask } from "../pass-at/debiased-rate.ts";
import { OutcomeTable } from "../pass-at/outcome-table.ts";
import type { GroupBy } from "../rows/group-by.ts";

/** One side of `DebiasedDelta`. */
export interface DebiasedSide {
  /** pass@1 as the judge has it, and corrected by the side's own labels. */
  judged: number;
  corrected: number;
  /** Labeled rows, and tasks with one. */
  nGold: number;
  nGoldTasks: number;
  /** By how much the judge passes more than gold does, over the labeled tasks. */
  judgeBias: number;
}

/** The change of pass@1 with each side corrected by its own labels. */
export interface DebiasedDelta {
  before: DebiasedSide;
  after: DebiasedSide;
  /** After less before, corrected. */
  delta: number;
  /** At the level of the report; null with fewer than three labeled tasks (or clusters) on a side. */
  ci95: Interval | null;
  verdict: CompareVerdict;
  /** The same change as the judge has it, over the same tasks. */
  judgedDelta: number;
  /** By how much the judge's bias grew from before to after: what its delta shows of itself. */
  biasShift: number;
  /** Excludes zero: the judge errs differently on the two sides. Null under ten labeled tasks, and where nothing varies. */
  biasShiftCi95: Interval | null;
  /** Tasks of each side; the same ones where the sides are paired. */
  nTasks: { before: number; after: number };
  paired: boolean;
}

/**
 * pass@1 after less before without the judge's bias: a judge that has come to like one side (its length, its tone) moves
 * the delta by itself, and only labels on both sides can tell. Each side is corrected on its own labels (`debiasedRate`,
 * prediction-powered inference, arXiv:2301.09633); the interval puts the two score intervals together (MOVER: Zou and
 * Donner 2008), with the correlation that shared tasks give them. The labeled tasks of a side have to be a random draw of
 * its tasks.
 *
 * @returns null where a side has no label by a person or a program, and in compat
 */
export function debiasedDelta(
  pair: RunPair,
  { level, inference, paired, cluster }: DebiasedDeltaOptions,
): DebiasedDelta | null {
  if (inference === "compat" || ![pair.a.rows, pair.b.rows].every(hasGold)) return null;
  const shared = paired ? pair.shared("pass_at_1") : null;
  const of = cluster === undefined ? null : pair.clustersBy(cluster).of;
  const side = (rows: readonly Row[]) => sideOf(outcomesOf(rows, inference), shared, { level, of });
  const [a, b] = [side(pair.a.rows), side(pair.b.rows)];
  if (a === null || b === null) return null;

  const delta = b.corrected - a.corrected;
  const ci95 = together(a, b, delta);
  const biasShift = b.judgeBias - a.judgeBias;
  return {
    before: summaryOf(a),
    after: summaryOf(b),
    delta,
    ci95,
    verdict: verdictOf(ci95),
    judgedDelta: b.judged - a.judged,
    biasShift,
    biasShiftCi95: ci95 === null ? null : shiftInterval(a, b, { biasShift, level }),
    nTasks: { before: a.names.length, after: b.names.length },
    paired,
  };
}

export interface DebiasedDeltaOptions {
  level: number;
  inference: Inference;
  /** Over the tasks of both sides alone. */
  paired: boolean;
  cluster?: GroupBy | undefined;
}

interface Side extends DebiasedSide {
  ci95: Interval | null;
  names: readonly string[];
  /** The draw each task belongs to: itself, or its cluster. */
  draws: readonly string[];
  /** What each task adds to the error of the corrected rate, and to that of the judge's bias. */
  errors: readonly number[];
  biasErrors: readonly number[];
  /** Draws with a label. */
  nLabeledDraws: number;
}

/** Looked for first: most rows have none, and a table of them costs a pass. */
function hasGold(rows: readonly Row[]): boolean {
  return rows.some((row) => isObject(row) && (row.gold_reward === 0 || row.gold_reward === 1) && isTrustedGold(row));
}

function outcomesOf(rows: readonly Row[], inference: Inference): OutcomeTable {
  const table = new OutcomeTable(inference);
  for (const row of rows) if (isObject(row)) table.add(row);
  return table;
}

function sideOf(
  table: OutcomeTable,
  shared: readonly string[] | null,
  { level, of }: { level: number; of: ((task: string) => string) | null },
): Side | null {
  const judged = table.judgedTasks();
  const names = (shared ?? [...judged.keys()].sort(compareCodePoints)).filter((task) => judged.has(task));
  const tasks = names.map((task) => judged.get(task)!);
  const draws = of === null ? names : names.map(of);
  const rate = debiasedRate(tasks, { level, clusters: of === null ? undefined : draws });
  if (rate === null) return null;
  const labeled = tasks.map((task) => task.labeled !== null);
  return {
    judged: mean(tasks.map(({ judge }) => judge))!,
    corrected: rate.estimate,
    nGold: table.nLabeledOf(new Set(names)),
    nGoldTasks: labeled.filter(Boolean).length,
    ...biasOf(tasks),
    ...{ ci95: rate.ci95, names, draws, errors: rate.errors },
    nLabeledDraws: new Set(draws.filter((_, i) => labeled[i])).size,
  };
}

/** How far the judge is off on the labeled tasks, and what each adds to that mean. */
function biasOf(tasks: readonly JudgedTask[]): { judgeBias: number; biasErrors: number[] } {
  const off = tasks.map(({ labeled }) => (labeled === null ? null : labeled.judge - labeled.gold));
  const known = off.filter((value) => value !== null);
  const judgeBias = mean(known)!;
  const n = known.length;
  const inflation = n > 1 ? Math.sqrt(n / (n - 1)) : 0;
  const biasErrors = off.map((value) => (value === null ? 0 : (inflation * (value - judgeBias)) / n));
  return { judgeBias, biasErrors };
}

function summaryOf({ judged, corrected, nGold, nGoldTasks, judgeBias }: Side): DebiasedSide {
  return { judged, corrected, nGold, nGoldTasks, judgeBias };
}

/** Two intervals as one of the difference: how far each may be off toward the other, less what they are off together. */
function together(a: Side, b: Side, delta: number): Interval | null {
  if (a.ci95 === null || b.ci95 === null) return null;
  const rho = correlationOf(a, b);
  const reach = (one: number, other: number) => Math.sqrt(Math.max(0, one ** 2 + other ** 2 - 2 * rho * one * other));
  return [
    Math.max(-1, delta - reach(b.corrected - b.ci95[0], a.ci95[1] - a.corrected)),
    Math.min(1, delta + reach(b.ci95[1] - b.corrected, a.corrected - a.ci95[0])),
  ];
}

/** Of the errors of both sides over the draws that both have; 0 where a side has no spread. */
function correlationOf(a: Side, b: Side): number {
  const [own, others] = [byDraw(a, a.errors), byDraw(b, b.errors)];
  const squares = (values: Iterable<number>) => sum(Array.from(values, (value) => value ** 2));
  const size = Math.sqrt(squares(own.values()) * squares(others.values()));
  if (size === 0) return 0;
  return sum(Array.from(own, ([draw, value]) => value * (others.get(draw) ?? 0))) / size;
}

function byDraw({ draws }: Side, errors: readonly number[]): Map<string, number> {
  const sums = clusterSums(errors, draws);
  return new Map([...new Set(draws)].map((draw, i) => [draw, sums[i]!]));
}

/** A judge is seldom wrong: on eight labels its errors are too few for their spread, and 87 of 100 intervals held. */
const MIN_SHIFT_DRAWS = 10;

function shiftInterval(a: Side, b: Side, { biasShift, level }: { biasShift: number; level: number }): Interval | null {
  const [own, others] = [byDraw(a, a.biasErrors), byDraw(b, b.biasErrors)];
  const draws = new Set([...own.keys(), ...others.keys()]);
  const variance = sum(Array.from(draws, (draw) => ((others.get(draw) ?? 0) - (own.get(draw) ?? 0)) ** 2));
  const nLabeled = Math.min(a.nLabeledDraws, b.nLabeledDraws);
  if (variance === 0 || nLabeled < MIN_SHIFT_DRAWS) return null;
  const half = tQuantile(nLabeled - 1, level) * Math.sqrt(variance);
  return [biasShift - half, biasShift + half];
}

function verdictOf(ci95: Interval | null): CompareVerdict {
  if (ci95 === null) return "insufficient_data";
  if (ci95[0] > 0) return "b_better";
  return ci95[1] < 0 ? "a_better" : "no_difference_detected";
}
