import { cutToWidth, displayWidth, formatFixed, formatInterval, padToWidth } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { FileOpinion, HeadlineOpinion, SecondOpinion } from "./second-opinion.ts";

/** Numbers of one file that are listed; the others are counted. */
const MAX_HEADLINES = 12;
const NAME_COLUMNS = 29;
const PATH_COLUMNS = 76;

/** The numbers of the tools beside ours, the verdict in the first line; "" when there is nothing to compare with. */
export function formatSecondOpinion(report: SecondOpinion | null): string {
  if (report === null) return "";
  const { files, nOtherFiles } = report;
  const lines = [verdictLine(report)];
  if (files.some(({ headlines }) => headlines.length > 0)) {
    lines.push(`  ${padToWidth("", NAME_COLUMNS + 2)}${"tool".padEnd(16)}  ours`);
  }
  for (const file of files) lines.push(...fileLines(file));
  if (nOtherFiles > 0) lines.push(`  and ${countOf(nOtherFiles, "file")} that no tool reports on`);
  return lines.join("\n");
}

function verdictLine({ files, nCompared, nAgree, nUnexplained }: SecondOpinion): string {
  if (nCompared === 0) {
    const has = files.some(({ headlines }) => headlines.length > 0);
    return `second opinion: none, the ${files.length === 1 ? "file has" : "files have"} ${
      has ? "no number of the rewards" : "no number of a tool"
    }`;
  }
  const unexplained = nUnexplained === 0 ? "" : `, ${nUnexplained} unexplained`;
  if (nCompared === 1)
    return `second opinion: the tool's number is ${nAgree === 1 ? "ours too" : "not ours"}${unexplained}`;
  if (nAgree === nCompared) return `second opinion: all ${nCompared} numbers of the tools are ours too`;
  const differ = nCompared - nAgree;
  return `second opinion: ${nAgree} of ${nCompared} numbers of the tools ${nAgree === 1 ? "is" : "are"} ours too, ${differ} ${differ === 1 ? "differs" : "differ"}${unexplained}`;
}

function fileLines({ path, format, ours, headlines }: FileOpinion): string[] {
  const { nRows, nRowsTotal, nTasks } = ours;
  const graded = nRows === nRowsTotal ? countOf(nRows, "row") : `${nRows} of ${countOf(nRowsTotal, "row")}`;
  const lines = [
    `  ${endOf(path ?? "the text")}`,
    `    ${format}, ${graded} of ${countOf(nTasks, "task")} graded 0 or 1`,
  ];
  if (headlines.length === 0) return [...lines, "    no number of the tool, and no items to make one of"];
  const told = new Set<string>();
  for (const headline of headlines.slice(0, MAX_HEADLINES)) lines.push(...headlineLines(headline, told));
  const more = headlines.length - MAX_HEADLINES;
  if (more > 0) lines.push(`    + ${more} more`);
  return lines;
}

/** @param told How numbers of this file are made, as far as it has been said */
function headlineLines(headline: HeadlineOpinion, told: Set<string>): string[] {
  const { name, value, stderr, source, how, ours, ci95, agree, reasons, unfinished } = headline;
  const theirs = `${formatFixed(value, 3)}${stderr === null ? "" : ` (se ${formatFixed(stderr, 3)})`}`;
  const number = formatFixed(ours, 3, { absent: "none" });
  const interval = ci95 === null ? "" : ` ${formatInterval(ci95, 3)}`;
  const beside = agree === null ? "not of the reward of all rows" : `${number}${interval}`;
  const verdict = agree === null ? "" : agree ? "  same" : "  differs";
  const shown = padToWidth(cutToWidth(name.replace(/\s+/g, " "), NAME_COLUMNS - 1), NAME_COLUMNS);
  const lines = [`    ${shown}${theirs.padEnd(16)}  ${beside}${verdict}`];
  if (agree && unfinished !== null) lines.push(`      ${unfinished}`);
  if (agree !== false) return lines;
  if (!told.has(how)) lines.push(`      ${source === "file" ? "in the file" : "worked out from its items"}: ${how}`);
  told.add(how);
  for (const { text } of reasons) lines.push(`      - ${text}`);
  return lines;
}

/** The end of a path tells files apart. */
function endOf(path: string): string {
  if (displayWidth(path) <= PATH_COLUMNS) return path;
  let end = [...path];
  while (displayWidth(end.join("")) > PATH_COLUMNS - 1) end = end.slice(1);
  return `…${end.join("")}`;
}
