import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { isObject } from "../is-object.ts";
import { type JsonNotes, parseJsonText } from "../json/json-text.ts";
import type { SourceObject, SourceRecord } from "../json/record-reader.ts";
import type { ReadCollector } from "../readers/read-collector.ts";
import { SchemaError } from "../schema-error.ts";

/** Ids that a sentence names before it counts the rest. */
const NAMED_IDS = 5;

/**
 * The records of a run of tau2-bench that lies in a folder: its results, then each simulation.
 *
 * @param path The results, which list the simulations that there should be
 * @param simulations Their files
 * @throws SchemaError `bad_file` when the two do not match, unless `allowPartial`, and for files that are no JSON object
 */
export async function* simulationRecords(
  path: string,
  simulations: readonly string[],
  collector: ReadCollector,
  { notes, count }: { notes: JsonNotes; count: (bytes: number) => void },
): AsyncGenerator<SourceRecord> {
  const results = await record(path, collector, notes, count);
  checkIndex(path, results, simulations, collector);
  yield { value: results, line: 1 };
  for (const file of simulations) yield { value: await record(file, collector, notes, count), line: 1 };
}

async function record(
  path: string,
  { options }: ReadCollector,
  notes: JsonNotes,
  count: (bytes: number) => void,
): Promise<SourceObject> {
  const { unsafeIntegers = "ids", invalidUtf8 = "refuse", onRecord } = options;
  const bytes = await readFile(path);
  let value: unknown;
  let cause: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: invalidUtf8 === "refuse" }).decode(bytes);
    value = parseJsonText(text, { unsafeIntegers, notes });
    if (isObject(value)) onRecord?.(value, text);
  } catch (error) {
    cause = error;
  }
  count(bytes.length);
  if (isObject(value)) return value;
  throw new SchemaError("bad_file", `${path} is no JSON object.`, "Fetch the file again.", {
    place: { file: path },
    cause,
  });
}

function checkIndex(
  path: string,
  { simulation_index: index }: SourceObject,
  simulations: readonly string[],
  collector: ReadCollector,
): void {
  if (!Array.isArray(index)) return;
  const listed = new Set(index.map((entry) => String(isObject(entry) ? entry.id : entry)));
  const there = new Set(simulations.map((file) => basename(file, ".json")));
  const missing = [...listed].filter((id) => !there.has(id));
  const extra = [...there].filter((id) => !listed.has(id));
  if (missing.length + extra.length === 0) return;
  const what =
    `${path} lists ${listed.size} simulations, and its folder has ${there.size}` +
    `${missing.length > 0 ? `; missing: ${named(missing)}` : ""}${extra.length > 0 ? `; not listed: ${named(extra)}` : ""}.`;
  if (collector.options.allowPartial === true) {
    collector.warn("partial_folder", what);
    return;
  }
  throw new SchemaError("bad_file", what, "Fetch the whole run, or pass allowPartial to read what is there.", {
    place: { file: path },
  });
}

function named(ids: readonly string[]): string {
  const more = ids.length > NAMED_IDS ? ` and ${ids.length - NAMED_IDS} more` : "";
  return ids.slice(0, NAMED_IDS).join(", ") + more;
}
