import { type Finding, type FindingMark, html, htmlFindings, type PageSection } from "@while/stats";
import type { GateOutcome, RunGate } from "../run-gate.ts";

const MARKS: Readonly<Record<GateOutcome, FindingMark>> = {
  holds: "passes",
  fails: "fails",
  open: "open",
  warns: "warning",
  skipped: "open",
};

/** Every question that was asked, its answer, and what to do about it. */
export function gatesSection(gates: readonly RunGate[]): PageSection {
  return {
    id: "gates",
    head: "What was asked",
    note: html`<p>A tick holds, a cross fails, a dash cannot tell or was not asked. The worst of them is the verdict and the exit code.</p>`,
    body: htmlFindings(gates.map(finding)),
  };
}

function finding({ verb, question, outcome, text, next }: RunGate): Finding {
  return {
    mark: MARKS[outcome],
    text: html`<b>${question}</b> ${text}`,
    code: verb,
    // Also without one, so that all rows are as wide.
    todo: next === null ? "" : html`<code>${next}</code>`,
  };
}
