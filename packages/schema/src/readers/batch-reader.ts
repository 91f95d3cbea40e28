import { shortHash } from "../identity/derived-ids.ts";
import { named } from "../json/container.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownName } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import { lineageOf } from "./chat-row.ts";
import type { FormatReader, ReaderContext } from "./format.ts";
import { TrialTally } from "./trial-tally.ts";

/** A result of a batch: the response, or what came instead of one. */
export interface BatchResult {
  /** null for a request that got no response. */
  response: SourceObject | null;
  /** null when there is a response. */
  error: unknown;
  /** What else the line says. */
  rest: SourceObject;
}

/** What is particular to the batches of one API. */
export interface BatchFormat {
  readonly name: string;
  /** How a sentence calls whose batches they are. */
  readonly title: string;
  /** The request of a line of the batch's input; null for any other line. */
  requestOf(record: SourceObject): SourceObject | null;
  resultOf(record: SourceObject): BatchResult;
  /** The rows of one answered request; several when it asked for several answers. `request` is null where it is not known. */
  rowsOf(request: SourceObject | null, response: SourceObject, context: ReaderContext): readonly Row[];
  /** The row of a request that got no answer. */
  unanswered(request: SourceObject, context: ReaderContext): Row;
}

/**
 * Rows from the results of a batch. They do not say what was asked: where the lines of the batch's input stand in the same
 * file, before or behind, each result finds its request by `custom_id`, and a request without a result is a lost trial.
 * Results may come in any order, so that they and their requests wait until the file has ended.
 */
export class BatchReader implements FormatReader {
  readonly #format: BatchFormat;
  readonly #context: ReaderContext;
  /** Where the lines wait: requests by their id. */
  readonly #requests = new Map<string, number>();
  readonly #results: number[] = [];
  readonly #tally = new TrialTally();

  constructor(format: BatchFormat, context: ReaderContext) {
    this.#format = format;
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    const request = this.#format.requestOf(record);
    if (request === null) {
      this.#results.push(this.#context.waiting.put(record));
      return [];
    }
    const id = textOf(record.custom_id);
    if (this.#requests.has(id)) {
      throw new SchemaError(
        "bad_value",
        `custom_id ${shownName(id)} is the one of an earlier request too.`,
        "Give the lines of one batch at a time: its results name their requests by it.",
      );
    }
    this.#requests.set(id, this.#context.waiting.put(request));
    return [];
  }

  *held(): Generator<Row> {
    const { waiting } = this.#context;
    if (this.#results.length === 0) {
      throw new SchemaError(
        "bad_file",
        `${named(this.#context.file)} holds requests of a batch and no result.`,
        "Give the batch's output with them, in one file.",
      );
    }
    const answered = new Set<string>();
    for (const place of this.#results) {
      const record = waiting.at(place);
      const id = textOf(record.custom_id);
      answered.add(id);
      yield* this.#rowsOf(id, this.#format.resultOf(record));
    }
    for (const [id, place] of this.#requests) {
      if (!answered.has(id)) yield* this.#lost(id, waiting.at(place), "The batch has no result for it.", {});
    }
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an error of the batch", tool: this.#format.title, counts: null });
  }

  #rowsOf(id: string, { response, error, rest }: BatchResult): readonly Row[] {
    const place = this.#requests.get(id);
    const request = place === undefined ? null : this.#context.waiting.at(place);
    if (request === null) {
      this.#context.warn(
        "no_requests",
        "Results of a batch do not say what was asked, so their rows have no prompt: put the lines of the batch's " +
          "input into the same file.",
      );
    }
    if (response === null) return this.#lost(id, request, error, rest);
    return this.#read(id, () => this.#format.rowsOf(request, response, this.#context)).map((row) => {
      this.#tally.add(row.reward ?? null);
      return this.#identified(row, id, request, rest);
    });
  }

  #lost(id: string, request: SourceObject | null, error: unknown, rest: SourceObject): Row[] {
    if (!this.#tally.lose(this.#context, null)) return [];
    const { name } = this.#format;
    const unasked = { prompt: "", steps: [], final_text: "", lineage: lineageOf(name, this.#context) };
    const asked =
      request === null ? [unasked] : this.#read(id, () => [this.#format.unanswered(request, this.#context)]);
    const lost = asked.map((row): Row => ({ ...row, reward: null, judge_status: "error", judge_meta: { error } }));
    return lost.map((row) => this.#identified(row, id, request, rest));
  }

  /** Results are read when the file has ended, so that one that cannot be read is named by its id. */
  #read(id: string, rows: () => readonly Row[]): readonly Row[] {
    try {
      return rows();
    } catch (error) {
      if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
      this.#context.refuse(`custom_id ${shownName(id)}: ${error.what}`, error.fix);
      return [];
    }
  }

  /** Answers to one request are one task; where it is not known, its id stands for it. */
  #identified(row: Row, id: string, request: SourceObject | null, rest: SourceObject): Row {
    const whole: Row = { ...row, custom_id: id };
    if (Object.keys(rest).length > 0) whole.batch = rest;
    if (request !== null) return whole;
    const { name } = this.#format;
    whole.task_id = id;
    whole.rollout_index = this.#context.nextIndex(`${name} ${id}`);
    whole.rollout_id = shortHash(name, this.#context.file ?? "", id, whole.rollout_index, textOf(row.final_text));
    return whole;
  }
}
