import { named } from "../json/container.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { FormatReader, ReaderContext } from "../readers/format.ts";
import { TrialTally } from "../readers/trial-tally.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { rowOfSpans, type SpanCounts, type SpanGroup } from "./otel-row.ts";
import { type Span, spansIn } from "./span.ts";
import { SpanVerdicts } from "./span-verdicts.ts";

const CONVERSATION = ["gen_ai.conversation.id", "conversation.id", "session.id", "gen_ai.session.id", "thread.id"];

/**
 * Rows from spans. A conversation is a row: the spans that name its id, and those of the same trace that name none. A
 * conversation may be spread over a whole file, which is therefore held in memory.
 */
export class OtelReader implements FormatReader {
  readonly counts: SpanCounts & { nSpans: number; nGroups: number; nUntimed: number } = {
    ...{ nSpans: 0, nGroups: 0, nUntimed: 0, nWithoutContent: 0, nWithoutPrompt: 0 },
    dialects: new Set(),
  };
  readonly #context: ReaderContext;
  readonly #verdicts: SpanVerdicts;
  readonly #tally = new TrialTally();
  readonly #spans: Span[] = [];

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#verdicts = new SpanVerdicts(context);
  }

  read(record: SourceObject): readonly Row[] {
    for (const span of spansIn(record)) this.#spans.push(span);
    return [];
  }

  held(): readonly Row[] {
    const { counts } = this;
    counts.nSpans = this.#spans.length;
    if (counts.nSpans === 0) {
      throw new SchemaError(
        "bad_file",
        `${named(this.#context.file)} holds no spans.`,
        "Check that the agent is instrumented and that its exporter was flushed.",
      );
    }
    counts.nUntimed = this.#spans.filter(({ start }) => start === 0n).length;
    const groups = groupsOf(this.#spans);
    counts.nGroups = groups.length;
    return groups.flatMap((group) => this.#rowsOf(group));
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

/** Conversations in the order of their first span. */
function groupsOf(spans: readonly Span[]): SpanGroup[] {
  const own = spans.map(({ attributes, resource }) =>
    textOf(attributes.first(CONVERSATION) ?? resource.first(CONVERSATION)),
  );
  const ofTrace = new Map<string, string>();
  for (const [index, { traceId }] of spans.entries()) {
    if (own[index] !== "" && !ofTrace.has(traceId)) ofTrace.set(traceId, own[index]!);
  }
  const groups = new Map<string, Span[]>();
  for (const [index, span] of spans.entries()) {
    const { traceId, spanId } = span;
    const ofIts = traceId === "" ? "" : (ofTrace.get(traceId) ?? traceId);
    const id = own[index] || ofIts || `span:${spanId || index}`;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, [span]);
    else group.push(span);
  }
  return [...groups].map(([id, group]) => ({ id, spans: group }));
}
