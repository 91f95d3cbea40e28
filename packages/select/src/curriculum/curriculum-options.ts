import { checkOptions } from "@while/schema";
import { type Band, checkBand, DEFAULT_BAND } from "../groups/trim-out-of-band.ts";
import { numberIn, oneOf, wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";

export const MEMBERSHIPS = ["posterior", "point"] as const;
/**
 * How a task's place is decided. `posterior`: only when the rollouts leave little doubt, in the light of the other
 * tasks. `point`: by the measured rate alone, as the Python SDK does; at 8 rollouts it retires a task of true rate 0.7
 * a quarter of the time.
 */
export type Membership = (typeof MEMBERSHIPS)[number];

export interface CurriculumOptions {
  /** Above this pass rate a task has nothing left to teach. */
  solved?: number;
  /** Below it a task is not ready to be trained on. */
  floor?: number;
  band?: Band;
  /** Parts of the schedule, easy first. */
  tiers?: number;
  /** Labels a rate must rest on. */
  minRollouts?: number;
  membership?: Membership;
  /** Of `posterior`: how sure a task must be solved, or not ready, before it leaves; from 0.5 up. */
  confidence?: number;
  /** Of `posterior`: tasks retired before. One of them comes back only when it is more likely unsolved than solved. */
  retired?: readonly string[];
}

export type CurriculumSettings = Required<CurriculumOptions>;

const NAMES: readonly string[] = [
  "solved",
  "floor",
  "band",
  "tiers",
  "minRollouts",
  "membership",
  "confidence",
  "retired",
];

/** Every option with its default. */
export function curriculumSettings(options: CurriculumOptions): CurriculumSettings {
  checkOptions(options, NAMES, (what, fix) => new SelectError("bad_option", what, fix));
  const { solved = 0.8, floor = 0.2, band = DEFAULT_BAND, tiers = 3, minRollouts = 2 } = options;
  numberIn("solved", solved, 0, 1);
  numberIn("floor", floor, 0, 1);
  if (floor > solved) {
    throw new SelectError("bad_option", `floor is ${floor} and solved ${solved}.`, "Pass a floor below solved.");
  }
  return {
    solved,
    floor,
    band: checkBand(band),
    tiers: wholeNumber("tiers", tiers, 1),
    minRollouts: wholeNumber("minRollouts", minRollouts, 1),
    membership: oneOf("membership", options.membership ?? "posterior", MEMBERSHIPS),
    confidence: numberIn("confidence", options.confidence ?? 0.9, 0.5, 1),
    retired: options.retired ?? [],
  };
}
