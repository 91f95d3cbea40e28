import {
  behaviorSignature,
  compareCodePoints,
  isObject,
  normText,
  type Row,
  roundHalfEven,
  taskKey,
} from "@while/schema";
import { gradedReward, MersenneTwister } from "@while/stats";
import { roundRobin } from "../groups/spread-by-rate.ts";
import { stableKey } from "../groups/stable-key.ts";
import { askAndReply } from "../rows/ask-and-reply.ts";
import { dropPrivilegedLeaks } from "../rows/drop-privileged-leaks.ts";
import { evalSourcedWarning, isEvalSourced } from "../rows/is-eval-sourced.ts";
import { isIncompleteJunk } from "../rows/is-incomplete-junk.ts";
import { type CompletionCounts, sftNote } from "./sft-note.ts";
import { readSftOptions, type SftOptions, type SftSettings } from "./sft-options.ts";
import type { SftDropReason, SftReport } from "./sft-report.ts";

/** A passing row on its way through the rule. */
interface Completion {
  row: Row;
  reward: number;
  /** What it did: the bucket from which one is taken in turn. */
  signature: string;
  /** Settles ties inside a prompt. */
  key: string;
}

/**
 * Rejection sampling: the rows to imitate, those at or above `minReward` that are no junk, chosen by one of four
 * rules (Lambert 2025, chapter Rejection Sampling). The per-prompt rules then take one of each behavior in turn, so
 * every way of being right appears before any repeats.
 *
 * Run a random rule over several seeds as the control: a ranked arm that does not beat it says that the reward does
 * not order these completions. Set `groupBy` to `task` when a simulated user words one task differently every time.
 *
 * @throws SelectError `bad_option`, `unknown_rule`
 */
export function selectForSft(rows: readonly Row[], options: SftOptions = {}): { rows: Row[]; report: SftReport } {
  const settings = readSftOptions(options);
  const { select, target, k, minReward, groupBy, seed } = settings;
  const dropped = emptyDrops();

  const leaks = dropPrivilegedLeaks(rows);
  dropped.not_a_row = leaks.report.nNotRows;
  dropped.privileged_leak = leaks.report.nDropped;
  const pool: Completion[] = [];
  for (const row of leaks.rows) {
    const reward = gradedReward(row);
    if (reward === null) dropped.ungraded++;
    else if (reward < minReward) dropped.below_min_reward++;
    else if (isIncompleteJunk(row)) dropped.incomplete_junk++;
    else pool.push(completionOf(row, reward, settings));
  }

  const rng = new MersenneTwister(seed);
  let eligible = pool;
  let selected: Completion[];
  if (k !== null) {
    const ranked = select === "top_k_overall" ? [...pool].sort(byRewardThenKey(rawKey(settings))) : rng.shuffle(pool);
    selected = ranked.slice(0, k);
  } else {
    eligible = onePerPrompt(pool, settings, rng);
    selected = oneBehaviorInTurn(eligible, settings).slice(0, target);
    dropped.over_target = eligible.length - selected.length;
  }
  dropped.not_picked = pool.length - selected.length - dropped.over_target;

  const objects = rows.filter(isObject);
  const counts = completionCounts(objects, groupBy);
  const spread = rewardSpread(pool);
  const chosen = selected.map(({ row }) => row);
  const evalSourced = chosen.filter(isEvalSourced).length;
  const flat = counts.median <= 1 || spread === 0;
  const report: SftReport = {
    mode: "sft",
    n: rows.length,
    nSelected: chosen.length,
    dropped,
    privilegedLeaksDropped: leaks.report.nDropped,
    privilegedLeaks: leaks.report,
    nNotPass: dropped.ungraded + dropped.below_min_reward,
    nJunk: dropped.incomplete_junk,
    nEligible: eligible.length,
    uniqueBehaviors: distinctBehaviors(eligible),
    behaviorsCovered: distinctBehaviors(selected),
    selection: select,
    groupBy,
    target,
    k,
    minReward,
    rewardMeanEligible: meanReward(eligible),
    rewardMeanSelected: meanReward(selected),
    rewardSpreadPassing: spread === null ? null : roundHalfEven(spread, 4),
    completionsPerPromptMax: counts.max,
    completionsPerPromptMean: counts.mean === null ? null : roundHalfEven(counts.mean, 2),
    completionsPerPromptMedian: counts.median,
    promptsWithOneCompletion: counts.nSingle,
    selectionEffective: pool.length === 0 ? null : flat ? "pass_filter" : select,
    evalSourced,
    warning: evalSourced > 0 ? evalSourcedWarning(evalSourced) : null,
    note: sftNote(counts, {
      byTask: groupBy === "task" ? counts : completionCounts(objects, "task"),
      passingRewards: pool.map(({ reward }) => reward),
    }),
  };
  return { rows: chosen, report };
}

function emptyDrops(): Record<SftDropReason, number> {
  return {
    not_a_row: 0,
    privileged_leak: 0,
    ungraded: 0,
    below_min_reward: 0,
    incomplete_junk: 0,
    not_picked: 0,
    over_target: 0,
  };
}

function completionOf(row: Row, reward: number, { salt }: SftSettings): Completion {
  const signature = behaviorSignature(row);
  return { row, reward, signature, key: stableKey(normText(askAndReply(row).ask), salt + signature) };
}

/** The tie-break of the overall rule and of the turns hashes the prompt as it is written. */
function rawKey({ salt }: SftSettings): (completion: Completion) => string {
  const keys = new Map<Completion, string>();
  return (completion) => {
    let key = keys.get(completion);
    if (key === undefined) {
      key = stableKey(askAndReply(completion.row).ask, salt + completion.signature);
      keys.set(completion, key);
    }
    return key;
  };
}

function byRewardThenKey(key: (completion: Completion) => string): (a: Completion, b: Completion) => number {
  return (a, b) => b.reward - a.reward || compareCodePoints(key(a), key(b));
}

function onePerPrompt(
  pool: readonly Completion[],
  { select, groupBy }: SftSettings,
  rng: MersenneTwister,
): Completion[] {
  const groups = new Map<string | symbol, Completion[]>();
  for (const completion of pool) {
    const key = choiceKey(completion.row, groupBy);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [completion]);
    else group.push(completion);
  }
  const best = byRewardThenKey(({ key }) => key);
  return Array.from(groups.values(), (group) =>
    select === "random_per_prompt"
      ? group[rng.below(group.length)]!
      : group.reduce((first, next) => (best(next, first) < 0 ? next : first)),
  );
}

/** Behaviors by how often they were picked, one row of each in turn. */
function oneBehaviorInTurn(picks: readonly Completion[], settings: SftSettings): Completion[] {
  const key = rawKey(settings);
  const buckets = new Map<string, Completion[]>();
  for (const pick of picks) {
    const bucket = buckets.get(pick.signature);
    if (bucket === undefined) buckets.set(pick.signature, [pick]);
    else bucket.push(pick);
  }
  const largestFirst = [...buckets].sort(([a, x], [b, y]) => y.length - x.length || compareCodePoints(a, b));
  return roundRobin(largestFirst.map(([, bucket]) => bucket.sort((a, b) => compareCodePoints(key(a), key(b)))));
}

/** Which completions compete. A row whose ask is not known competes with none; the Python SDK pools all of those. */
function choiceKey(row: Row, groupBy: SftSettings["groupBy"]): string | symbol {
  return (groupBy === "task" ? taskKey(row) : normText(askAndReply(row).ask)) || Symbol("no ask");
}

function completionCounts(rows: readonly Row[], groupBy: SftSettings["groupBy"]): CompletionCounts {
  const perPrompt = new Map<string | symbol, number>();
  for (const row of rows) {
    const key = choiceKey(row, groupBy);
    perPrompt.set(key, (perPrompt.get(key) ?? 0) + 1);
  }
  const sizes = Uint32Array.from(perPrompt.values()).sort();
  return {
    nPrompts: sizes.length,
    max: sizes.at(-1) ?? 0,
    median: sizes[sizes.length >> 1] ?? 0,
    mean: sizes.length === 0 ? null : rows.length / sizes.length,
    nSingle: sizes.reduce((n, size) => n + Number(size === 1), 0),
    groupBy,
  };
}

function rewardSpread(pool: readonly Completion[]): number | null {
  if (pool.length === 0) return null;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const { reward } of pool) {
    least = Math.min(least, reward);
    most = Math.max(most, reward);
  }
  return most - least;
}

function meanReward(completions: readonly Completion[]): number | null {
  if (completions.length === 0) return null;
  return roundHalfEven(completions.reduce((sum, { reward }) => sum + reward, 0) / completions.length, 4);
}

function distinctBehaviors(completions: readonly Completion[]): number {
  return new Set(completions.map(({ signature }) => signature)).size;
}
