import { codePointLength, cutCodePoints, type Step } from "@while/schema";

/** Characters of an answer that a row keeps: a program reads whole files. */
const MOST_CHARS = 2000;

/** The step with an answer that is cut at its end where it is long, and says so. */
export function cutResult(step: Step): Step {
  const { result } = step;
  if (typeof result !== "string") return step;
  const chars = codePointLength(result);
  if (chars <= MOST_CHARS) return step;
  return { ...step, result: cutCodePoints(result, MOST_CHARS), result_truncated: true, result_chars: chars };
}
