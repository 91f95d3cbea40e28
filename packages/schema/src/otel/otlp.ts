/** A value of an attribute in OTLP/JSON: 64-bit integers are decimal text, lists and objects have wrappers. */
export type OtlpValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number }
  | { arrayValue: { values: OtlpValue[] } }
  | { kvlistValue: { values: OtlpAttribute[] } };

export interface OtlpAttribute {
  key: string;
  value: OtlpValue;
}

export interface OtlpSpan {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits. */
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1 is internal, 3 a call to another service. */
  kind: number;
  /** Nanoseconds since 1970, as decimal text. */
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: OtlpAttribute[];
  /** 2 is an error; absent when nothing was said. */
  status?: { code: number; message?: string };
}

/** One ExportTraceServiceRequest: what is posted to `/v1/traces`, and one line of the collector's file exporter. */
export interface OtlpTraces {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] };
    scopeSpans: { scope: { name: string }; spans: OtlpSpan[] }[];
  }[];
}

/** An attribute that is text. */
export function textAttribute(key: string, text: string): OtlpAttribute {
  return { key, value: { stringValue: text } };
}

/** An attribute that is a double, also where the number is whole. */
export function doubleAttribute(key: string, number: number): OtlpAttribute {
  return { key, value: { doubleValue: number } };
}
