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

/** Fixtures are cut short: their prose is drawn out until a record is about as long as a rollout is. */
const RECORD_BYTES = 4096;

/** How a fixture is repeated: records that lie side by side, or the items of one document's list. */
export interface LargeFile {
  /** One document, which a reader may have to hold as a whole. */
  isDocument: boolean;
  write(path: string, minBytes: number): Promise<void>;
}

/** A file of any size of the kind of a fixture, its ids fresh in every copy; null for what is packed or a table. */
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
export function longestList(value: unknown, depth = 0): unknown[] | null {
  if (depth > 3 || typeof value !== "object" || value === null) return null;
  let longest: unknown[] | null = null;
  for (const item of Object.values(value)) {
    const list =
      Array.isArray(item) && item.length >= MIN_LIST && item.every(isObject) ? item : longestList(item, depth + 1);
    if (list !== null && (longest === null || pyJson(list).length > pyJson(longest).length)) longest = list;
  }
  return longest;
}

/**
 * The texts of items in every copy: the same, but for the ids. They are spelled out once, so that a gigabyte is written
 * at the speed of the disk.
 */
export function copiesOf(items: readonly unknown[], recordBytes = RECORD_BYTES): (copy: number) => string[] {
  const first = lengthened(items, recordBytes);
  const texts = first.map((item) => JSON.stringify(item));
  const templates = first.map((item) => JSON.stringify(marked(item)).split(MARK));
  return (copy) => (copy === 0 ? texts : templates.map((parts) => filled(parts, copy)));
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
  const textsOf = copiesOf(items);
  let bytes = 0;
  out.write(head);
  for (let copy = 0; bytes < minBytes; copy++) {
    const piece = textsOf(copy).join(between);
    bytes += piece.length;
    if (!out.write(copy === 0 ? piece : between + piece)) await once(out, "drain");
  }
  out.end(`${tail}\n`);
  await once(out, "close");
}

/** Prose: what has a blank in it and is neither JSON nor a time. The same text becomes the same longer one. */
const PROSE = /^(?![[{<]|\d{4}-).*\S \S/s;

const FILLER =
  "The order was shipped on Monday and should arrive before Friday, if nothing holds it up at the border. ";

function lengthened(items: readonly unknown[], recordBytes: number): unknown[] {
  let n = 0;
  walked(items, (text) => {
    n++;
    return text;
  });
  const wanted = recordBytes * items.length - pyJson(items).length;
  const more = n === 0 || wanted <= 0 ? "" : ` ${FILLER.repeat(Math.ceil(wanted / n / FILLER.length))}`.trimEnd();
  return walked(items, (text) => text + more) as unknown[];
}

/** Every prose of a value, put through a function. */
function walked(value: unknown, change: (text: string) => string, key = ""): unknown {
  if (typeof value === "string") return !IDS.has(key) && PROSE.test(value) ? change(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => walked(item, change, key));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, walked(item, change, name)]));
}

/** Around what differs from copy to copy; in a text that nobody writes. */
const MARK = "\ufdd1";

function marked(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(marked);
  // An attribute of a span: of one conversation, all copies would be one row.
  if (
    "key" in value &&
    "value" in value &&
    /(conversation|session)\.id$/.test(String(value.key)) &&
    isObject(value.value)
  ) {
    return { ...value, value: { stringValue: `${value.value.stringValue}-${MARK}${MARK}` } };
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      // Where there are epochs, as in Inspect, the id is the task's.
      if (!IDS.has(key) || (key === "id" && "epoch" in value)) return [key, marked(item)];
      if (typeof item === "string") return [key, `${item}-${MARK}${MARK}`];
      return [key, typeof item === "number" ? `${MARK}${item}${MARK}` : marked(item)];
    }),
  );
}

/** Between two marks there is nothing, or the number of the first copy, which is in quotes. */
function filled(parts: readonly string[], copy: number): string {
  let text = parts[0]!;
  for (let i = 1; i < parts.length; i += 2) {
    const [number, rest] = [parts[i]!, parts[i + 1]!];
    text =
      number === "" ? `${text}${copy}${rest}` : `${text.slice(0, -1)}${Number(number) + 1000 * copy}${rest.slice(1)}`;
  }
  return text;
}
