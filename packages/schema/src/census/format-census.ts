import { cutToWidth, padToWidth } from "../text/display-width.ts";
import { formatPercent } from "../text/format-number.ts";
import type { Census, Coverage } from "./census.ts";

/** Fields that are listed; the others are counted. */
const MAX_FIELDS = 24;

/** Names on one line. */
const MAX_NAMES = 6;

const NAME_COLUMNS = 32;

/** The census as a page of text: what the rows are in one line, then what is odd, then the fields. */
export function formatCensus(census: Census): string {
  const { rows, rewards, nRewardValues, markers, models, duplicates, duplicateExamples, partial, reading } = census;
  const lines = [headline(census)];
  const line = (head: string, text: string) => lines.push(`  ${head.padEnd(11)}${text}`);
  if (rows === 0) return [...lines, ...readingLines(census)].join("\n");
  if (rewards.length > 0) {
    line("rewards", listed(rewards.map(({ value, n }) => `${value} in ${n}`)));
  } else if (nRewardValues > 0) {
    line("rewards", `more than ${nRewardValues - 1} different values`);
  } else {
    line("rewards", "none: no row is graded");
  }
  if (partial > 0) line("", `${partial} of them partial credit, which pass rates leave out`);
  if (markers.length > 0) line("markers", listed(markers.map(named)));
  if (models.size > 0) line("models", listed([...models].map(([name, n]) => `${clean(name)} ${n}`)));
  if (duplicates > 0) {
    const examples = duplicateExamples.map((key) => cutToWidth(clean(key), NAME_COLUMNS)).join(", ");
    line(
      "duplicates",
      `${duplicates === 1 ? "1 row that repeats" : `${duplicates} rows that repeat`} an earlier one (${examples})`,
    );
  }
  if (reading !== null && reading.nBadLines === 0) line("bad lines", "none");
  return [...lines, ...readingLines(census), "", ...fieldLines(census)].join("\n");
}

function headline({ rows, tasks, rolloutsPerTask, graded, gradedShare, nWithoutKey, reading }: Census): string {
  const from = reading === null ? "" : ` (${reading.format}${reading.files > 1 ? `, ${reading.files} files` : ""})`;
  if (rows === 0 || rolloutsPerTask === null) return `no rows${from}`;
  const { min, median, max } = rolloutsPerTask;
  const each =
    min === max ? `${min} ${plural(min, "rollout")} each` : `${min} to ${max} rollouts each, median ${median}`;
  const without = nWithoutKey > 0 ? `, ${nWithoutKey} without a task` : "";
  const share = graded === rows ? "all graded" : graded === 0 ? "none graded" : `${formatPercent(gradedShare)} graded`;
  return `${rows} ${plural(rows, "row")} of ${tasks} ${plural(tasks, "task")}, ${each}, ${share}${without}${from}`;
}

function readingLines({ reading }: Census): string[] {
  if (reading === null) return [];
  const { nBadLines, badLines, skipped, warnings } = reading;
  const lines: string[] = [];
  if (nBadLines > 0) {
    lines.push(`  bad lines  ${nBadLines} left out`);
    for (const { file, what } of badLines) lines.push(`    ${file === null ? "" : `${file}, `}${what}`);
    if (nBadLines > badLines.length) lines.push(`    + ${nBadLines - badLines.length} more`);
  }
  for (const [reason, n] of skipped) {
    lines.push(`  skipped    ${n} ${plural(n, "record")}: ${reason.replaceAll("_", " ")}`);
  }
  for (const { code, text } of warnings) if (code !== "bad_rows") lines.push(`  note       ${text}`);
  return lines;
}

function fieldLines({ fields }: Census): string[] {
  const shown = fields
    .slice(0, MAX_FIELDS)
    .map((field) => ({ ...field, name: cutToWidth(clean(field.name), NAME_COLUMNS) }));
  const digits = Math.max(4, ...shown.map(({ n }) => String(n).length));
  const lines = [`  ${"field".padEnd(NAME_COLUMNS)}  ${"rows".padStart(digits)}  share`];
  for (const { name, n, share } of shown) {
    lines.push(
      `  ${padToWidth(name, NAME_COLUMNS)}  ${String(n).padStart(digits)}  ${formatPercent(share).padStart(5)}`,
    );
  }
  if (fields.length > shown.length) lines.push(`  + ${fields.length - shown.length} more`);
  return lines;
}

function named({ name, n }: Coverage): string {
  return `${cutToWidth(clean(name), NAME_COLUMNS)} in ${n}`;
}

function listed(items: readonly string[]): string {
  const more = items.length - MAX_NAMES;
  return more > 0 ? `${items.slice(0, MAX_NAMES).join(", ")} + ${more} more` : items.join(", ");
}

/** Names come from files: a line break in one would break the table, an escape character the terminal. */
function clean(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, "\u00b7");
}

function plural(n: number, noun: string): string {
  return n === 1 ? noun : `${noun}s`;
}
