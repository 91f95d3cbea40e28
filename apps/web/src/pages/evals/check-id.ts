import type { EvalCheckKey } from "@while/platform-client/contract";

/** Place of a check on the Evals page. A behavior's name has no colon, so that no two places are one. */
export function checkId(behavior: string, check: EvalCheckKey): string {
  return `eval-${behavior}:${check}`;
}
