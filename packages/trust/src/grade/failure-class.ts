import { type Row, textOf } from "@while/schema";
import { conductGrade } from "../rule-graders/conduct-grade.ts";

/**
 * A failed row with the kind of its failure, as a new object: what the verdict said, else the rule of conduct that fires on
 * the row. A row that breaks none keeps no class: a model's reason for it is prose, and prose cannot be counted.
 *
 * @param tools Schemas or names of the agent's tools; those of the row when left out
 */
export function withFailureClass(row: Row, tools?: readonly unknown[]): Row {
  if (row.reward !== 0 || textOf(row.failure_class) !== "") return row;
  const { rule } = conductGrade(row, tools === undefined ? {} : { tools });
  return rule === "clean" ? row : { ...row, failure_class: rule };
}
