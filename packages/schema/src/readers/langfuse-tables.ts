import { isObject } from "../is-object.ts";
import { named } from "../json/container.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { LangfuseReader } from "./langfuse.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import type { ToolHeadline } from "./tool-headline.ts";

/**
 * Tables of Langfuse's scheduled export, in one file: traces, observations and scores, or observations that carry what is
 * said of their trace. They are put together by `trace_id` and read as traces are. A trace that has no line of its own is
 * its outermost observation. The parts of a trace may stand anywhere, so that lines wait until the file has ended.
 */
export const langfuseTables: Format = {
  name: "langfuse-tables",
  title: "tables of Langfuse's scheduled export",
  detect: (record) => !saysItIsARow(record) && (isObservation(record) || isScore(record) || isTrace(record)),
  open: (context) => new LangfuseTablesReader(context),
};

function isObservation(record: SourceObject): boolean {
  return "trace_id" in record && ("parent_observation_id" in record || ("start_time" in record && "type" in record));
}

function isScore(record: SourceObject): boolean {
  return "trace_id" in record && "name" in record && "data_type" in record && "value" in record;
}

function isTrace(record: SourceObject): boolean {
  return (
    "timestamp" in record && "input" in record && ["project_id", "session_id", "user_id"].some((key) => key in record)
  );
}

/** Where the lines of one trace wait. */
interface TraceParts {
  trace: number | null;
  observations: number[];
  scores: number[];
}

class LangfuseTablesReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #traces: LangfuseReader;
  /** By the id of the trace, in the order of the file. */
  readonly #parts = new Map<string, TraceParts>();
  #nTraces = 0;
  #nObservations = 0;
  #nScores = 0;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#traces = new LangfuseReader(context);
  }

  read(record: SourceObject): readonly Row[] {
    const { waiting } = this.#context;
    if (isObservation(record)) {
      this.#nObservations++;
      const parts = this.#partsOf(record.trace_id);
      parts.observations = appended(parts.observations, waiting.put(record));
    } else if (isScore(record)) {
      this.#nScores++;
      if (textOf(record.trace_id) === "") this.#context.skip("score_of_no_trace");
      else {
        const parts = this.#partsOf(record.trace_id);
        parts.scores = appended(parts.scores, waiting.put(record));
      }
    } else {
      this.#nTraces++;
      const parts = this.#partsOf(record.id);
      // An export of a later hour has the trace once more, as it became.
      if (parts.trace !== null) this.#context.skip("replaced_by_later_line");
      parts.trace = waiting.put(record);
    }
    return [];
  }

  *held(): Generator<Row> {
    if (this.#nTraces + this.#nObservations === 0) {
      throw new SchemaError(
        "bad_file",
        `${named(this.#context.file)} holds scores and no trace.`,
        "Put the tables into one file: cat traces/*.jsonl observations/*.jsonl scores/*.jsonl.",
      );
    }
    const missing = [this.#nObservations === 0 ? "observations" : "", this.#nScores === 0 ? "scores" : ""].filter(
      Boolean,
    );
    if (missing.length > 0) {
      this.#context.warn(
        "tables_missing",
        `There are no ${missing.join(" and no ")} in the file. Where they were exported, put the tables into one file: ` +
          "cat traces/*.jsonl observations/*.jsonl scores/*.jsonl.",
      );
    }
    const read = (places: readonly number[]) => places.map((place) => this.#context.waiting.at(place));
    for (const [id, { trace, observations, scores }] of this.#parts) {
      // What is handed on waits no longer: of a large file the places alone are tens of megabytes.
      this.#parts.delete(id);
      const latest = latestOf(read(observations).map(observationOf));
      const [own] = trace === null ? [] : read([trace]);
      const whole = own === undefined ? traceOf(id, latest) : decoded(own, ["metadata", "tags"]);
      if (whole === null) {
        for (const _ of scores) this.#context.skip("score_without_trace");
        continue;
      }
      yield* this.#traces.read({
        ...{ trace: whole, observations: latest },
        scores: latestOf(read(scores).map(scoreOf)),
      });
    }
  }

  end(): void {
    this.#traces.end();
  }

  headlines(): ToolHeadline[] {
    return this.#traces.headlines();
  }

  #partsOf(id: unknown): TraceParts {
    const known = this.#parts.get(textOf(id));
    if (known !== undefined) return known;
    const parts: TraceParts = { trace: null, observations: [], scores: [] };
    this.#parts.set(textOf(id), parts);
    return parts;
  }
}

/** With one more. A short list is as long as it is: to push one makes room for sixteen, in each of 100,000 traces. */
function appended(list: number[], place: number): number[] {
  if (list.length < 16) return [...list, place];
  list.push(place);
  return list;
}

/** The last line of each id: an export of a later hour has what changed once more. */
function latestOf(records: readonly SourceObject[]): SourceObject[] {
  return [...new Map(records.map((record) => [record.id ?? record, record])).values()];
}

/** Keys of an observation that say something of its trace. */
const OF_TRACE: readonly string[] = ["session_id", "user_id", "tags", "release", "trace_name"];

/** A trace from its outermost observation; null without any. */
function traceOf(id: string, observations: readonly SourceObject[]): SourceObject | null {
  const ids = new Set(observations.map((one) => one.id));
  const root = observations.find(({ parent_observation_id: parent }) => textOf(parent) === "" || !ids.has(parent));
  if (root === undefined) return null;
  const said = OF_TRACE.flatMap((key) => (root[key] === undefined ? [] : [[key, root[key]]]));
  return { id, timestamp: root.startTime, input: root.input, output: root.output, ...Object.fromEntries(said) };
}

/** An observation under the names that the API has for the same. */
function observationOf(record: SourceObject): SourceObject {
  const { start_time, status_message, provided_model_name, model_parameters, usage_details, ...rest } = decoded(
    record,
    [...["input", "output", "metadata", "model_parameters", "usage_details", "cost_details", "tags"]],
  );
  const usage = isObject(usage_details)
    ? Object.fromEntries(Object.entries(usage_details).map(([key, count]) => [key, numberOr(count)]))
    : usage_details;
  return {
    ...rest,
    // Times are UTC and do not say so.
    startTime: typeof start_time === "string" ? `${start_time.replace(" ", "T").replace(/Z$/, "")}Z` : start_time,
    ...{ statusMessage: status_message, modelParameters: model_parameters, usageDetails: usage },
    model: provided_model_name ?? rest.model,
  };
}

function scoreOf(record: SourceObject): SourceObject {
  const { trace_id, observation_id, data_type, string_value, value, ...rest } = record;
  return {
    ...rest,
    ...{ traceId: trace_id, observationId: textOf(observation_id) === "" ? null : observation_id },
    ...{ dataType: data_type, stringValue: string_value, value: numberOr(value) },
  };
}

/** Cells of a table are text. */
function numberOr(value: unknown): unknown {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : value;
}

/** A record with the values that are JSON text in some of its columns. */
function decoded(record: SourceObject, columns: readonly string[]): SourceObject {
  const whole = { ...record };
  for (const column of columns) {
    const text = record[column];
    if (typeof text !== "string" || !/^\s*[[{]/.test(text)) continue;
    try {
      whole[column] = parseEmbeddedJson(text);
    } catch {}
  }
  return whole;
}
