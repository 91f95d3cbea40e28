import type { SourceObject } from "../json/record-reader.ts";
import type { WaitingRecords } from "../json/waiting-records.ts";
import { IdNumbers } from "../readers/id-numbers.ts";
import { textOf } from "../text/text-of.ts";
import { firstAttribute } from "./attributes.ts";
import type { SpanGroup } from "./otel-row.ts";
import { SharedResources } from "./shared-resources.ts";
import { resourceOf, type Span, spanIdOf, spanOf, traceIdOf, type WrittenSpan } from "./span.ts";

const CONVERSATION = ["gen_ai.conversation.id", "conversation.id", "session.id", "gen_ai.session.id", "thread.id"];

/** No resource stands around a span, which says its own or nothing; no span comes after this one. */
const NONE = -1;

/**
 * Spans until their file has ended, and then their conversations: the spans that name one, and those of the same trace
 * that name none. They may stand anywhere. In memory are a few numbers for each span and each id.
 */
export class WaitingSpans {
  readonly #records: WaitingRecords;
  /** Of conversations and traces: a trace without a conversation is one. */
  readonly #numbers = new IdNumbers();
  /** By the number of a trace: the conversation that the first of its spans to name one has named. */
  readonly #ofTrace: number[] = [];
  /** Of each span: where it is kept, where the resource around it is, and its conversation, or -1 less its trace. */
  readonly #kept: number[] = [];
  readonly #resources: number[] = [];
  readonly #groups: number[] = [];
  #lastResource: SourceObject | undefined;
  #lastKept = NONE;

  constructor(records: WaitingRecords) {
    this.#records = records;
  }

  get length(): number {
    return this.#kept.length;
  }

  add({ span, resource }: WrittenSpan): void {
    const said = conversationOf(span.attributes, (resourceOf(span) ?? resource)?.attributes);
    this.#groups.push(this.#groupOf(said, span));
    if (resource !== this.#lastResource) {
      this.#lastResource = resource;
      this.#lastKept = resource === undefined ? NONE : this.#records.put(resource);
    }
    this.#resources.push(this.#lastKept);
    this.#kept.push(this.#records.put(span));
  }

  /**
   * Conversations in the order of their first span, each read when it is walked to. Which spans are one is kept in flat
   * arrays, as each its next: a list for each would take four times as much.
   */
  conversations(): { length: number; groups: Iterable<SpanGroup> } {
    const first = new Int32Array(this.#ofTrace.length).fill(NONE);
    const last = new Int32Array(this.#ofTrace.length);
    const next = new Int32Array(this.length).fill(NONE);
    let length = 0;
    for (let index = 0; index < this.length; index++) {
      const number = this.#conversationOf(index);
      if (first[number] === NONE) {
        first[number] = index;
        length++;
      } else {
        next[last[number]!] = index;
      }
      last[number] = index;
    }
    return { length, groups: this.#read(first, next) };
  }

  *#read(first: Int32Array, next: Int32Array): Generator<SpanGroup> {
    for (let index = 0; index < this.length; index++) {
      if (first[this.#conversationOf(index)] !== index) continue;
      const resources = new SharedResources();
      const spans: Span[] = [];
      let id = "";
      for (let at = index; at !== NONE; at = next[at]!) {
        const span = this.#spanAt(at, resources);
        spans.push(span);
        // Asked of every span, so that it is none of the attributes that nothing has read: the row has it as its id.
        const said = textOf(span.attributes.first(CONVERSATION) ?? span.resource.first(CONVERSATION));
        id ||= said;
      }
      yield { id: id || spans[0]!.traceId || loneId(spans[0]!.spanId, index), spans };
    }
  }

  /** Number of the conversation of a span, when all spans are there. */
  #conversationOf(index: number): number {
    const group = this.#groups[index]!;
    if (group >= 0) return group;
    const trace = -1 - group;
    return this.#ofTrace[trace] === NONE ? trace : this.#ofTrace[trace]!;
  }

  #spanAt(index: number, resources: SharedResources): Span {
    const span = this.#records.at(this.#kept[index]!);
    const kept = this.#resources[index]!;
    return spanOf(span, resources.of(resourceOf(span) ?? (kept === NONE ? undefined : this.#records.at(kept))));
  }

  #groupOf(conversation: string, span: SourceObject): number {
    const id = traceIdOf(span);
    if (conversation === "" && id === "") return this.#numberOf(loneId(spanIdOf(span), this.length));
    const trace = id === "" ? NONE : this.#numberOf(id);
    if (conversation === "") return -1 - trace;
    const number = this.#numberOf(conversation);
    if (trace !== NONE && this.#ofTrace[trace] === NONE) this.#ofTrace[trace] = number;
    return number;
  }

  #numberOf(id: string): number {
    const number = this.#numbers.of(id);
    if (number === this.#ofTrace.length) this.#ofTrace.push(NONE);
    return number;
  }
}

/** "" where a span names none, nor its resource. */
function conversationOf(attributes: unknown, ofResource: unknown): string {
  return textOf(firstAttribute(attributes, CONVERSATION) ?? firstAttribute(ofResource, CONVERSATION));
}

/** Stands for the conversation of a span that has neither one nor a trace. */
function loneId(spanId: string, index: number): string {
  return `span:${spanId || index}`;
}
