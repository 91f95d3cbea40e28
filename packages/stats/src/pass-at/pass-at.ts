import { checkOptions, isObject, type Row } from "@while/schema";
import { type RunConfig, RunConfigTally } from "../config/run-config.ts";
import { MAX_CURVE_K, ROLLOUTS_PER_TASK } from "../constants.ts";
import { checkInference, type Inference } from "../inference.ts";
import type { Interval } from "../interval/interval.ts";
import { meanOf } from "../interval/sample.ts";
import { type CiMethod, type TaskInterval, taskIntervals } from "../interval/task-interval.ts";
import { checkSeed } from "../rng/mersenne-twister.ts";
import { StatsError } from "../stats-error.ts";
import type { Warning } from "../warning.ts";
import { debiasedRate } from "./debiased-rate.ts";
import { defaultK, type KWay, kWays, reportedKWay } from "./k-way.ts";
import { OutcomeTable, ratesOf } from "./outcome-table.ts";
import { type PassAtWarningCode, passAtWarnings } from "./pass-at-warnings.ts";
import { checkK } from "./pass-k-group.ts";

export interface PassAtOptions {
  /** Rollouts of the k-way numbers; the smallest group of two or more when left out. */
  k?: number | undefined;
  /** Smallest k that pass^k and pass@k are reported at. */
  minK?: number;
  /** Lets a task with fewer than k rollouts count as 1 or 0 when all of them agree. */
  unanimousShort?: boolean;
  inference?: Inference;
  /** Seed of the compat draws; strict draws nothing. */
  seed?: number;
}

/** pass^k and pass@k at one k: a row of the table that benchmarks publish. */
export interface PassCurvePoint {
  k: number;
  passPowK: number;
  passPowKCi95: Interval | null;
  passPowKCiMethod: CiMethod | null;
  passAtK: number;
  passAtKCi95: Interval | null;
  passAtKCiMethod: CiMethod | null;
  /** Tasks with k graded rollouts (and, with `unanimousShort`, the ones that stand in). */
  nGroups: number;
}

export interface PassAt {
  inference: Inference;
  k: number;
  /** Mean over tasks of the share of rollouts that pass; null when nothing is graded. */
  passAt1: number | null;
  ci95: Interval | null;
  ciMethod: CiMethod | null;
  /** Chance that k rollouts of a task all pass, mean over tasks; null with the reason in `note`. */
  passPowK: number | null;
  passPowKCi95: Interval | null;
  passPowKCiMethod: CiMethod | null;
  /** Chance that at least one of k passes, mean over tasks; null with the reason in `note`. */
  passAtK: number | null;
  passAtKCi95: Interval | null;
  passAtKCiMethod: CiMethod | null;
  /** passAtK - passAt1: what choosing among k could win. */
  headroom: number | null;
  /** Tasks with a graded row. */
  nGroups: number;
  /** Tasks behind the k-way numbers; 0 without them. */
  nGroupsAtK: number;
  nGroupsImputed: number;
  /** Rows graded 0 or 1. */
  nRows: number;
  /** Rows given: nRows + nPartial + nUngraded. */
  nRowsTotal: number;
  /** Tasks among all rows given, graded or not. */
  nTasksTotal: number;
  /** Rows with partial credit: neither passes nor failures, and in none of these numbers. */
  nPartial: number;
  /** Rows without a verdict. */
  nUngraded: number;
  /** Of those, the ones that name an error: a judge that failed, or a run that never was. */
  nLost: number;
  /** passAt1 over all planned tasks if every ungraded row had failed; the same as passAt1 when none is ungraded. */
  passAt1UngradedAsFail: number | null;
  /** pass@1 corrected by the labels of people and programs (`gold_reward`), tasks as the draws; null without any. */
  debiasedPassAt1: number | null;
  debiasedCi95: Interval | null;
  /** Rows graded 0 or 1 that carry such a label. */
  nGold: number;
  /** Rows with neither id nor prompt. */
  nWithoutKey: number;
  /** Rows that repeat the `rollout_id` of another row of their task. */
  nRepeated: number;
  /** Graded tasks whose rollouts are all one draw: sampled at temperature 0, the same calls and reply word for word. */
  nCopiedTasks: number;
  /** Pass rate by task. */
  perTask: Map<string, number>;
  /** Why a number is missing or to be read with care; "" when there is nothing to say. */
  note: string;
  warnings: Warning<PassAtWarningCode>[];
  config: RunConfig;
  /** k = 1 up to the largest group, 64 at most. */
  curve: PassCurvePoint[];
}

const OPTIONS = ["k", "minK", "unanimousShort", "inference", "seed"];

/**
 * pass@1, pass^k and pass@k with intervals over tasks, what they rest on, and the curve over k. Rows are grouped by
 * `taskKey`; partial credit and rows without a verdict are counted apart, never as passes or failures.
 *
 * pass@1 is the headline: a judge's false passes inflate pass@k and its false failures deflate pass^k, and it feels
 * both least. Measure before selecting rows: selection shrinks groups, and the k-way numbers go with them.
 *
 * @throws StatsError `bad_k`, `bad_option`, `bad_seed`
 */
export function passAt(rows: readonly Row[], options: PassAtOptions = {}): PassAt {
  const tally = new PassAtTally(options);
  for (const row of rows) tally.add(row);
  return tally.report();
}

/**
 * The same over rows that come one by one, in a single pass: memory is bounded by the tasks, not by the file.
 * Measured on 1,000,000 tasks of 8 rollouts made on the fly: 5 s beside the 1.5 s of making them, 460 MB resident.
 */
export async function passAtStream(rows: AsyncIterable<Row>, options: PassAtOptions = {}): Promise<PassAt> {
  const tally = new PassAtTally(options);
  for await (const row of rows) tally.add(row);
  return tally.report();
}

/** Collects rows for `passAt`, for callers who read a file once for several reports. */
export class PassAtTally {
  private readonly options: Required<Omit<PassAtOptions, "k">> & { k: number | undefined };
  private readonly table: OutcomeTable;
  private readonly config = new RunConfigTally();

  constructor(options: PassAtOptions = {}) {
    checkOptions(options, OPTIONS, (what, fix) => new StatsError("bad_option", what, fix));
    const { k, minK = ROLLOUTS_PER_TASK, unanimousShort = false, inference = "strict", seed = 0 } = options;
    if (k !== undefined) checkK(k);
    if (!Number.isSafeInteger(minK) || minK < 0) {
      throw new StatsError("bad_k", `minK is ${minK}.`, "Pass a whole number of rollouts.");
    }
    checkInference(inference);
    checkSeed(seed);
    this.options = { k, minK, unanimousShort, inference, seed };
    this.table = new OutcomeTable(inference);
  }

  /** Values that are no object are skipped. */
  add(row: Row): void {
    if (!isObject(row)) return;
    this.table.add(row);
    this.config.add(row);
  }

  report(): PassAt {
    const { table } = this;
    const { minK, unanimousShort, inference, seed } = this.options;
    const outcomes = table.outcomes();
    const k = this.options.k ?? defaultK(outcomes);
    const largest = outcomes.atoms.reduce((most, { n }) => Math.max(most, n), 0);
    const kWayAt = kWays(outcomes, unanimousShort);

    const rates = ratesOf(outcomes);
    const ks = Array.from({ length: Math.min(largest, MAX_CURVE_K) }, (_, i) => i + 1);
    const main = reportedKWay(kWayAt, k, minK);
    const points = ks.map(kWayAt);
    const ways = main === null ? points : [main, ...points];
    const columns = [rates, ...ways.flatMap(({ passPowK, passAtK }) => [passPowK, passAtK])];
    const intervals = taskIntervals(columns, { inference, seed });

    const passAt1 = meanOf(rates);
    const { ci95, method: ciMethod } = intervals[0]!;
    const measured = ways.map((way, i) => kWayNumbers(way, intervals[2 * i + 1]!, intervals[2 * i + 2]!));
    const atK = main === null ? NO_K_WAY : measured[0]!;
    const curve = (main === null ? measured : measured.slice(1)).map((numbers, i) => ({ k: ks[i]!, ...numbers }));
    const nGroups = outcomes.order.length;
    const debiased = debiasedRate([...table.judgedTasks().values()]);
    const { notes, others } = passAtWarnings({
      table,
      outcomes,
      k,
      kGiven: this.options.k !== undefined,
      minK,
      hasKWay: main !== null,
      ci95,
      methods: new Map([
        ["pass@1", ciMethod],
        [`pass^${k}`, atK.passPowKCiMethod],
        [`pass@${k}`, atK.passAtKCiMethod],
      ]),
      largest,
    });
    const { nGroups: _, ...kWay } = atK;
    return {
      inference,
      k,
      passAt1,
      ci95,
      ciMethod,
      ...kWay,
      headroom: atK.passAtK === null || passAt1 === null ? null : atK.passAtK - passAt1,
      nGroups,
      nGroupsAtK: atK.nGroups,
      nGroupsImputed: main?.nImputed ?? 0,
      nRows: table.nRows,
      nRowsTotal: table.nRowsTotal,
      nTasksTotal: table.nTasksTotal,
      nPartial: table.nPartial,
      nUngraded: table.nUngraded,
      nLost: table.nLost,
      passAt1UngradedAsFail: table.nUngraded === 0 ? passAt1 : table.rateIfUngradedFailed(),
      debiasedPassAt1: debiased?.estimate ?? null,
      debiasedCi95: debiased?.ci95 ?? null,
      nGold: table.nGold,
      nWithoutKey: table.tasks.nWithoutKey,
      nRepeated: table.seen.nRepeated,
      nCopiedTasks: table.nCopiedTasks,
      perTask: table.perTask(),
      note: notes.map(({ text }) => text).join("; "),
      warnings: [...notes, ...others],
      config: this.config.report({ nTasks: nGroups, k }),
      curve,
    };
  }
}

type KWayNumbers = Omit<PassCurvePoint, "k">;

function kWayNumbers({ passPowK, passAtK }: KWay, pow: TaskInterval, at: TaskInterval): KWayNumbers {
  return {
    passPowK: meanOf(passPowK)!,
    passPowKCi95: pow.ci95,
    passPowKCiMethod: pow.method,
    passAtK: meanOf(passAtK)!,
    passAtKCi95: at.ci95,
    passAtKCiMethod: at.method,
    nGroups: passPowK.order.length,
  };
}

const NO_K_WAY: { [Key in keyof KWayNumbers]: KWayNumbers[Key] | null } & { nGroups: number } = {
  passPowK: null,
  passPowKCi95: null,
  passPowKCiMethod: null,
  passAtK: null,
  passAtKCi95: null,
  passAtKCiMethod: null,
  nGroups: 0,
};
