import { StatsError } from "../stats-error.ts";

export interface PowerOptions {
  /** Chance to find the effect when it is there. */
  power?: number;
  /** Chance to find one that is not there, both directions together. */
  alpha?: number;
}

/** @throws StatsError `bad_probability` unless both are shares strictly between 0 and 1 */
export function checkPower({ power, alpha }: Required<PowerOptions>): void {
  for (const [name, value] of Object.entries({ power, alpha })) {
    if (value > 0 && value < 1) continue;
    throw new StatsError("bad_probability", `${name} is ${value}.`, "Pass a share between 0 and 1.");
  }
}

/** @throws StatsError `bad_effect` unless it is a gain strictly between 0 and 1 */
export function checkEffect(effect: number): void {
  if (effect > 0 && effect < 1) return;
  throw new StatsError("bad_effect", `The effect is ${effect}.`, "Pass a gain between 0 and 1, 0.05 for five points.");
}
