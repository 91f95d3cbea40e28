import { listIn, numberIn, objectIn, textIn, type WireObject } from "../../wire-values.ts";

/** One side of the held-out comparison. Points for a pass rate, the number itself for a loss. */
export interface HeldOutSide {
  value: number;
  low: number | null;
  high: number | null;
  tasks: number | null;
  k: number | null;
}

export interface HeldOut {
  metric: "pass" | "loss";
  before: HeldOutSide | null;
  after: HeldOutSide | null;
  /** After less before; null where a side is missing. */
  change: { value: number; low: number | null; high: number | null } | null;
  word: HeldOutWord;
  /** Why there is no more to say, in the trainer's words. */
  note: string | null;
}

export type HeldOutWord =
  | "Better"
  | "Worse"
  | "About the same"
  | "Inside the re-run band"
  | "Too little to tell"
  /** Two numbers without an interval. */
  | "No interval";

/** Words of the delta report's verdicts. A gain that was measured once is a gain of these tasks. */
const WORDS: Readonly<Record<string, HeldOutWord>> = {
  moved: "Better",
  moved_unreplicated: "Better",
  moved_the_wrong_way: "Worse",
  no_change_detected: "About the same",
  within_eval_noise: "Inside the re-run band",
  insufficient_data: "Too little to tell",
  target_not_measured: "Too little to tell",
  unresolved: "Too little to tell",
};

/** What a run's summary says of the held-out set before and after; null where it says nothing. */
export function heldOut(summary: WireObject | null | undefined): HeldOut | null {
  if (summary === null || summary === undefined) return null;
  const block = objectIn(summary, "holdout");
  const delta = passDelta(summary);
  const before = sideOf(block, "before") ?? bare(numberIn(summary, "holdoutPassBefore"), 100);
  const after = sideOf(block, "after") ?? bare(numberIn(summary, "holdoutPassAfter"), 100);
  if (before === null && after === null) return lossOf(summary);
  const change = delta ?? changeOf(before, after);
  const verdict = (block === null ? null : textIn(block, "verdict")) ?? deltaVerdict(summary);
  return {
    metric: "pass",
    before,
    after,
    change,
    word: (verdict === null ? undefined : WORDS[verdict]) ?? wordOf(change),
    note: block === null ? null : textIn(block, "note"),
  };
}

function sideOf(block: WireObject | null, name: "before" | "after"): HeldOutSide | null {
  const side = block === null ? null : objectIn(block, name);
  const pass = side === null ? null : numberIn(side, "pass");
  if (side === null || pass === null) return null;
  const [low = null, high = null] = listIn(side, "ci95").map((end) => (typeof end === "number" ? 100 * end : null));
  return { value: 100 * pass, low, high, tasks: numberIn(side, "n_tasks"), k: numberIn(side, "k") };
}

function bare(value: number | null, scale: number): HeldOutSide | null {
  return value === null ? null : { value: scale * value, low: null, high: null, tasks: null, k: null };
}

function lossOf(summary: WireObject): HeldOut | null {
  const before = bare(numberIn(summary, "holdoutLossBefore"), 1);
  const after = bare(numberIn(summary, "holdoutLossAfter"), 1);
  if (before === null && after === null) return null;
  return { metric: "loss", before, after, change: changeOf(before, after), word: "No interval", note: null };
}

function changeOf(before: HeldOutSide | null, after: HeldOutSide | null): HeldOut["change"] {
  return before === null || after === null ? null : { value: after.value - before.value, low: null, high: null };
}

/** The paired change of pass@1 with its interval, in points, where a delta report is there. */
function passDelta(summary: WireObject): HeldOut["change"] {
  const metric = objectIn(objectIn(objectIn(summary, "delta") ?? {}, "metrics") ?? {}, "pass_at_1");
  const value = metric === null ? null : numberIn(metric, "delta");
  if (metric === null || value === null) return null;
  const [low = null, high = null] = listIn(metric, "ci95").map((end) => (typeof end === "number" ? 100 * end : null));
  return { value: 100 * value, low, high };
}

function deltaVerdict(summary: WireObject): string | null {
  const delta = objectIn(summary, "delta");
  return delta !== null && delta.target === "pass_at_1" ? textIn(delta, "target_verdict") : null;
}

function wordOf(change: HeldOut["change"]): HeldOutWord {
  if (change === null || change.low === null || change.high === null) return "No interval";
  return change.low > 0 ? "Better" : change.high < 0 ? "Worse" : "About the same";
}
