import { checkOptions, type Row, rowKey } from "@while/schema";
import { MersenneTwister, POWER } from "@while/stats";
import { taskClusters } from "../agreement/task-clusters.ts";
import { LABEL_SEARCH_MAX, MAX_GOLD_ASK } from "../agreement/thresholds.ts";
import { trustOfLabels } from "../trust/trust-of-labels.ts";
import { type LabelTrustOptions, type LabelTrustSettings, labelTrustSettings } from "../trust/trust-options.ts";
import type { TrustStatus } from "../trust/trust-report.ts";
import { TrustError } from "../trust-error.ts";
import { labelBudget } from "./label-budget.ts";
import { aimOf, fewestLabels, type JudgeShares, type LabelCounts } from "./label-search.ts";
import { type DecidedRow, decidedRows, type VerdictStratum, verdictStrata } from "./verdict-strata.ts";

export interface LabelQueueOptions
  extends Pick<
    LabelTrustOptions,
    "gold" | "minAgreement" | "minKappa" | "minClassRate" | "minPerClass" | "allowModelGold" | "rule"
  > {
  /** So many rows and no other number; without it as many as decide. */
  n?: number;
  /** What a judge is taken to be right in on a verdict of which no row is labeled. */
  assumed?: number;
  power?: number;
  seed?: number;
}

/** A row to label, without what the judge said of it. */
export interface QueuedRow {
  rowKey: string;
  task: string;
}

/** Of a verdict, what is labeled and what is asked for. */
export interface QueuedStratum extends VerdictStratum {
  /** What the plan takes its share of right verdicts to be. */
  assumedRight: number;
  nNext: number;
}

export interface LabelQueue {
  rule: LabelTrustSettings["rule"];
  /** What the labels say so far. */
  status: TrustStatus;
  /** Rows to label next, in an order in which they may be left off at any place. */
  rows: QueuedRow[];
  n: number;
  strata: QueuedStratum[];
  /** What so many labels would show of a judge with these shares: that it holds, or that it does not. */
  aim: "pass" | "fail";
  power: number;
  /**
   * Why there are none, or why these would not decide: `no_verdicts`; `decided`; `all_labeled`; `too_few_rows`, all that
   * are there do not do; `near_floor`, the judge is so near to a floor that no reasonable number would.
   */
  note: "no_verdicts" | "decided" | "all_labeled" | "too_few_rows" | "near_floor" | null;
}

const NAMES = ["n", "assumed", "power", "seed"] as const;
/** What a judge is hoped to be. */
const ASSUMED = 0.9;

/**
 * Which rows to label next, so that it is decided soonest whether the judge holds. By the strict rule labels are split
 * between what the judge passes and what it fails where they tell most (its rarer verdict mostly), and `judgeTrust` weights
 * them back; inside a verdict they are a random draw, unsure rows more often by how much less they are known (Neyman 1934),
 * one rollout a task first. By the floors, which read plain shares, the draw is over all rows alike.
 *
 * Give the rows to people without the judge's verdict: who sees it agrees with it.
 *
 * @throws TrustError `bad_option`
 */
export function labelQueue(rows: readonly Row[], options: LabelQueueOptions = {}): LabelQueue {
  const { n: asked = null, assumed = ASSUMED, power = POWER, seed = 0, ...floors } = options;
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  const settings = labelTrustSettings(floors);
  checkOptions(options, [...Object.keys(settings), ...NAMES], refuse);
  if (asked !== null && !(Number.isSafeInteger(asked) && asked >= 1)) {
    throw refuse(`n is ${asked}.`, "Pass a whole number of 1 or more, or leave it out.");
  }
  for (const [name, value] of Object.entries({ assumed, power })) {
    if (!(value > 0 && value < 1)) throw refuse(`${name} is ${value}.`, "Pass a share between 0 and 1.");
  }
  const decided = decidedRows(rows, settings);
  const strata = verdictStrata(decided);
  const { status } = trustOfLabels(rows, settings);
  const have = countsOf(strata, ({ nLabeled }) => nLabeled);
  const most = countsOf(strata, (stratum) => stratum.nRows - stratum.nLabeled);
  const shares = sharesOf(strata, assumed);
  const report = { rule: settings.rule, status, power };
  const none = (note: LabelQueue["note"]): LabelQueue => ({
    ...{ ...report, rows: [], n: 0, aim: aimOf(shares, settings), note },
    strata: strata.map((stratum) => ({ ...stratum, assumedRight: rightOf(stratum, assumed), nNext: 0 })),
  });
  if (decided.length === 0) return none("no_verdicts");
  if (most.ofPasses + most.ofFails === 0) return none("all_labeled");
  if (asked === null && (status === "pass" || status === "fail")) return none("decided");
  const plan =
    settings.rule === "strict"
      ? strictPlan(shares, settings, { have, most, power, total: asked })
      : floorsPlan(shares, settings, { have, most, power, total: asked });
  const { random, nexts, drawn } = drawOf(decided, strata, plan, { seed, assumed });
  const inOrder = random.shuffle(drawn);
  return {
    ...report,
    rows: inOrder.map(({ row, task }) => ({ rowKey: rowKey(row), task })),
    n: inOrder.length,
    strata: strata.map((stratum, i) => ({
      ...stratum,
      assumedRight: rightOf(stratum, assumed),
      nNext: nexts[i]!,
    })),
    aim: plan.aim,
    note: plan.decides
      ? null
      : most.ofPasses + most.ofFails <= plan.ofPasses + plan.ofFails
        ? "too_few_rows"
        : "near_floor",
  };
}

interface PlanInput {
  have: LabelCounts;
  most: LabelCounts;
  power: number;
  total: number | null;
}

type Plan = LabelCounts & { decides: boolean; aim: "pass" | "fail" };

function strictPlan(shares: JudgeShares, settings: LabelTrustSettings, input: PlanInput): Plan {
  const aim = aimOf(shares, settings);
  const fewest = fewestLabels(shares, settings, { ...input, limit: LABEL_SEARCH_MAX });
  if (fewest.decides || input.total !== null) return { ...fewest, aim };
  // What nobody would label anyway is not asked for: as many as people are asked for, where they tell most.
  const total = Math.min(MAX_GOLD_ASK, input.most.ofPasses + input.most.ofFails);
  return { ...fewestLabels(shares, settings, { ...input, limit: total, total }), decides: false, aim };
}

/** A draw over all rows alike: the floors read the plain share of labels that agree. */
function floorsPlan({ passes, ...right }: JudgeShares, settings: LabelTrustSettings, input: PlanInput): Plan {
  const { have, most, power, total } = input;
  const left = most.ofPasses + most.ofFails;
  const agreement = passes * right.rightOfPasses + (1 - passes) * right.rightOfFails;
  const budget = labelBudget({ agreement, floor: settings.minAgreement, power, maxLabels: LABEL_SEARCH_MAX });
  const missing = budget.n === null ? MAX_GOLD_ASK : Math.max(1, budget.n - have.ofPasses - have.ofFails);
  const n = Math.min(total ?? missing, left);
  const ofPasses = Math.min(most.ofPasses, Math.max(n - most.ofFails, Math.round((n * most.ofPasses) / left)));
  return {
    ...{ ofPasses, ofFails: n - ofPasses },
    decides: budget.n !== null && n >= missing,
    aim: agreement > settings.minAgreement ? "pass" : "fail",
  };
}

/** Drawn in by half a row either way, as the plan of `judgeTrust` is: ten right of ten are no judge that is always right. */
function rightOf({ nRight, nLabeled }: Pick<VerdictStratum, "nRight" | "nLabeled">, assumed: number): number {
  return nLabeled === 0 ? assumed : (nRight + 0.5) / (nLabeled + 1);
}

function sharesOf(strata: readonly VerdictStratum[], assumed: number): JudgeShares {
  const total = (verdict: 0 | 1 | null, amountOf: (stratum: VerdictStratum) => number) =>
    strata.filter((one) => verdict === null || one.verdict === verdict).reduce((sum, one) => sum + amountOf(one), 0);
  const rows = total(null, ({ nRows }) => nRows);
  const right = (verdict: 0 | 1) => {
    const own = total(verdict, ({ nRows }) => nRows);
    return own === 0 ? assumed : total(verdict, (one) => (one.nRows / own) * rightOf(one, assumed));
  };
  // A verdict that stands on no row has none of its labels: the other one is all there is.
  const passes = rows === 0 ? 0.5 : total(1, ({ nRows }) => nRows) / rows;
  return {
    passes: Math.min(1 - 1e-6, Math.max(1e-6, passes)),
    ...{ rightOfPasses: right(1), rightOfFails: right(0) },
  };
}

function countsOf(strata: readonly VerdictStratum[], amountOf: (stratum: VerdictStratum) => number): LabelCounts {
  const of = (verdict: 0 | 1) =>
    strata.filter((one) => one.verdict === verdict).reduce((sum, one) => sum + amountOf(one), 0);
  return { ofPasses: of(1), ofFails: of(0) };
}

interface Candidate {
  row: Row;
  task: string;
}

/** The rows of the plan, stratum by stratum. */
function drawOf(
  decided: readonly DecidedRow[],
  strata: readonly VerdictStratum[],
  plan: LabelCounts,
  { seed, assumed }: { seed: number; assumed: number },
): { random: MersenneTwister; nexts: number[]; drawn: Candidate[] } {
  const random = new MersenneTwister(seed);
  const tasks = taskClusters(decided.map(({ row }) => row));
  const taken = new Map<string, number>();
  for (const [i, { gold }] of decided.entries()) {
    if (gold !== null) taken.set(tasks[i]!, (taken.get(tasks[i]!) ?? 0) + 1);
  }
  const nexts = strata.map(() => 0);
  for (const verdict of [1, 0] as const) {
    const own = strata.flatMap((stratum, i) => (stratum.verdict === verdict ? [{ stratum, i }] : []));
    const wanted = verdict === 1 ? plan.ofPasses : plan.ofFails;
    for (const [k, n] of neyman(
      own.map(({ stratum }) => stratum),
      wanted,
      assumed,
    ).entries())
      nexts[own[k]!.i] = n;
  }
  const drawn = strata.flatMap(({ verdict, unsure }, i) => {
    const candidates = decided.flatMap((one, place): Candidate[] => {
      const isIn = one.gold === null && one.verdict === verdict && (unsure === null || one.unsure === unsure);
      return isIn ? [{ row: one.row, task: tasks[place]! }] : [];
    });
    return oneATaskFirst(random.shuffle(candidates), nexts[i]!, taken);
  });
  return { random, nexts, drawn };
}

/** More of a part that is larger, and of one where the judge is right less surely; never more than there are. */
function neyman(strata: readonly VerdictStratum[], wanted: number, assumed: number): number[] {
  const nexts = strata.map(() => 0);
  const left = (i: number) => strata[i]!.nRows - strata[i]!.nLabeled - nexts[i]!;
  for (let n = 0; n < wanted; n++) {
    // One at a time to where it lowers the variance most: W² r (1 - r) / n(n + 1).
    const gains = strata.map((stratum, i) => {
      const right = rightOf(stratum, assumed);
      const labels = stratum.nLabeled + nexts[i]! + 1;
      return left(i) > 0 ? (stratum.nRows ** 2 * right * (1 - right)) / (labels * (labels + 1)) : -1;
    });
    const best = gains.indexOf(Math.max(...gains));
    if (gains[best] === undefined || gains[best] < 0) break;
    nexts[best]!++;
  }
  return nexts;
}

/** In their order, but a task that has a label, or a row before it in the queue, waits for those that have none. */
function oneATaskFirst(candidates: readonly Candidate[], n: number, taken: Map<string, number>): Candidate[] {
  const waiting = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const own = waiting.get(candidate.task);
    if (own === undefined) waiting.set(candidate.task, [candidate]);
    else own.push(candidate);
  }
  const ranked = [...waiting].flatMap(([task, own]) =>
    own.map((candidate, i) => ({ candidate, rank: (taken.get(task) ?? 0) + i })),
  );
  // The sort is stable: inside a rank the order is the drawn one.
  const chosen = ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, n)
    .map(({ candidate }) => candidate);
  for (const { task } of chosen) taken.set(task, (taken.get(task) ?? 0) + 1);
  return chosen;
}
