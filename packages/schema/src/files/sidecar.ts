import { readFile } from "node:fs/promises";
import { isObject } from "../is-object.ts";
import { parseJsonText } from "../json/json-text.ts";
import type { ReadReport } from "../readers/read-report.ts";
import type { RowSource } from "../row-source.ts";
import { SchemaError } from "../schema-error.ts";
import { STDIN } from "./byte-chunks.ts";
import { writeFileAtomically } from "./write-file-atomically.ts";

/** What is true of all rows of a file, as it stands in `<stem>.meta.json` beside it; keys in the wire's spelling. */
export type Meta = Record<string, unknown>;

const SIDECAR = ".meta.json";

/** Where the sidecar of a file of rows lies: `runs/a.jsonl.gz` has `runs/a.meta.json`. */
export function sidecarPath(path: string): string {
  return path.replace(/\.gz$/, "").replace(/\.(jsonl|ndjson|json|csv|tsv|parquet)$/, "") + SIDECAR;
}

export function isSidecar(path: string): boolean {
  return path.endsWith(SIDECAR);
}

/**
 * What the sidecar of a file says; null when there is none.
 *
 * @throws SchemaError `bad_file` for one that is no JSON object
 */
export async function readSidecar(path: string): Promise<Meta | null> {
  if (path === STDIN) return null;
  const sidecar = sidecarPath(path);
  let text: string;
  try {
    text = await readFile(sidecar, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
  let meta: unknown;
  let cause: unknown;
  try {
    meta = parseJsonText(text);
  } catch (error) {
    cause = error;
  }
  if (isObject(meta)) return meta;
  throw new SchemaError(
    "bad_file",
    `${sidecar}, which describes ${path}, is no JSON object.`,
    "Repair it, or move it away; the rows are read without it.",
    { place: { file: sidecar }, cause },
  );
}

/** Writes the sidecar of a file of rows. */
export async function writeSidecar(path: string, meta: Meta): Promise<void> {
  await writeFileAtomically(sidecarPath(path), (file) => file.write(`${JSON.stringify(meta, null, 2)}\n`));
}

/**
 * What a sidecar should say about rows: their rules by sha, their tools, what they were made for, and everything that
 * the sidecar they were read with said.
 */
export function metaOf(source: Omit<RowSource, "rows"> | ReadReport): Meta {
  const meta: Meta = { ...("meta" in source ? source.meta : {}) };
  meta.schema_version = "1";
  if ("mode" in source && source.mode !== undefined) meta.mode = source.mode;
  if ("systemPrompt" in source && source.systemPrompt !== undefined) meta.system_prompt = source.systemPrompt;
  const { systemPrompts, tools } = source;
  if (systemPrompts !== undefined && systemPrompts.size > 0) meta.system_prompts = Object.fromEntries(systemPrompts);
  if (tools !== undefined && tools !== null && tools.length > 0) meta.tools = tools;
  return meta;
}
