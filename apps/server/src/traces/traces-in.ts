import { isObject } from "@while/schema";

type Part = Record<string, unknown>;

/** One trace of an export: its spans with the resources they came under, and what names its agent and its set. */
export interface TraceIn {
  traceId: string;
  /** Null where no span and no resource names one. */
  agent: string | null;
  dataset: string | null;
  /** An export with the spans of this trace alone. */
  export: Part;
  /** Start of a span that is no count of nanoseconds, as it came; null when all are. */
  badStart: { span: string; value: string } | null;
}

/** Starts below this are seconds or milliseconds: 10^15 ns is the eleventh day of 1970. */
const LEAST_NS = 10n ** 15n;

const list = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isObject) : []);

function attribute(holder: Part, names: readonly string[]): string | null {
  for (const name of names) {
    const found = list(holder.attributes).find(({ key }) => key === name)?.value;
    if (isObject(found) && typeof found.stringValue === "string" && found.stringValue.trim() !== "")
      return found.stringValue;
  }
  return null;
}

function badStart(span: Part): TraceIn["badStart"] {
  const value = String(span.startTimeUnixNano ?? span.start_time_unix_nano ?? "0");
  if (!/^\d{1,30}$/.test(value)) return null;
  const start = BigInt(value);
  return start > 0n && start < LEAST_NS ? { span: String(span.name ?? span.spanId ?? ""), value } : null;
}

/** The traces of an export in the order they appear. A batch of spans may hold several, and several batches one. */
export function tracesIn(body: Part): TraceIn[] {
  const traces = new Map<string, TraceIn & { resources: Part[] }>();
  for (const resourceSpans of list(body.resourceSpans ?? body.resource_spans)) {
    const resource = isObject(resourceSpans.resource) ? resourceSpans.resource : {};
    for (const scopeSpans of list(resourceSpans.scopeSpans ?? resourceSpans.scope_spans)) {
      for (const [traceId, spans] of byTrace(list(scopeSpans.spans))) {
        const trace = traces.get(traceId) ?? {
          traceId,
          agent: null,
          dataset: null,
          export: {},
          badStart: null,
          resources: [],
        };
        trace.resources.push({ resource, scopeSpans: [{ ...scopeSpans, spans }] });
        for (const span of spans) {
          trace.agent ??= attribute(span, ["gen_ai.agent.name"]);
          trace.badStart ??= badStart(span);
        }
        trace.agent ??= attribute(resource, ["gen_ai.agent.name"]);
        trace.dataset ??= attribute(resource, ["whileai.dataset", "zeroproof.dataset", "service.name"]);
        traces.set(traceId, trace);
      }
    }
  }
  return [...traces.values()].map(({ resources, ...trace }) => ({ ...trace, export: { resourceSpans: resources } }));
}

function idOf(span: Part): string {
  return String(span.traceId ?? span.trace_id ?? "").toLowerCase();
}

function byTrace(spans: readonly Part[]): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const span of spans) {
    const group = groups.get(idOf(span));
    if (group === undefined) groups.set(idOf(span), [span]);
    else group.push(span);
  }
  return groups;
}
