import { compareCodePoints, normText, type Row, textOf } from "@while/schema";

/** How much of an evaluation set a scored file holds, by the prompts. */
export interface EvalCoverage {
  /** Different prompts of the set, upper case and blanks aside. */
  evalSet: number;
  covered: number;
  nMissing: number;
  /** Prompts that no scored row has, sorted, the first 20. */
  missing: string[];
}

const SHOWN_MISSING = 20;

/** @param evalSet Prompts, or rows with prompts */
export function evalCoverageOf(rows: readonly Row[], evalSet: readonly (string | Row)[]): EvalCoverage {
  const scored = new Set(rows.map(({ prompt }) => normText(textOf(prompt))));
  const wanted = new Set(evalSet.map((item) => normText(typeof item === "string" ? item : textOf(item.prompt))));
  wanted.delete("");
  const missing = [...wanted].filter((prompt) => !scored.has(prompt)).sort(compareCodePoints);
  return {
    evalSet: wanted.size,
    covered: wanted.size - missing.length,
    nMissing: missing.length,
    missing: missing.slice(0, SHOWN_MISSING),
  };
}
