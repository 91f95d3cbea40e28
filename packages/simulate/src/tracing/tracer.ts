/** What an attribute of a span may be. */
export type SpanAttribute = string | number | boolean | string[];

/** A span that is under way, as OpenTelemetry's API has it. */
export interface TraceSpan {
  setAttribute(key: string, value: SpanAttribute): unknown;
  /** 1 is well, 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
  spanContext(): { traceId: string; spanId: string };
}

/**
 * What makes spans: a tracer of OpenTelemetry's API, as `trace.getTracer("…")` gives one, or `otlpFile` of
 * `@while/simulate/files`. A span that is started within another is its child.
 */
export interface Tracer {
  startActiveSpan<Result>(
    name: string,
    options: { kind?: number; attributes?: Record<string, SpanAttribute> },
    work: (span: TraceSpan) => Result,
  ): Result;
}

/** Where the spans of a run go, and whether they hold what was said. */
export interface Tracing {
  tracer: Tracer;
  /** Prompts, answers, arguments and results are written down too. */
  content: boolean;
}

// Kinds and statuses, by OpenTelemetry's API.
export const INTERNAL = 0;
export const CLIENT = 2;
const ERROR = 2;

/**
 * Does work within a span. What it throws is the span's error, and passes on.
 *
 * @param work Is given null where nobody traces
 */
export async function traced<Result>(
  tracing: Tracing | null,
  name: string,
  options: { kind?: number; attributes?: Record<string, SpanAttribute> },
  work: (span: TraceSpan | null) => Promise<Result>,
): Promise<Result> {
  if (tracing === null) return await work(null);
  return await tracing.tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      fail(
        span,
        error instanceof Error ? error.name : typeof error,
        error instanceof Error ? error.message : String(error),
      );
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. */
export function fail(span: TraceSpan, type: string, message: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: ERROR, message });
}

/** The header by which a server's own spans join this one. W3C Trace Context. */
export function traceparentOf(span: TraceSpan): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}
