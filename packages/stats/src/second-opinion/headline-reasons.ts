import { formatFixed, type HeadlineRule, type ToolHeadline } from "@while/schema";
import { countOf } from "../count-of.ts";
import { type Counting, type RewardCounts, reducerOf } from "./reward-counts.ts";

export type HeadlineReasonCode =
  | "partial_credit"
  | "lost_trials"
  | "missing_trials"
  | "epochs_reduced"
  | "rows_not_tasks"
  | "rounded"
  | "unfinished_log"
  | "other_items"
  | "unexplained";

/** One step from our number to the tool's. */
export interface HeadlineReason {
  code: HeadlineReasonCode;
  /** The number before the step, and after it; null where there is none. */
  from: number | null;
  to: number | null;
  text: string;
}

/** Numbers this near are one number: benchmarks print three decimals. */
const SAME = 1e-6;

/** A number with this many decimals or more that ours rounds to is ours; with fewer, the rounding is said. */
const MIN_DECIMALS = 3;

/** What is written with fewer than this was not rounded: 0 is no rounding of a third, and 0.5 none of 0.52. */
const MIN_ROUNDED = 2;

/** How rollouts are counted here: 0 or 1, over tasks. */
function ourCounting(k: number): Counting {
  return { others: "left_out", lost: "left_out", trials: null, k, reducer: null, mean: "tasks" };
}

/** Whether a tool's number says the same as ours. */
export function isSame(value: number, ours: number): boolean {
  return Math.abs(value - ours) <= SAME || (decimalsOf(value) >= MIN_DECIMALS && roundsTo(ours, value));
}

/**
 * Why a tool's number is not ours: our count is turned into the tool's, one difference after the other, and every step
 * that moves the number is a reason. What is left at the end is said to be unexplained, and how much it is.
 */
export function headlineReasons(headline: ToolHeadline, rule: HeadlineRule, counts: RewardCounts): HeadlineReason[] {
  const { value, fromItems } = headline;
  const reasons: HeadlineReason[] = [];
  let counting = ourCounting(rule.k);
  let reached = counts.rate(counting);
  for (const { code, change, text } of stepsOf(rule, counts)) {
    counting = { ...counting, ...change };
    const next = counts.rate(counting);
    if (isMove(reached, next)) reasons.push(reason(code, reached, next, text));
    reached = next;
  }
  const end = fromItems ?? value;
  const isEnd = reached !== null && (Math.abs(end - reached) <= SAME || (fromItems === null && roundsTo(reached, end)));
  if (!isEnd) reasons.push(unexplained(headline, reached, end));
  else if (fromItems === null && reached !== null && isMove(reached, end)) reasons.push(rounded(reached, end));
  if (fromItems !== null && isMove(fromItems, value)) {
    reasons.push(roundsTo(fromItems, value) ? rounded(fromItems, value) : otherItems(headline, fromItems));
  }
  return reasons;
}

interface Step {
  code: HeadlineReasonCode;
  change: Partial<Counting>;
  text: string;
}

/** The differences between our rule and the tool's, in the order in which they are undone. */
function stepsOf({ counts, lost, trials, reducer, mean }: HeadlineRule, rows: RewardCounts): Step[] {
  const steps: Step[] = [];
  const { nLeftOut, nCut, lostNumbers } = rows;
  const others = counts === "pass" ? "fail" : "reward";
  const kept = counts === "pass" ? "are no passes to the tool" : "are averaged by the tool as they are";
  const asWhat =
    counts === "pass" ? "as no pass" : `with the reward in the file, ${formatFixed(lostNumbers, 3)} in all`;
  const ours = [nLeftOut > 0 ? `${nLeftOut} left out here` : "", nCut > 0 ? `${nCut} cut to 0 or 1 here` : ""];
  steps.push({
    code: "partial_credit",
    change: { others },
    text: `rewards other than 0 and 1 ${kept}, ${ours.filter((part) => part !== "").join(", ")}`,
  });
  if (lost !== "left_out") {
    const nLost = lost === "counted" ? rows.nLost : rows.nLostWithNumber;
    steps.push({
      code: "lost_trials",
      change: { lost },
      text: `the tool counts ${countOf(nLost, "lost trial")} ${asWhat}, and here none is counted`,
    });
  }
  if (trials !== null) {
    const nShort = rows.tasksShortOf(trials);
    steps.push({
      code: "missing_trials",
      change: { trials },
      text: `the tool takes ${countOf(trials, "trial")} a task, and ${countOf(nShort, "task")} of the file ${nShort === 1 ? "has" : "have"} fewer`,
    });
  }
  if (reducer !== null && reducerOf(reducer) !== null) {
    const text = `the tool reduces the epochs of a sample by ${reducer}, and here it is their mean`;
    steps.push({ code: "epochs_reduced", change: { reducer }, text });
  }
  if (mean === "rows") {
    const { nTasks, fewest, most } = rows.spread();
    const each = fewest === most ? countOf(most, "rollout") : `${fewest} to ${most} rollouts`;
    const text = `the tool averages rollouts, and here it is ${countOf(nTasks, "task")} of ${each} each`;
    steps.push({ code: "rows_not_tasks", change: { mean }, text });
  }
  return steps;
}

function unexplained({ rule, unfinished }: ToolHeadline, from: number | null, to: number): HeadlineReason {
  const known = rule?.reducer ?? null;
  const reduced = known !== null && reducerOf(known) === null ? [`the reducer ${known} is not followed here`] : [];
  const facts = [...reduced, ...(unfinished === null ? [] : [unfinished])];
  const by = from === null ? "" : ` by ${formatFixed(Math.abs(to - from), 3)}`;
  return reason("unexplained", from, to, [`unexplained${by}`, ...facts].join("; "));
}

function otherItems({ value, unfinished }: ToolHeadline, fromItems: number): HeadlineReason {
  const text = "the number in the file is not what the tool's own rule gives for the items in the file";
  const code = unfinished === null ? "other_items" : "unfinished_log";
  return reason(code, fromItems, value, unfinished === null ? text : `${text}; ${unfinished}`);
}

function rounded(from: number, to: number): HeadlineReason {
  const digits = decimalsOf(to);
  const text = `the file has it to ${countOf(digits, "decimal")} (${formatFixed(from, digits + 2)} to ${formatFixed(to, digits)})`;
  return { code: "rounded", from, to, text };
}

function reason(code: HeadlineReasonCode, from: number | null, to: number | null, what: string): HeadlineReason {
  const text = `${what} (${formatFixed(from, 3, NONE)} to ${formatFixed(to, 3, NONE)})`;
  return { code, from, to, text };
}

const NONE = { absent: "none" };

function isMove(from: number | null, to: number | null): boolean {
  return from === null || to === null ? from !== to : Math.abs(to - from) > SAME;
}

function roundsTo(x: number, value: number): boolean {
  const decimals = decimalsOf(value);
  return decimals >= MIN_ROUNDED && Math.abs(x - value) <= 0.5 * 10 ** -decimals + Number.EPSILON;
}

/** Decimals that a number is written with; those of 1e-7 are its exponent's. */
function decimalsOf(value: number): number {
  const [digits = "", exponent = "0"] = String(value).split("e");
  return Math.max(0, (digits.split(".")[1] ?? "").length - Number(exponent));
}
