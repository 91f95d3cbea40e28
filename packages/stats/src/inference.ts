import { StatsError } from "./stats-error.ts";

/**
 * Which rules an interval follows. `strict`, the default: the score interval over tasks where values are
 * shares, the expanded percentile interval where they are not; nothing is drawn, and no interval of a rate is a point.
 * `compat`: the percentile interval of the Python SDK, drawn from its own random stream. Every report says which it used.
 */
export type Inference = "compat" | "strict";

/** @throws StatsError `bad_option` for any other word */
export function checkInference(inference: Inference): void {
  if (inference === "strict" || inference === "compat") return;
  throw new StatsError("bad_option", `inference is ${JSON.stringify(inference)}.`, "Pass strict or compat.");
}
