import { contaminatedLine } from "../eval-filter.ts";
import type { ProbeReport } from "../template/probe-template.ts";
import type { ExportReport } from "./export-report.ts";

/**
 * The report as text: what was written and what trains, then why to hesitate, then what to set in the trainer, then
 * what was changed on the way.
 */
export function formatExportReport(report: ExportReport): string {
  return [headline(report), ...training(report), ...warnings(report), ...requirements(report), ...changes(report)].join(
    "\n",
  );
}

function headline({ n, rowsIn, format, path, noCompletionDropped, unrolled, ...report }: ExportReport): string {
  const nDropped =
    noCompletionDropped +
    (report.alternationDropped ?? 0) +
    (report.evalSourcedDropped ?? 0) +
    (report.contaminated?.n ?? 0);
  const of = unrolled || nDropped > 0 ? ` from ${rowsIn} rows` : "";
  return `export: ${n} ${format} ${n === 1 ? "row" : "rows"}${of}, ${path === null ? "not written" : path}`;
}

function training(report: ExportReport): string[] {
  const {
    trainedMessages,
    maskedMessages,
    withSystem,
    withTools,
    rewards,
    groups,
    n,
    toolCallRoundtrip: calls,
  } = report;
  return [
    `  trains ${trainedMessages} messages, masks ${maskedMessages}: ${report.maskMode}`,
    `  rules on ${withSystem} of ${n} rows, tool schemas on ${withTools}; ${groups} ${groups === 1 ? "group" : "groups"}`,
    `  rewards: ${rewards.nPass} pass, ${rewards.nFail} fail, ${rewards.nUngraded} ungraded`,
    `  tool calls: ${calls.checked} checked as ${calls.encoding}, ${calls.invalid} do not read back`,
    `  ${report.privilegedLeaks.summary}`,
    ...contaminatedLine(report.contaminated),
  ];
}

function warnings({ warnings: all }: ExportReport): string[] {
  return all.filter(({ code }) => code !== "requires").map(({ text }) => `  warning: ${text}`);
}

function requirements({ requires }: ExportReport): string[] {
  return requires.map(({ setting, value, why }) => `  requires ${setting}: ${value} (${why})`);
}

/** Counters whose names are clear to a person who did not read the report's type. */
const CHANGES: readonly [keyof ExportReport, string][] = [
  ["evalSourcedDropped", "rows of scored evals left out"],
  ["trailingMessagesDropped", "messages behind the last trained turn cut"],
  ["toolOutputTruncated", "tool messages cut"],
  ["systemReplaced", "system messages replaced"],
  ["thinkRemoved", "replies had think text removed"],
  ["thinkUnclosed", "of them were cut inside it"],
  ["orphanToolMessages", "tool answers belong to no call"],
  ["unansweredCalls", "calls were never answered"],
  ["emptyAssistantTurns", "empty agent turns not trained"],
  ["turnsHeldOut", "agent turns not trained because their rows say so"],
  ["blockedNamesKept", "tool arguments with a blocked name kept"],
  ["unsafeIntegers", "integers too large for a double: text under an id, rounded elsewhere, kept in tool arguments"],
];

function changes(report: ExportReport): string[] {
  const lines = CHANGES.flatMap(([key, words]) => {
    const n = report[key];
    return typeof n === "number" && n > 0 ? [`  ${n} ${words}`] : [];
  });
  for (const [key, words] of MAPS) {
    const counts = report[key];
    if (counts instanceof Map) lines.push(`  ${words}: ${[...counts].map(([name, n]) => `${name} (${n})`).join(", ")}`);
  }
  if (report.arrow.moved.length > 0) lines.push(`  moved into metadata_json: ${report.arrow.moved.join(", ")}`);
  if (report.probe !== undefined) lines.push(`  ${probed(report.probe)}`);
  if (report.infoPath !== undefined) lines.push(`  listed in ${report.infoPath}`);
  return lines;
}

function probed({
  arguments: spelling,
  prefixPreserved,
  generationBlock,
  rowsRendered,
  rowErrors,
}: ProbeReport): string {
  const parts = [
    `arguments ${spelling}`,
    prefixPreserved ? "turns can be told apart" : "history is rewritten",
    generationBlock ? "marks what the agent said" : "no {% generation %} block",
    `${rowsRendered} rows rendered, ${rowErrors.length} failed`,
  ];
  return `template: ${parts.join(", ")}`;
}

const MAPS: readonly [keyof ExportReport, string][] = [
  ["messageFieldsDropped", "fields of messages left out"],
  ["notCarried", "fields of rows left out"],
];
