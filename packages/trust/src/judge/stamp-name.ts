import type { Judge } from "./judge.ts";

/** What a function without a name is called on rows; the Python SDK's word, so that both find each other's verdicts. */
const ANONYMOUS = "lambda_judge";

/** Names that a function gets from where it stands, and not from who wrote it. */
const NO_NAMES: readonly string[] = ["", "default", "anonymous"];

/**
 * The name that a judge's verdicts carry as `judge_name`: the one asked for, else what the judge says of itself, else
 * its function's name. (The Python SDK looks at the function's name before the judge's own word; here every judge is a
 * function, and has a name whether or not somebody chose it.)
 */
export function stampName(judge: Judge, judgeName?: string): string {
  const own = judgeName || judge.judgeName;
  if (own) return own;
  const name = judge.name.replace(/^(bound )+/, "");
  return NO_NAMES.includes(name) ? ANONYMOUS : name;
}
