import { wordDraw } from "../draw.ts";

/** A step that no list of ids is likely to be a multiple of, so that the next round names another. */
const ROUND_STEP = 17;

/**
 * The id that a prompt of this situation names: one that the tools' descriptions know, else a made-up one,
 * `ORD-7193`. The same in the Python SDK.
 */
export function referenceId(scenarioId: string, known: readonly string[], round: number, prefix: string): string {
  const draw = wordDraw(scenarioId) + ROUND_STEP * round;
  return known.length > 0 ? known[draw % known.length]! : `${prefix}-${1000 + (draw % 9000)}`;
}
