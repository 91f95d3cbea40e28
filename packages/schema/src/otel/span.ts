import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { textOf } from "../text/text-of.ts";
import { Attributes } from "./attributes.ts";

/** A span as the reader of traces sees it, whatever exporter wrote it. */
export interface Span {
  name: string;
  /** "" where it has none. */
  traceId: string;
  spanId: string;
  parentId: string;
  /** Nanoseconds since 1970; 0 where it could not be read. */
  start: bigint;
  /** Its start where no end is given. */
  end: bigint;
  attributes: Attributes;
  /** Of the process that made it: what a span does not say itself may be said there. */
  resource: Attributes;
  events: readonly SpanEvent[];
  /** What went wrong; null when the span did not fail, "" when it only says that it failed. */
  error: string | null;
}

export interface SpanEvent {
  name: string;
  attributes: Attributes;
}

/** Whether a record is an export of spans, a list of them, or one span. */
export function holdsSpans(record: SourceObject): boolean {
  if ("resourceSpans" in record || "resource_spans" in record) return true;
  return isSpan(record) || (Array.isArray(record.spans) && record.spans.length > 0 && record.spans.every(isSpan));
}

function isSpan(value: unknown): boolean {
  if (!isObject(value) || !("attributes" in value)) return false;
  const at = isObject(value.context) ? value.context : value;
  return ("traceId" in at && "spanId" in at) || ("trace_id" in at && "span_id" in at);
}

/** A span as its exporter wrote it. */
export interface WrittenSpan {
  span: SourceObject;
  /** The resource that it stands under; undefined where it stands under none, and says its own or nothing. */
  resource: SourceObject | undefined;
}

/** The spans of a record, in their order. What is no span among them is not counted as one. */
export function* spansIn(record: SourceObject): Generator<WrittenSpan> {
  const exported = record.resourceSpans ?? record.resource_spans;
  if (exported === undefined) {
    const spans = Array.isArray(record.spans) ? record.spans : [record];
    for (const span of spans) if (isObject(span)) yield { span, resource: undefined };
    return;
  }
  for (const group of objectsIn(exported)) {
    const resource = resourceOf(group);
    const scopes = objectsIn(group.scopeSpans ?? group.scope_spans ?? group.instrumentationLibrarySpans);
    for (const scope of scopes) for (const span of objectsIn(scope.spans)) yield { span, resource };
  }
}

/** The resource of a span, or of the group of spans around it. */
export function resourceOf({ resource }: SourceObject): SourceObject | undefined {
  return isObject(resource) ? resource : undefined;
}

/** Id of the trace; "" where a span has none. */
export function traceIdOf(span: SourceObject): string {
  const at = contextOf(span);
  return textOf(at.traceId ?? at.trace_id);
}

/** "" where a span has none. */
export function spanIdOf(span: SourceObject): string {
  const at = contextOf(span);
  return textOf(at.spanId ?? at.span_id);
}

/** Nanoseconds since 1970; 0 where it could not be read. */
function startOf(span: SourceObject): bigint {
  return timeOf(span, "start") ?? 0n;
}

/** A span as it is read, with the attributes of its resource. */
export function spanOf(span: SourceObject, resource: Attributes): Span {
  const start = startOf(span);
  return {
    name: textOf(span.name),
    traceId: traceIdOf(span),
    spanId: spanIdOf(span),
    parentId: textOf(span.parentSpanId ?? span.parent_span_id ?? span.parentId ?? span.parent_id),
    start,
    end: timeOf(span, "end") ?? start,
    attributes: new Attributes(span.attributes),
    resource,
    events: objectsIn(span.events).map((event) => ({
      name: textOf(event.name),
      attributes: new Attributes(event.attributes),
    })),
    error: errorOf(span),
  };
}

/** Where the ids of a span stand. */
function contextOf(span: SourceObject): SourceObject {
  return isObject(span.context) ? span.context : span;
}

function objectsIn(value: unknown): SourceObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** null for a time that cannot be read. */
function timeOf(span: SourceObject, which: "start" | "end"): bigint | null {
  const past = which === "start" ? "started" : "ended";
  const nanos = span[`${which}TimeUnixNano`] ?? span[`${which}_time_unix_nano`];
  if (nanos !== undefined) return integerIn(nanos);
  const time = span[`${which}Time`] ?? span[`${which}_time`];
  if (Array.isArray(time)) {
    // Seconds and nanoseconds, as the JavaScript SDK keeps them.
    const [seconds, rest] = time.map(integerIn);
    return seconds === null || seconds === undefined ? null : seconds * 1_000_000_000n + (rest ?? 0n);
  }
  if (typeof time === "string" && /\D/.test(time)) return dateIn(time);
  const millis = span[`${past}Ms`] ?? span[`${past}_ms`] ?? span[`${which}TimeMs`];
  const number = Number(millis ?? Number.NaN);
  if (millis !== undefined && Number.isFinite(number)) return BigInt(Math.round(number * 1e6));
  return time === undefined ? null : integerIn(time);
}

function integerIn(value: unknown): bigint | null {
  if (typeof value === "string" && /^\d+$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? BigInt(Math.round(value)) : null;
}

/** Dates are read to the nanosecond, which `Date` is not. */
function dateIn(text: string): bigint | null {
  const millis = Date.parse(text);
  if (Number.isNaN(millis)) return null;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? "";
  const finer = BigInt(fraction.padEnd(9, "0").slice(3, 9) || "0");
  return BigInt(millis) * 1_000_000n + finer;
}

const FAILED: ReadonlySet<unknown> = new Set([2, "2", "STATUS_CODE_ERROR", "ERROR", "Error", "error"]);

function errorOf({ status, events }: SourceObject): string | null {
  const said = isObject(status) ? status : { code: status };
  const code = said.code ?? said.status_code ?? said.statusCode;
  if (!FAILED.has(code)) return null;
  const raised = objectsIn(events).find(({ name }) => name === "exception");
  const message = raised === undefined ? undefined : new Attributes(raised.attributes).first(["exception.message"]);
  return textOf(message ?? said.message ?? said.description);
}
