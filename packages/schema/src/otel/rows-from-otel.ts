import { isObject } from "../is-object.ts";
import { bytesOf } from "../json/bytes-of.ts";
import { RecordReader, type SourceRecord } from "../json/record-reader.ts";
import { WaitingRecords } from "../json/waiting-records.ts";
import { checkOptions } from "../options/check-options.ts";
import { ReadCollector } from "../readers/read-collector.ts";
import type { FileReport, ReadReport } from "../readers/read-report.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownKeys } from "../text/shown-value.ts";
import { OtelReader } from "./otel-reader.ts";
import { holdsSpans } from "./span.ts";
import { REWARD_KEYS } from "./span-verdicts.ts";

export interface OtelOptions {
  /** Attributes of spans, or names of evaluations, that are the reward; the first readable one wins. */
  rewardKeys?: readonly string[];
}

/** What was read, with what only spans have. */
export interface OtelReport extends ReadReport {
  nSpans: number;
  nGroups: number;
  /** Calls of models whose messages were not recorded: the capture of content was off. */
  nWithoutContent: number;
  /** Conversations in which no user asked. */
  nWithoutPrompt: number;
  /** Where messages were found: `attributes`, `openinference`, `openllmetry`, `events`; sorted. */
  dialects: string[];
}

export interface RowsFromOtel {
  rows: Row[];
  report: OtelReport;
}

/**
 * Rows from OpenTelemetry spans, one a conversation: `readRows` for spans that may be at hand as objects already, with
 * a report of the spans. An export, a list of spans, `{spans}`, or the text or bytes of those, also a line each; gzip is
 * unpacked by `gunzip` before.
 *
 * The reward is the first value of `rewardKeys`, else the score that `spansFromRows` wrote; evaluations are markers.
 *
 * @throws SchemaError `format_unknown` for what holds no spans, `bad_option`, and as `readRows` does
 */
export function rowsFromOtel(source: unknown, options: OtelOptions = {}): RowsFromOtel {
  checkOptions(options, ["rewardKeys"], (what, fix) => new SchemaError("bad_option", what, fix));
  const { rewardKeys } = options;
  if (rewardKeys !== undefined && rewardKeys.length === 0) {
    throw new SchemaError(
      "bad_option",
      "rewardKeys is empty.",
      `Name an attribute, or leave it out for ${REWARD_KEYS.join(", ")}.`,
    );
  }
  const collector = new ReadCollector(rewardKeys === undefined ? {} : { rewardKey: rewardKeys });
  const file: FileReport = { path: null, format: "otlp", container: "jsonl", delimiter: null, records: 0, rows: 0 };
  collector.report.files.push(file);
  const records = recordsOf(source, collector, file);
  // Text that is no JSON is refused before anything is said of what it holds.
  if (!collector.isOpen) collector.finish();
  if (!records.some(({ value }) => holdsSpans(value))) throw noSpans(records);
  file.records = records.length;
  collector.report.records = records.length;

  const warned = new Set<string>();
  const indexes = new Map<string, number>();
  const reader = new OtelReader({
    file: null,
    head: [],
    options: collector.options,
    waiting: new WaitingRecords(),
    beside: () => null,
    warn: (code, text) => {
      if (!warned.has(code)) collector.warn(code, text);
      warned.add(code);
    },
    skip: (reason) => collector.skip(reason),
    refuse: (what, fix) => collector.refuse({ file: null, line: 1, column: null, code: "bad_value", what, fix }),
    addMeta: (meta) => collector.addMeta(meta, "The document"),
    nextIndex: (task) => {
      const index = indexes.get(task) ?? 0;
      indexes.set(task, index + 1);
      return index;
    },
  });
  for (const { value } of records) reader.read(value);
  const line = records.at(-1)?.line ?? 1;
  const rows = [...reader.held()].map((row) => collector.admit(row, file, line)).filter((row) => row !== null);
  reader.end();
  const { dialects, nSpans, nGroups, nWithoutContent, nWithoutPrompt } = reader.counts;
  const counts = { nSpans, nGroups, nWithoutContent, nWithoutPrompt };
  return { rows, report: { ...collector.finish(), ...counts, dialects: [...dialects].sort() } };
}

function recordsOf(source: unknown, collector: ReadCollector, file: FileReport): SourceRecord[] {
  if (typeof source !== "string" && !(source instanceof Uint8Array)) {
    return (Array.isArray(source) ? source : [source])
      .filter(isObject)
      .map((value, index) => ({ value, line: index + 1 }));
  }
  const reader = new RecordReader({
    ...{ file: null, unsafeIntegers: "ids", invalidUtf8: "refuse" },
    refuse: (bad) => collector.refuse(bad),
  });
  const records = reader.push(bytesOf(source));
  records.push(...reader.end());
  reader.closeTail(false);
  file.container = reader.container ?? "jsonl";
  collector.closeFile(file, reader);
  return records;
}

function noSpans(records: readonly SourceRecord[]): SchemaError {
  return new SchemaError(
    "format_unknown",
    records.length === 0
      ? "The source is no object and no list of objects."
      : `The source holds no spans; its keys are ${shownKeys(records[0]?.value ?? {})}.`,
    "Give an export (resourceSpans), a list of spans, or the text of one.",
  );
}
