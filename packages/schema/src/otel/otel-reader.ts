import { isObject } from "../is-object.ts";
import { named } from "../json/container.ts";
import type { DocumentItems, Path } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { FormatReader, ReaderContext } from "../readers/format.ts";
import { TrialTally } from "../readers/trial-tally.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { rowOfSpans, type SpanCounts, type SpanGroup } from "./otel-row.ts";
import { resourceOf, spansIn } from "./span.ts";
import { SpanVerdicts } from "./span-verdicts.ts";
import { WaitingSpans } from "./waiting-spans.ts";

/**
 * Rows from spans. A conversation is a row: the spans that name its id, and those of the same trace that name none. It
 * may be spread over a whole file, so that spans wait until that has ended.
 */
export class OtelReader implements FormatReader {
  readonly counts: SpanCounts & { nSpans: number; nGroups: number; nUntimed: number } = {
    ...{ nSpans: 0, nGroups: 0, nUntimed: 0, nWithoutContent: 0, nWithoutPrompt: 0 },
    dialects: new Set(),
  };
  readonly #context: ReaderContext;
  readonly #verdicts: SpanVerdicts;
  readonly #tally = new TrialTally();
  readonly #spans: WaitingSpans;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#spans = new WaitingSpans(context.waiting);
    this.#verdicts = new SpanVerdicts(context);
  }

  read(record: SourceObject): readonly Row[] {
    for (const span of spansIn(record)) this.#spans.add(span);
    return [];
  }

  readItems(document: SourceObject, items: DocumentItems): readonly (readonly Row[])[] {
    const spans = items[Symbol.iterator]();
    for (const { path, length } of items.lists) {
      const resource = resourceAround(document, path);
      for (let i = 0; i < length; i++) {
        const span: unknown = spans.next().value;
        if (isObject(span)) this.#spans.add({ span, resource });
      }
    }
    return [];
  }

  *held(): Generator<Row> {
    const { counts } = this;
    counts.nSpans = this.#spans.length;
    if (counts.nSpans === 0) {
      throw new SchemaError(
        "bad_file",
        `${named(this.#context.file)} holds no spans.`,
        "Check that the agent is instrumented and that its exporter was flushed.",
      );
    }
    const { length, groups } = this.#spans.conversations();
    counts.nGroups = length;
    for (const group of groups) {
      counts.nUntimed += group.spans.filter(({ start }) => start === 0n).length;
      yield* this.#rowsOf(group);
    }
  }

  end(): void {
    this.#verdicts.end();
    this.#tally.say(this.#context, { ended: "an error without an answer", tool: "a tracer", counts: null });
    const { nWithoutContent, nWithoutPrompt, nUntimed, nSpans } = this.counts;
    if (nWithoutContent > 0) {
      this.#context.warn(
        "spans_without_content",
        `${nWithoutContent} ${nWithoutContent === 1 ? "call of a model has" : "calls of models have"} no messages: their ` +
          "content was not captured. Turn it on where the agent runs, for many with " +
          "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT.",
      );
    }
    if (nWithoutPrompt > 0) {
      this.#context.warn(
        "rows_without_prompt",
        `${nWithoutPrompt} ${nWithoutPrompt === 1 ? "conversation has" : "conversations have"} no turn of a user, so nothing was asked.`,
      );
    }
    if (nUntimed > 0) {
      this.#context.warn(
        "spans_without_time",
        `${nUntimed} of ${nSpans} spans have no start that could be read; they stand first in their conversation.`,
      );
    }
  }

  #rowsOf(group: SpanGroup): Row[] {
    const read = rowOfSpans(group, this.#verdicts, this.counts, this.#context);
    if (read === null) {
      this.#context.skip("conversation_without_content");
      return [];
    }
    const { row, isLost, error } = read;
    if (!isLost) {
      this.#tally.add(row.reward ?? null);
      return [row];
    }
    if (!this.#tally.lose(this.#context, null)) return [];
    return [{ ...row, reward: null, judge_status: "error", judge_meta: { ...row.judge_meta, error } }];
  }
}

/** Of a list of spans, as `resourceSpans[0].scopeSpans[0].spans`; undefined where none stands around it. */
function resourceAround(document: SourceObject, [key, number]: Path): SourceObject | undefined {
  const groups = document[key!];
  const group: unknown = Array.isArray(groups) && typeof number === "number" ? groups[number] : undefined;
  return isObject(group) ? resourceOf(group) : undefined;
}
