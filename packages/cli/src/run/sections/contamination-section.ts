import { html, htmlTable, type PageSection } from "@while/stats";
import type { DecontaminationReport } from "@while/trust";
import { factsTable } from "./facts-table.ts";
import { said } from "./said.ts";

/** Rows that a named evaluation already holds, by the rule that found them; nothing when none was named. */
export function contaminationSection(report: DecontaminationReport | null): PageSection | null {
  if (report === null) return null;
  const { n, nContaminated, nEvalRows, examples, warnings, rulesSkipped } = report;
  const counts: [string, string][] = [
    ["rows", `${n}, against ${nEvalRows} of the evaluation`],
    ["found, and not trained on", `${nContaminated}`],
    ["by task id", rulesSkipped.get("same_task") ?? `${report.nSameTask}`],
    ["word for word", `${report.nExact}`],
    ["nearly", `${report.nNear}`],
    ["holding a whole text of it", `${report.nContains}`],
    ["listed as related, and kept", `${report.nRelated}`],
  ];
  return {
    id: "contamination",
    head: "Is the evaluation in these rows?",
    note: "What is trained on cannot be measured with. A row counts once, under the first rule that caught it.",
    body: [
      factsTable(counts),
      said(warnings),
      examples.length === 0
        ? null
        : html`<details><summary>The first ${examples.length} rows</summary>${htmlTable({
            columns: [{ head: "row" }, { head: "field", wideOnly: true }, { head: "rule" }, { head: "shared" }],
            rows: examples.map(({ index, field, rule, shared, evalTask }) => [
              String(index),
              field,
              rule.replaceAll("_", " "),
              shared ?? evalTask,
            ]),
          })}</details>`,
    ],
  };
}
