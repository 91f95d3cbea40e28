import { formatFixed, formatInterval } from "@while/schema";
import type { GateReport, RlReport, SftReport } from "@while/select";
import { type HtmlContent, html, htmlTable, type PageSection } from "@while/stats";
import { factsTable } from "./facts-table.ts";
import { said } from "./said.ts";

/** Which rows were kept to train on, for what reason each other one was not, and what the publish gate minds. */
export function selectionSection(report: RlReport | SftReport, gate: GateReport | null): PageSection {
  const { n, nSelected } = report;
  const dropped = Object.entries(report.dropped).filter(([, rows]) => rows > 0);
  return {
    id: "selection",
    head: "What would training on them teach?",
    note:
      report.mode === "rl"
        ? "A task teaches where some attempts pass and others fail. Every row is kept or dropped once, for one reason."
        : "One passing reply a prompt, to imitate. Every row is kept or dropped once, for one reason.",
    body: [
      htmlTable({
        columns: [{ head: `of ${n} rows` }, { head: "rows", numeric: true }],
        rows: [
          [html`<b>kept</b>`, html`<b>${nSelected}</b>`],
          ...dropped.map(([reason, rows]) => [reason.replaceAll("_", " "), String(rows)]),
        ],
      }),
      factsTable(report.mode === "rl" ? rlFacts(report) : sftFacts(report)),
      said([...remarks(report), ...(gate?.warnings ?? [])]),
    ],
  };
}

const NOT_MEASURED = html`<span class="none">not measured</span>`;

function rlFacts({ nTasks, signal, band, faultKinds, order, target }: RlReport): [string, HtmlContent][] {
  const kinds = Array.from(faultKinds, ([kind, tasks]) => `${kind} ${tasks}`).join(", ");
  return [
    ["tasks with signal", `${signal.nMixed} of ${nTasks}`],
    ["in the band", `${signal.nInBand}, pass rates in ${formatInterval(band)}`],
    ["pass@1 of the kept", signal.passAt1 === null ? NOT_MEASURED : formatFixed(signal.passAt1, 2)],
    ["faults in their tasks", kinds === "" ? NOT_MEASURED : kinds],
    ["order", `${order}, up to ${target} rows`],
  ];
}

function sftFacts({
  selection,
  nEligible,
  behaviorsCovered,
  uniqueBehaviors,
  minReward,
  target,
}: SftReport): [string, HtmlContent][] {
  return [
    ["rule", `${selection}, reward ${minReward} or more, up to ${target} rows`],
    ["eligible", `${nEligible} rows`],
    ["ways of being right", `${behaviorsCovered} of ${uniqueBehaviors}`],
  ];
}

function remarks(report: RlReport | SftReport): string[] {
  const texts = report.mode === "rl" ? [report.warning, ...report.hygieneWarnings] : [report.warning, report.note];
  return texts.filter((text) => text !== null);
}
