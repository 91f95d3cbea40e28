import type { SourceObject } from "../json/record-reader.ts";
import type { WaitingRecords } from "../json/waiting-records.ts";
import { textOf } from "../text/text-of.ts";
import { firstAttribute } from "./attributes.ts";
import type { SpanGroup } from "./otel-row.ts";
import { SharedResources } from "./shared-resources.ts";
import { resourceOf, type Span, spanIdOf, spanOf, traceIdOf, type WrittenSpan } from "./span.ts";

const CONVERSATION = ["gen_ai.conversation.id", "conversation.id", "session.id", "gen_ai.session.id", "thread.id"];

/** A span that stands under no resource, and says its own or nothing. */
const NONE = -1;

/**
 * Spans until their file has ended, and then their conversations: the spans that name one, and those of the same trace
 * that name none. They may stand anywhere. In memory are three numbers a span, and the ids.
 */
export class WaitingSpans {
  readonly #records: WaitingRecords;
  /** Ids of conversations and traces, numbered as they were met: a trace without a conversation is one. */
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  /** The conversation that the first span of a trace to name one has named. */
  readonly #ofTrace = new Map<number, number>();
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
    const around = resourceOf(span) ?? resource;
    const said = firstAttribute(span.attributes, CONVERSATION) ?? firstAttribute(around?.attributes, CONVERSATION);
    this.#groups.push(this.#groupOf(textOf(said), span));
    if (resource !== this.#lastResource) {
      this.#lastResource = resource;
      this.#lastKept = resource === undefined ? NONE : this.#records.put(resource);
    }
    this.#resources.push(this.#lastKept);
    this.#kept.push(this.#records.put(span));
  }

  /** Conversations in the order of their first span, each read when it is walked to. */
  conversations(): { length: number; groups: Iterable<SpanGroup> } {
    const spans = new Map<number, number[]>();
    for (const [index, group] of this.#groups.entries()) {
      const number = group >= 0 ? group : (this.#ofTrace.get(-1 - group) ?? -1 - group);
      const list = spans.get(number);
      if (list === undefined) spans.set(number, [index]);
      else list.push(index);
    }
    return { length: spans.size, groups: this.#read(spans) };
  }

  *#read(spans: ReadonlyMap<number, readonly number[]>): Generator<SpanGroup> {
    for (const [number, indexes] of spans) {
      const resources = new SharedResources();
      yield { id: this.#ids[number]!, spans: indexes.map((index) => this.#spanAt(index, resources)) };
    }
  }

  #spanAt(index: number, resources: SharedResources): Span {
    const span = this.#records.at(this.#kept[index]!);
    const kept = this.#resources[index]!;
    const read = spanOf(span, resources.of(resourceOf(span) ?? (kept === NONE ? undefined : this.#records.at(kept))));
    // What names the conversation is said by the row.
    if (read.attributes.first(CONVERSATION) === undefined) read.resource.first(CONVERSATION);
    return read;
  }

  #groupOf(conversation: string, span: SourceObject): number {
    const trace = traceIdOf(span);
    if (conversation === "") {
      if (trace === "") return this.#numberOf(`span:${spanIdOf(span) || this.length}`);
      return -1 - this.#numberOf(trace);
    }
    const number = this.#numberOf(conversation);
    if (trace !== "" && !this.#ofTrace.has(this.#numberOf(trace))) this.#ofTrace.set(this.#numberOf(trace), number);
    return number;
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#numbers.set(id, this.#ids.length);
    this.#ids.push(id);
    return this.#ids.length - 1;
  }
}
