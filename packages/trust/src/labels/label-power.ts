import { binomialCdf, wilsonInterval } from "@while/stats";
import { TrustError } from "../trust-error.ts";

export interface LabelPowerInput {
  /** What the judge is believed to agree in; of one class, its rate of right verdicts there. */
  agreement: number;
  /** The floor for the lower bound. */
  floor: number;
  /** The most labels that are asked about. */
  upTo: number;
}

/**
 * The chance that a judge which agrees this often clears the floor, by number of labels: the curve on which `labelBudget` finds its number.
 * A saw, since at the next label one more may have to agree. Exact binomial, Wilson's lower bound.
 *
 * @returns The chance with one label, with two, up to `upTo`
 * @throws TrustError `bad_option`
 */
export function labelPower({ agreement, floor, upTo }: LabelPowerInput): [labels: number, chance: number][] {
  for (const [name, value] of Object.entries({ agreement, floor })) {
    if (value >= 0 && value <= 1) continue;
    throw new TrustError("bad_option", `labelPower got ${name} ${value}.`, "Pass a share between 0 and 1.");
  }
  if (!(Number.isSafeInteger(upTo) && upTo >= 1)) {
    throw new TrustError("bad_option", `labelPower got upTo ${upTo}.`, "Pass a whole number from 1 up.");
  }
  const curve: [number, number][] = [];
  let needed = 0;
  for (let n = 1; n <= upTo; n++) {
    needed = labelsToAgree(n, floor, needed);
    const chance = needed > n ? 0 : needed === 0 ? 1 : 1 - binomialCdf(needed - 1, n, agreement);
    curve.push([n, chance]);
  }
  return curve;
}

/** Of n labels, how many have to agree; more than n where none would do. `from` is what fewer labels needed. */
export function labelsToAgree(n: number, floor: number, from = 0): number {
  let needed = from;
  while (needed <= n && wilsonInterval(needed, n)![0] < floor) needed++;
  return needed;
}
