import { isObject } from "@while/schema";
import type { MarkerRules } from "../markers/marker-rules.ts";

/** Statuses that say that a call did not do its work. */
export const FAIL_STATUSES: readonly string[] = [
  "error",
  "failed",
  "failure",
  "timeout",
  "permission_denied",
  "denied",
  "not_found",
  "rejected",
  "unknown_tool",
];

const OPENS_WITH_FAILURE = /^\s*(?:error|traceback|failed|denied|timeout|exception)(?![\p{L}\p{N}_])/iu;

/** A line of its own in which a tool tells how the command ended. */
const EXIT_LINE =
  /^\W*(?:\[?(?:the )?(?:command|process|script)?:? ?(?:finished|exited|completed|failed|returned)? ?(?:with )?)?(?:an? )?(?:exit(?:ed)?(?: with)? (?:code|status)|exit_?code|return ?code)\W{0,3}(-?\d+)\W*$/i;
/** Lines at either end of an answer among which the exit line is looked for: a file that is shown may hold one. */
const EXIT_LINES = 3;

/**
 * Whether a step failed, by its own word, the status or exit code of its result, or how its text opens. v2 also reads
 * results that are JSON text and exit marks in text, and takes `{"code": 200}` for the success that it is.
 */
export function stepFailed(
  step: Readonly<Record<string, unknown>>,
  { rules = "v2" }: { rules?: MarkerRules } = {},
): boolean {
  if (step.failed === true || isTruthy(step.error)) return true;
  if (rules === "v2" && (step.ok === false || step.is_error === true || step.isError === true)) return true;
  const result = step.result ?? step.output;
  if (isObject(result)) return objectFailed(result, rules);
  if (typeof result !== "string") return false;
  return rules === "v1" ? OPENS_WITH_FAILURE.test(result) : textFailed(result);
}

function objectFailed(result: Readonly<Record<string, unknown>>, rules: MarkerRules): boolean {
  if (FAIL_STATUSES.includes(String(result.status ?? "").toLowerCase()) || isTruthy(result.error)) return true;
  if (rules === "v2" && (result.is_error === true || result.isError === true || result.success === false)) return true;
  const key = ["exit_code", "returncode", "code", ...(rules === "v2" ? ["exitCode"] : [])].find((key) =>
    Object.hasOwn(result, key),
  );
  if (key === undefined) {
    if (rules === "v1") return false;
    const text = result.output ?? result.content ?? result.text;
    return typeof text === "string" && textFailed(text);
  }
  const code = result[key];
  if (typeof code !== "number" || !Number.isInteger(code) || code === 0) return false;
  if (rules === "v1") return true;
  if (key === "code" && code >= 100 && code < 400) return false;
  return !(code === -1 && /running|in progress/i.test(JSON.stringify(result)));
}

function textFailed(result: string): boolean {
  const text = observed(result);
  if (/^\s*\{/.test(text)) {
    const parsed = jsonObject(text);
    if (parsed !== null) return objectFailed(parsed, "v2");
  }
  const marked = exitCodeOf(text);
  if (marked !== null) return marked !== 0 && !(marked === -1 && /still running/i.test(text));
  return OPENS_WITH_FAILURE.test(text);
}

/** The exit code that an answer states; null where it states none. */
function exitCodeOf(result: string): number | null {
  const tag = /<return_?code>\s*(-?\d+)\s*<\/return_?code>|\[Command finished with exit code (-?\d+)\]/i.exec(result);
  if (tag !== null) return Number(tag[1] ?? tag[2]);
  const lines = result.trim().split(/\r?\n/);
  const ends = lines.length <= 2 * EXIT_LINES ? lines : [...lines.slice(0, EXIT_LINES), ...lines.slice(-EXIT_LINES)];
  for (const line of ends) {
    const code = line.length > 120 ? null : EXIT_LINE.exec(line);
    if (code !== null) return Number(code[1]);
  }
  return null;
}

/** Without the word that some harnesses put in front of every answer. */
export function observed(result: string): string {
  return result.replace(/^\s*(?:OBSERVATION|Observation|EXECUTION RESULT of \[[^\]]*\]):\s*/, "");
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // The tool's own words in braces.
  }
}

/** As Python sees it: an empty text, list or object is no error. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}
