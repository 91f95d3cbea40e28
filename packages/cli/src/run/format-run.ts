import { formatExportReport } from "@while/export";
import { formatCensus } from "@while/schema";
import { formatSelection } from "@while/select";
import { formatMarkerSummary, formatPassAt } from "@while/stats";
import type { RunReport } from "./run-report.ts";
import { leadSentence, mixedSentence, notChecked, VERDICT_WORDS } from "./run-words.ts";

/** The run as one page of a terminal: the verdict, then the reports in the order of the loop, then the files. */
export function formatRun(report: RunReport): string {
  const { verdict, census, passAt, markers, selection, directory, files } = report;
  const mixed = mixedSentence(report);
  const shown = files.filter(({ name }) => !name.endsWith(".json"));
  const width = Math.max(...shown.map(({ name }) => name.length));
  const parts = [
    `${VERDICT_WORDS[verdict]}. ${leadSentence(report)}`,
    [formatPassAt(passAt), ...(mixed === null ? [] : [`  warning: ${mixed}`])].join("\n"),
    // Without its table of fields, which is on the page.
    formatCensus(census).split("\n\n")[0]!,
    ...(markers.size === 0 ? [] : [formatMarkerSummary(markers)]),
    formatSelection(selection),
    ...(report.export === null ? [] : [formatExportReport(report.export)]),
    ["not checked", ...notChecked(report).map((text) => `  - ${text}`)].join("\n"),
    [
      `files in ${directory}`,
      ...shown.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
      "  and each report above as JSON",
    ].join("\n"),
  ];
  return parts.join("\n\n");
}
