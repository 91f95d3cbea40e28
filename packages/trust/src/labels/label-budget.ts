import { binomialCdf, POWER, wilsonInterval } from "@while/stats";
import { LABEL_SEARCH_MAX, MAX_GOLD_ASK, MIN_AGREEMENT } from "../agreement/thresholds.ts";
import { TrustError } from "../trust-error.ts";
import { labelsToAgree } from "./label-power.ts";

export interface LabelBudgetInput {
  /** What the judge is believed to agree in; of one class, its rate of right verdicts there. */
  agreement: number;
  /** The floor for the lower bound. */
  floor?: number;
  /** Chance of clearing the floor that the labels are to have. */
  power?: number;
  /** Where the search ends. */
  maxLabels?: number;
}

export interface LabelBudget {
  /** Labels from which on the power is reached; null when no number up to `maxLabels` does. */
  n: number | null;
  /** Of those, how many have to agree. */
  minAgreeing: number | null;
  agreement: number;
  floor: number;
  power: number;
}

/** More labels than this nobody gives. */
const MOST_LABELS = 10_000;
/** The power is a saw: at the next label one more may have to agree. It has to hold at the next five as well. */
const SAW_TEETH = 5;

/**
 * How many labels let a judge that agrees this often clear the floor, with Wilson's lower bound, by exact binomial. A
 * plan by the point alone ("at 54 of 60 it would clear") clears in half of all tries.
 *
 * Over both classes of gold at once it is about agreement; for the right passes and the right fails ask for each, and
 * count its rows alone.
 *
 * @throws TrustError `bad_option` outside 0 to 1
 */
export function labelBudget({
  agreement,
  floor = MIN_AGREEMENT,
  power = POWER,
  maxLabels = MOST_LABELS,
}: LabelBudgetInput): LabelBudget {
  for (const [name, value] of Object.entries({ agreement, floor, power })) {
    if (value >= 0 && value <= 1) continue;
    throw new TrustError("bad_option", `labelBudget got ${name} ${value}.`, "Pass a share between 0 and 1.");
  }
  const budget = { agreement, floor, power };
  if (agreement <= floor) return { n: null, minAgreeing: null, ...budget };
  let needed = 0;
  let first: { n: number; minAgreeing: number } | null = null;
  for (let n = 1; n <= maxLabels; n++) {
    needed = labelsToAgree(n, floor, needed);
    const reached = needed <= n && (needed === 0 || 1 - binomialCdf(needed - 1, n, agreement) >= power);
    if (!reached) first = null;
    else first ??= { n, minAgreeing: needed };
    if (first !== null && n >= first.n + SAW_TEETH) return { ...first, ...budget };
  }
  return { n: null, minAgreeing: null, ...budget };
}

/**
 * Labels at which this very share of agreement would clear the floor: the plan of the Python SDK, which holds in half of
 * all tries. Null where no number up to a thousand does, so that the judge has to change and not the sample.
 */
export function labelsAtThisShare(agreement: number, n: number, floor: number): number | null {
  for (let need = n; need < LABEL_SEARCH_MAX; need++) {
    if (wilsonInterval(Math.round(agreement * need), need)![0] >= floor) return need;
  }
  return null;
}

/** Whether more labels are the answer, and not another judge. */
export function isShortSample(need: number | null): need is number {
  return need !== null && need <= MAX_GOLD_ASK;
}
