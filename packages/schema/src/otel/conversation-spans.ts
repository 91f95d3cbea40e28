import type { Message } from "../row.ts";
import { History } from "./history.ts";
import type { Span } from "./span.ts";
import { contentOf, type ModelContent, operationOf, type ToolContent } from "./span-content.ts";

/** A span of one conversation, with what is known of its place among the others. */
export interface PlacedSpan {
  span: Span;
  operation: string;
  content: ModelContent | ToolContent | null;
  /** Whether it lies inside the run of a tool. */
  isInTool: boolean;
  /** Position of the last span inside it that recorded content; null when none did. */
  lastInside: number | null;
}

/** No agent nests its spans so deep; a chain of parents that is longer goes in circles. */
const MAX_DEPTH = 512;

/**
 * The spans of a conversation in the order in which they began. At one time those around others come first, and then it
 * is the order in which they came: exporters write a span when it ends, so that children stand before their parents.
 */
export function placed(spans: readonly Span[], seen: Set<string>): PlacedSpan[] {
  const all = spans.map((span): PlacedSpan => {
    const operation = operationOf(span);
    return { span, operation, content: contentOf(span, operation, seen), isInTool: false, lastInside: null };
  });
  const byId = new Map(all.map((one) => [idOf(one.span), one]));
  const depths = new Map(all.map((one) => [one, [...ancestorsOf(one, byId)].length]));
  all.sort((a, b) => {
    if (a.span.start !== b.span.start) return a.span.start < b.span.start ? -1 : 1;
    return depths.get(a)! - depths.get(b)!;
  });
  for (const [index, one] of all.entries()) {
    for (const around of ancestorsOf(one, byId)) {
      if (around.content?.kind === "tool") one.isInTool = true;
      if (one.content !== null) around.lastInside = index;
    }
  }
  return all;
}

/** The spans around one, from the inside out. */
export function* ancestorsOf(one: PlacedSpan, byId: ReadonlyMap<string, PlacedSpan>): Generator<PlacedSpan> {
  let { span } = one;
  for (let depth = 0; depth < MAX_DEPTH && span.parentId !== ""; depth++) {
    const around = byId.get(`${span.traceId} ${span.parentId}`);
    if (around === undefined || around === one) return;
    yield around;
    span = around.span;
  }
}

/** By which a child names it. */
export function idOf({ traceId, spanId }: Span): string {
  return `${traceId} ${spanId}`;
}

/** What the spans of a conversation tell. */
export interface ToldSpans {
  /** The agent's rules first. */
  messages: Message[];
  /** The call of a model that ended last with an answer. */
  last: PlacedSpan | null;
}

/**
 * The conversation of some spans. What a model does inside the run of a tool is that tool's own work and not told; a
 * span that holds others comes to its conclusion after them.
 */
export function toldBySpans(all: readonly PlacedSpan[]): ToldSpans {
  const isLed = all.some(({ content, isInTool }) => content?.kind === "model" && !isInTool);
  const history = new History();
  const ends = new Map<number, ModelContent[]>();
  let rules: readonly Message[] = [];
  let last: PlacedSpan | null = null;
  for (const [index, one] of all.entries()) {
    const { content, isInTool, lastInside } = one;
    if (content !== null && !(isLed && isInTool)) {
      if (content.kind === "tool") history.ran(content, 2 * index);
      else {
        if (rules.length === 0) rules = content.system;
        history.sent(content.inputs, 2 * index);
        if (lastInside === null) history.answered(content.outputs, 2 * index);
        else ends.set(lastInside, [content, ...(ends.get(lastInside) ?? [])]);
        if (content.outputs.length > 0 && (last === null || one.span.end >= last.span.end)) last = one;
      }
    }
    for (const { outputs } of ends.get(index) ?? []) history.concluded(outputs, 2 * index + 1);
  }
  return { messages: history.isEmpty ? [] : [...rules, ...history.messages()], last };
}
