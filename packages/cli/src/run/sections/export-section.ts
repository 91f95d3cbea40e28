import type { ExportReport } from "@while/export";
import { type Html, html, htmlTable, type PageSection } from "@while/stats";
import type { SampleMessage } from "../run-report.ts";
import { factsTable } from "./facts-table.ts";
import { said } from "./said.ts";

/** What the exporter wrote, what the trainer takes loss on, and one row as the trainer reads it. */
export function exportSection(report: ExportReport, sample: readonly SampleMessage[]): PageSection {
  const { n, format, path, trainedMessages, maskedMessages, maskMode, withSystem, withTools, rewards, requires } =
    report;
  const { checked, invalid } = report.toolCallRoundtrip;
  return {
    id: "export",
    head: "What does the trainer read?",
    note: "What the file makes the trainer do, not what was wished.",
    body: [
      factsTable([
        ["file", html`<code>${path ?? "not written"}</code>`],
        ["rows", `${n} ${format} rows: ${rewards.nPass} pass, ${rewards.nFail} fail, ${rewards.nUngraded} ungraded`],
        ["trains", `${trainedMessages} messages, ${maskedMessages} masked: ${maskMode}`],
        ["rules, tools", `system prompt on ${withSystem} of ${n} rows, tool schemas on ${withTools}`],
        ["tool calls", `${checked} checked, ${invalid} do not read back`],
        ["privileged text", report.privilegedLeaks.summary],
        ...requires.map(({ setting, value, why }) => [`set ${setting}`, `${value}: ${why}`] as const),
      ]),
      said(report.warnings.filter(({ code }) => code !== "requires").map(({ text }) => text)),
      sample.length === 0 ? null : sampleTable(sample),
    ],
  };
}

function sampleTable(sample: readonly SampleMessage[]): Html {
  const table = htmlTable({
    columns: [{ head: "role" }, { head: "message" }, { head: "trains" }],
    rows: sample.map(({ role, text, trained }) => [role, text, trained ? html`<b>loss</b>` : "context"]),
    caption: "The trainer learns to write what is marked loss.",
  });
  return html`<details><summary>The first row of the file</summary>${table}</details>`;
}
