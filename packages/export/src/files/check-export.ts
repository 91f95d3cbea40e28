import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isObject } from "@while/schema";
import { parquetMetadata } from "hyparquet";
import { ExportError } from "../export-error.ts";
import { formats } from "../formats/registry.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import { type ArgumentEncoding, RoundtripCheck, type RoundtripReport } from "../roundtrip/roundtrip-check.ts";
import { fileLines } from "./file-lines.ts";
import { type Manifest, manifestPath, readManifest } from "./manifest.ts";
import { isParquet } from "./write-parquet-lines.ts";

/** A line that is no row of the export. */
export interface BadExportLine {
  /** 1-based. */
  line: number;
  what: string;
}

/** Whether a file is still the one its manifest tells of, and whether a trainer can read it. */
export interface ExportCheck {
  ok: boolean;
  path: string;
  manifestPath: string;
  format: string;
  /** As the manifest says, and as the file is. */
  sha256: { expected: string; actual: string };
  bytes: { expected: number; actual: number };
  rows: { expected: number; actual: number };
  /** The first five bad lines, and how many there are. */
  badLines: BadExportLine[];
  nBadLines: number;
  toolCallRoundtrip: RoundtripReport;
}

const NAMED = 5;

/**
 * Reads an exported file again: its hash, size and number of rows against the manifest, every line as JSON with the
 * columns of the manifest, messages with a role and a mask of their length, floats with a point, calls that read back.
 *
 * @throws ExportError `no_manifest`, `not_found`, `format_unknown`
 */
export async function checkExport(path: string): Promise<ExportCheck> {
  const manifest = await readManifest(path);
  const spec = formats.get(manifest.format);
  const encoding: ArgumentEncoding = manifest.options.arguments_as === "string" ? "json_string" : spec.encoding;
  const roundtrip = new RoundtripCheck(spec.name, encoding);
  if (isParquet(path)) return await checkTable(path, manifest, roundtrip.report());
  const hash = createHash("sha256");
  let bytes = 0;
  let rows = 0;
  const badLines: BadExportLine[] = [];
  let nBadLines = 0;
  for await (const line of fileLines(path, (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  })) {
    const index = rows++;
    const { row, what } = readLine(line, manifest);
    if (row !== null) roundtrip.add(inputOpened(row), index);
    if (what !== null && nBadLines++ < NAMED) badLines.push({ line: index + 1, what });
  }
  const sha256 = hash.digest("hex");
  const calls = roundtrip.report();
  const isSame = sha256 === manifest.sha256 && bytes === manifest.bytes && rows === manifest.rows;
  return {
    ok: isSame && nBadLines === 0 && calls.invalid === 0,
    path,
    manifestPath: manifestPath(path),
    format: manifest.format,
    sha256: { expected: manifest.sha256, actual: sha256 },
    bytes: { expected: manifest.bytes, actual: bytes },
    rows: { expected: manifest.rows, actual: rows },
    badLines,
    nBadLines,
    toolCallRoundtrip: calls,
  };
}

/** A table is one piece: where its hash is that of the manifest, its rows are those that were checked when it was made. */
async function checkTable(path: string, manifest: Manifest, calls: RoundtripReport): Promise<ExportCheck> {
  let whole: Buffer;
  try {
    whole = await readFile(path);
  } catch (cause) {
    throw new ExportError("not_found", `${path} cannot be read.`, "Check the path.", { cause });
  }
  const sha256 = createHash("sha256").update(whole).digest("hex");
  const badLines: BadExportLine[] = [];
  let rows = 0;
  try {
    rows = Number(parquetMetadata(new Uint8Array(whole).buffer).num_rows);
  } catch (error) {
    badLines.push({ line: 1, what: `is no Parquet (${(error as Error).message})` });
  }
  return {
    ok: sha256 === manifest.sha256 && rows === manifest.rows,
    path,
    manifestPath: manifestPath(path),
    format: manifest.format,
    sha256: { expected: manifest.sha256, actual: sha256 },
    bytes: { expected: manifest.bytes, actual: whole.length },
    rows: { expected: manifest.rows, actual: rows },
    badLines,
    nBadLines: badLines.length,
    toolCallRoundtrip: calls,
  };
}

/** The check as text: the verdict, then every difference. */
export function formatExportCheck(check: ExportCheck): string {
  const { ok, path, sha256, bytes, rows, badLines, nBadLines, toolCallRoundtrip: calls } = check;
  if (ok) return `export check: ${path} is the file its manifest tells of, ${rows.actual} ${check.format} rows`;
  const lines = [`export check: ${path} is not what its manifest tells of`];
  if (rows.expected !== rows.actual) lines.push(`  ${rows.actual} rows, and the manifest says ${rows.expected}`);
  if (bytes.expected !== bytes.actual) lines.push(`  ${bytes.actual} bytes, and the manifest says ${bytes.expected}`);
  if (sha256.expected !== sha256.actual)
    lines.push(`  sha256 ${sha256.actual}, and the manifest says ${sha256.expected}`);
  for (const { line, what } of badLines) lines.push(`  line ${line}: ${what}`);
  if (nBadLines > badLines.length) lines.push(`  and ${nBadLines - badLines.length} more bad lines`);
  if (calls.invalid > 0) lines.push(`  ${calls.invalid} of ${calls.checked} tool calls do not read back as an object`);
  return lines.join("\n");
}

function readLine(line: Uint8Array, manifest: Manifest): { row: Record<string, unknown> | null; what: string | null } {
  let row: unknown;
  try {
    row = parseJsonTree(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch {
    return { row: null, what: "is not JSON in UTF-8" };
  }
  if (!isObject(row)) return { row: null, what: "is not an object" };
  return { row, what: fault(row, manifest) };
}

/** Pairs of the tuning services hold their conversation one level down. */
function inputOpened(row: Record<string, unknown>): Record<string, unknown> {
  if (!isObject(row.input)) return row;
  return { ...row.input, chosen: row.preferred_output, rejected: row.non_preferred_output };
}

function fault(row: Record<string, unknown>, { columns, kind }: Manifest): string | null {
  for (const [key, value] of Object.entries(row)) {
    const type = columns[key];
    if (type === undefined) return `has the column ${key}, which the manifest does not list`;
    if (value === null && !(kind === "grpo" && key === "pass_rate")) return `has null under ${key}`;
    if (type === "list<message>" && !isConversation(value)) return `has no list of messages with a role under ${key}`;
    if (type === "float64" && isPointless(value)) return `spells ${key} without a point`;
  }
  const { loss_mask: mask, messages } = row;
  if (mask === undefined) return null;
  const fits =
    Array.isArray(mask) &&
    Array.isArray(messages) &&
    mask.length === messages.length &&
    mask.every((bit) => bit === 0 || bit === 1);
  return fits ? null : "has a loss_mask that does not fit its messages";
}

/** A tree keeps `1.0` as a token, so that a plain whole number was written without its point. */
function isPointless(value: unknown): boolean {
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) < 1e21;
}

function isConversation(value: unknown): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && typeof item.role === "string")
  );
}
