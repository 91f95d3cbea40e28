import { type Row, VERDICT_KEYS } from "@while/schema";

/** A copy of a row without what an earlier grading wrote, so that whoever is asked next does not see it. */
export function withoutVerdict(row: Row): Row {
  const bare: Row = { ...row };
  for (const key of VERDICT_KEYS) delete bare[key];
  return bare;
}
