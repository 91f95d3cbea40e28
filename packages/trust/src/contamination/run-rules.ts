import type { Settings } from "./options.ts";
import type { GramMatch } from "./text-matcher.ts";

/** Of an evaluation text's words that are no template's, what a row has to hold to be more than the template. */
const MIN_OWN_SHARE = 0.5;

/** Whether one evaluation text covers enough of the row's words. */
export function isNear({ text, covered, nTokens }: GramMatch, { near, overlap }: Settings): boolean {
  return near && text >= 0 && (covered / nTokens >= overlap || (overlap === 0 && covered > 0));
}

/** Whether enough of one evaluation text lies in the row. */
export function isContained(
  { contained, containedShare }: GramMatch,
  { contains, evalOverlap, isEvalOverlapStrict }: Settings,
): boolean {
  if (contains === "off" || contained < 0) return false;
  return isEvalOverlapStrict ? containedShare > evalOverlap : containedShare >= evalOverlap;
}

/** The rule by shared runs that catches a text; null for none, and for what is a template's. */
export function ruleOfRuns(found: GramMatch | null, settings: Settings): "near" | "contains" | null {
  if (found === null) return null;
  if (isNear(found, settings) && found.ownShare >= MIN_OWN_SHARE) return "near";
  return isContained(found, settings) && found.containedOwnShare >= MIN_OWN_SHARE ? "contains" : null;
}
