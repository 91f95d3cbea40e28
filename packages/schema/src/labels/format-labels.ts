import type { LabelReport } from "./attach-labels.ts";

/** What became of the labels in one line, then what was remarkable about them. */
export function formatLabels({
  labels,
  matched,
  rowsLabeled,
  annotators,
  warnings,
}: Omit<LabelReport, "ties">): string {
  const by = annotators.length === 0 ? "" : ` by ${annotators.join(", ")}`;
  const found = `${matched} of ${labels} ${labels === 1 ? "label" : "labels"}`;
  const head = `${found} on ${rowsLabeled} ${rowsLabeled === 1 ? "row" : "rows"}${by}`;
  return [head, ...warnings.map(({ text }) => `  ! ${text}`)].join("\n");
}
