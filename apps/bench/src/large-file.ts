import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { isObject, pyJson } from "@while/schema";
import type { SourceFile } from "./fuzz/source-files.ts";

/** Keys whose value names one record or one part of it, so that a copy needs another. */
const IDS: ReadonlySet<string> = new Set([
  ...["id", "uuid", "rollout_id", "span_id", "root_span_id", "parent_span_id", "trace_id", "request_id", "hash"],
  ...[
    "traceId",
    "spanId",
    "parentSpanId",
    "call_id",
    "toolCallId",
    "tool_call_id",
    "tool_use_id",
    "doc_id",
    "doc_hash",
  ],
  ...[
    "previous_response_id",
    "custom_id",
    "parent_observation_id",
    "parentObservationId",
    "example_id",
    "testIdx",
    "epoch",
    "trial",
  ],
]);

/** Shorter lists of a document are settings and not its rollouts. */
const MIN_LIST = 2;

/** How a fixture is repeated: records that lie side by side, or the items of one document's list. */
export interface LargeFile {
  /** One document, which a reader may have to hold as a whole. */
  isDocument: boolean;
  write(path: string, minBytes: number): Promise<void>;
}

/** A file of any size of the kind of a fixture, its ids fresh in every copy; null for tables and archives. */
export function largeFile({ bytes, records }: SourceFile): LargeFile | null {
  if (records === null) return null;
  const text = new TextDecoder().decode(bytes);
  const [document] = records;
  if (text.trimStart().startsWith("[") && Array.isArray(document)) {
    return { isDocument: false, write: (path, min) => written(path, min, { head: "[", items: document, tail: "]" }) };
  }
  const list = records.length === 1 && text.trimEnd().includes("\n") ? longestList(document) : null;
  if (list === null) {
    return { isDocument: false, write: (path, min) => written(path, min, { head: "", items: records, tail: "" }) };
  }
  const [head, tail] = around(document, list);
  return { isDocument: true, write: (path, min) => written(path, min, { head, items: list, tail }) };
}

/** The list of a document that takes most of its text. */
function longestList(value: unknown, depth = 0): unknown[] | null {
  if (depth > 3 || typeof value !== "object" || value === null) return null;
  let longest: unknown[] | null = null;
  for (const item of Object.values(value)) {
    const list =
      Array.isArray(item) && item.length >= MIN_LIST && item.every(isObject) ? item : longestList(item, depth + 1);
    if (list !== null && (longest === null || pyJson(list).length > pyJson(longest).length)) longest = list;
  }
  return longest;
}

/** The document's text in front of the items of a list and behind them. */
function around(document: unknown, list: unknown): [head: string, tail: string] {
  const mark = "\ufdd0";
  const text = JSON.stringify(document, (_, value) => (value === list ? [mark] : value));
  const [head = "", tail = ""] = text.split(JSON.stringify(mark));
  return [head, tail];
}

async function written(
  path: string,
  minBytes: number,
  { head, items, tail }: { head: string; items: readonly unknown[]; tail: string },
): Promise<void> {
  const out = createWriteStream(path);
  const between = head === "" ? "\n" : ",\n";
  let bytes = 0;
  out.write(head);
  for (let copy = 0; bytes < minBytes; copy++) {
    const piece = items.map((item) => JSON.stringify(fresh(item, copy))).join(between);
    bytes += piece.length;
    if (!out.write(copy === 0 ? piece : between + piece)) await once(out, "drain");
  }
  out.end(`${tail}\n`);
  await once(out, "close");
}

function fresh(value: unknown, copy: number): unknown {
  if (copy === 0 || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fresh(item, copy));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // Where there are epochs, as in Inspect, the id is the task's.
      if (!IDS.has(key) || (key === "id" && "epoch" in value)) return [key, fresh(item, copy)];
      if (typeof item === "string") return [key, `${item}-${copy}`];
      return [key, typeof item === "number" ? item + 1000 * copy : item];
    }),
  );
}
