import { isObject } from "@while/schema";
import { getFormat } from "../formats/registry.ts";
import { type RowProblem, rowProblem } from "../formats/row-problem.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import { fileLines } from "./file-lines.ts";

/** Whether every line of a file is a row that a trainer reads as it was meant. */
export interface RowsCheck {
  ok: boolean;
  path: string;
  format: string;
  rows: number;
  /** The first five, and how many there are; lines from 1. */
  badLines: ({ line: number } & RowProblem)[];
  nBadLines: number;
}

const NAMED = 5;
const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Holds a file that somebody else made against what the trainer of a format reads: see `rowProblem`. A file of ours is
 * held against its manifest by `checkExport`.
 *
 * @throws ExportError `format_unknown`, `not_found`
 */
export async function checkRowsFor(path: string, { format }: { format: string }): Promise<RowsCheck> {
  const { name } = getFormat(format);
  const check: RowsCheck = { ok: true, path, format: name, rows: 0, badLines: [], nBadLines: 0 };
  let line = 0;
  for await (const bytes of fileLines(path)) {
    line++;
    const text = Buffer.from(line === 1 && MARK.equals(bytes.subarray(0, 3)) ? bytes.subarray(3) : bytes).toString(
      "utf8",
    );
    if (text.trim() === "") continue;
    check.rows++;
    const problem = problemOf(text, format);
    if (problem === null) continue;
    check.ok = false;
    if (check.nBadLines++ < NAMED) check.badLines.push({ line, ...problem });
  }
  if (check.rows === 0) {
    check.ok = false;
    check.nBadLines = 1;
    check.badLines.push({
      line: 1,
      what: "is not there: the file has no rows",
      fix: "Check what should have written it.",
    });
  }
  return check;
}

function problemOf(text: string, format: string): RowProblem | null {
  let row: unknown;
  try {
    row = parseJsonTree(text);
  } catch {
    return { what: "is no JSON", fix: "Write one JSON object a line." };
  }
  return rowProblem(isObject(row) ? row : null, { format });
}

/** The check as text: the verdict, then each bad line with its way out. */
export function formatRowsCheck({ ok, path, format, rows, badLines, nBadLines }: RowsCheck): string {
  if (ok) return `export check: ${path} has ${rows} rows that ${format} reads as they are meant`;
  const lines = [
    `export check: ${nBadLines} of ${Math.max(rows, nBadLines)} rows of ${path} are not what ${format} reads`,
  ];
  for (const { line, what, fix } of badLines) lines.push(`  line ${line} ${what}`, `    fix: ${fix}`);
  if (nBadLines > badLines.length) lines.push(`  and ${nBadLines - badLines.length} more`);
  return lines.join("\n");
}
