import { formatCensus } from "@while/schema";
import { formatPassAt } from "@while/stats";
import type { GateOutcome } from "./run-gate.ts";
import type { RunReport } from "./run-report.ts";
import { leadSentence, mixedSentence, VERDICT_WORDS } from "./run-words.ts";

/** What a gate says, as a word of one column. */
const OUTCOME_WORDS: Readonly<Record<GateOutcome, string>> = {
  holds: "holds",
  fails: "FAILS",
  open: "cannot tell",
  warns: "warning",
  skipped: "not asked",
};

/** The run as one page of a terminal: the verdict, each gate with what to do, the numbers, the files. */
export function formatRun(report: RunReport): string {
  const { verdict, gates, census, passAt, directory, files } = report;
  const mixed = mixedSentence(report);
  const shown = files.filter(({ name }) => !name.endsWith(".json"));
  const width = Math.max(...shown.map(({ name }) => name.length));
  const verbWidth = Math.max(...gates.map(({ verb }) => verb.length));
  const indent = " ".repeat(verbWidth + 17);
  const parts = [
    `${VERDICT_WORDS[verdict]}. ${leadSentence(report)}`,
    gates
      .flatMap(({ verb, outcome, text, next }) => [
        `  ${OUTCOME_WORDS[outcome].padEnd(11)}  ${verb.padEnd(verbWidth)}  ${text}`,
        ...(next === null ? [] : [`${indent}${next}`]),
      ])
      .join("\n"),
    [formatPassAt(passAt), ...(mixed === null ? [] : [`  warning: ${mixed}`])].join("\n"),
    // Without its table of fields, which is on the page.
    formatCensus(census).split("\n\n")[0]!,
    [
      `files in ${directory}`,
      ...shown.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
      "  and each report as JSON",
    ].join("\n"),
  ];
  return parts.join("\n\n");
}
