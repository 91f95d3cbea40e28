import type { ExportReport } from "@while/export";
import { type Html, html } from "@while/stats";
import type { SampleMessage } from "../run-report.ts";
import { definitions, section, sentences } from "./section.ts";

/** What the exporter wrote, what the trainer takes loss on, and one row as the trainer reads it. */
export function exportSection(report: ExportReport, sample: readonly SampleMessage[]): Html {
  const { n, format, path, trainedMessages, maskedMessages, maskMode, withSystem, withTools, rewards, requires } =
    report;
  const { checked, invalid } = report.toolCallRoundtrip;
  return section({
    id: "export",
    head: "What does the trainer read?",
    note: html`<p>What the file makes the trainer do, not what was wished.</p>`,
    body: [
      definitions([
        ["file", html`<code>${path ?? "not written"}</code>`],
        ["rows", `${n} ${format} rows: ${rewards.nPass} pass, ${rewards.nFail} fail, ${rewards.nUngraded} ungraded`],
        ["trains", `${trainedMessages} messages, ${maskedMessages} masked: ${maskMode}`],
        ["rules, tools", `system prompt on ${withSystem} of ${n} rows, tool schemas on ${withTools}`],
        ["tool calls", `${checked} checked, ${invalid} do not read back`],
        ["privileged text", report.privilegedLeaks.summary],
        ...requires.map(({ setting, value, why }) => [`set ${setting}`, `${value}: ${why}`] as const),
      ]),
      sentences(
        report.warnings.filter(({ code }) => code !== "requires").map(({ text }) => text),
        { warn: true },
      ),
      sample.length === 0 ? null : sampleTable(sample),
    ],
  });
}

function sampleTable(sample: readonly SampleMessage[]): Html {
  const rows = sample.map(
    ({ role, text, trained }) =>
      html`<tr class="${trained ? "trained" : "context"}"><th scope="row">${role}</th><td class="said">${text}</td><td>${trained ? html`<b>loss</b>` : "context"}</td></tr>`,
  );
  return html`<table class="sample"><caption>The first row of the file. The trainer learns to write what is marked loss.</caption><thead><tr><th scope="col">role</th><th scope="col">message</th><th scope="col">trains</th></tr></thead><tbody>${rows}</tbody></table>`;
}
