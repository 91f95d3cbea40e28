import type { JudgeFinding } from "../agreement/finding.ts";

/** What was learned by calling the judge. */
export interface JudgedParts {
  /** What the judge stamps on rows; null where none was called. */
  judgeName: string | null;
}

export const NOTHING_JUDGED: JudgedParts = { judgeName: null };

/** What calling the judge again showed. */
export function judgedFindings(_judged: JudgedParts): JudgeFinding[] {
  return [];
}
