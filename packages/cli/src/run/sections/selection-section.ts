import { formatFixed, formatInterval } from "@while/schema";
import type { RlReport, SftReport } from "@while/select";
import { type Html, html } from "@while/stats";
import { countStrip } from "../interval-strip.ts";
import { definitions, notMeasured, section, sentences } from "./section.ts";

/** Which rows were kept to train on, and for what reason each other one was not. */
export function selectionSection(report: RlReport | SftReport): Html {
  const { n, nSelected } = report;
  const dropped = Object.entries(report.dropped).filter(([, rows]) => rows > 0);
  const most = Math.max(nSelected, ...dropped.map(([, rows]) => rows));
  const row = (name: Html | string, rows: number): Html =>
    html`<tr><th scope="row">${name}</th><td class="wide">${countStrip(rows, most)}</td><td class="num">${rows}</td></tr>`;
  return section({
    id: "selection",
    head: "What would training on it teach?",
    note:
      report.mode === "rl"
        ? html`<p>A task teaches where some attempts pass and others fail. Every row is kept or dropped once, for one reason.</p>`
        : html`<p>One passing reply a prompt, to imitate. Every row is kept or dropped once, for one reason.</p>`,
    body: [
      html`<table class="forest"><thead><tr><th scope="col">of ${n} rows</th><th scope="col" class="wide"></th><th scope="col" class="num">rows</th></tr></thead><tbody>${row(html`<b>kept</b>`, nSelected)}${dropped.map(([reason, rows]) => row(reason.replaceAll("_", " "), rows))}</tbody></table>`,
      report.mode === "rl" ? rlFacts(report) : sftFacts(report),
      sentences(remarks(report), { warn: true }),
    ],
  });
}

function rlFacts({ nTasks, signal, band, faultKinds, order, target, calibration: _ }: RlReport): Html {
  const kinds = Array.from(faultKinds, ([kind, tasks]) => `${kind} ${tasks}`).join(", ");
  return definitions([
    ["tasks with signal", `${signal.nMixed} of ${nTasks}`],
    ["in the band", `${signal.nInBand}, pass rates in ${formatInterval(band)}`],
    ["pass@1 of the kept", signal.passAt1 === null ? notMeasured : formatFixed(signal.passAt1, 2)],
    ["faults in their tasks", kinds === "" ? notMeasured : kinds],
    ["order", `${order}, up to ${target} rows`],
  ]);
}

function sftFacts({ selection, nEligible, behaviorsCovered, uniqueBehaviors, minReward, target }: SftReport): Html {
  return definitions([
    ["rule", `${selection}, reward ${minReward} or more, up to ${target} rows`],
    ["eligible", `${nEligible} rows`],
    ["ways of being right", `${behaviorsCovered} of ${uniqueBehaviors}`],
  ]);
}

function remarks(report: RlReport | SftReport): string[] {
  const said = report.mode === "rl" ? [report.warning, ...report.hygieneWarnings] : [report.warning, report.note];
  return said.filter((text) => text !== null);
}
