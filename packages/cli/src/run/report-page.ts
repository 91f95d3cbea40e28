import { html, htmlPage, type PageSection } from "@while/stats";
import { formatRun } from "./format-run.ts";
import type { RunGate } from "./run-gate.ts";
import type { RunReport } from "./run-report.ts";
import { leadSentence, mixedSentence, VERDICT_WORDS } from "./run-words.ts";
import { censusSection } from "./sections/census-section.ts";
import { contaminationSection } from "./sections/contamination-section.ts";
import { exportSection } from "./sections/export-section.ts";
import { filesSection } from "./sections/files-section.ts";
import { gatesSection } from "./sections/gates-section.ts";
import { hacksSection } from "./sections/hacks-section.ts";
import { markersSection } from "./sections/markers-section.ts";
import { passSection } from "./sections/pass-section.ts";
import { selectionSection } from "./sections/selection-section.ts";
import { tracesSection } from "./sections/traces-section.ts";
import { trustSection } from "./sections/trust-section.ts";

/**
 * The run as one page that needs nothing else: no script, no font, no request. The first sentence answers, the gates
 * say why; what follows is evidence, in the order of the loop.
 */
export function reportPage(report: RunReport): string {
  const { verdict, sources, command, passAt, gates } = report;
  const about = sources.join(", ");
  const sections: (PageSection | null)[] = [
    gatesSection(gates),
    passSection(passAt, mixedSentence(report)),
    censusSection(report.census),
    trustSection(report.judgeTrust),
    tracesSection(report.traces),
    markersSection(report.markers),
    contaminationSection(report.decontamination),
    hacksSection(report.hackScan),
    selectionSection(report.selection, report.gate),
    report.export === null ? null : exportSection(report.export, report.sample),
    filesSection(report.files, formatRun(report)),
  ];
  return htmlPage({
    title: `${VERDICT_WORDS[verdict]}: run of ${about}`,
    kind: "run",
    about,
    verdict: {
      word: VERDICT_WORDS[verdict],
      tone: verdict === "holds" ? "good" : verdict === "fails" ? "bad" : "plain",
      lead: leadSentence(report),
      facts: facts(gates),
    },
    sections: sections.filter((section) => section !== null),
    foot: [html`<code>${command}</code>`, `${passAt.inference} intervals`],
  });
}

/** Which gates fail, cannot tell, warn or were not asked, and how many hold. */
function facts(gates: readonly RunGate[]): string[] {
  const verbs = (outcome: RunGate["outcome"]) =>
    gates.filter((gate) => gate.outcome === outcome).map(({ verb }) => verb);
  const named = ([outcome, word]: readonly [RunGate["outcome"], string]) => {
    const of = verbs(outcome);
    return of.length === 0 ? [] : [`${word}: ${of.join(", ")}`];
  };
  const words = [
    ["fails", "fails"],
    ["open", "cannot tell"],
    ["warns", "warns"],
    ["skipped", "not asked"],
  ] as const;
  return [...words.flatMap(named), `${verbs("holds").length} of ${gates.length} hold`];
}
