import { OtelReader } from "../otel/otel-reader.ts";
import { holdsSpans } from "../otel/span.ts";
import type { Format } from "./format.ts";

/**
 * OpenTelemetry spans as JSON: exports as one document or a line each (the collector's file exporter), lists of spans,
 * and spans as SDKs print them. Messages are read in the GenAI conventions of today and before, as attributes and as
 * events, and as OpenInference and OpenLLMetry number them.
 */
export const otlp: Format = {
  name: "otlp",
  title: "OpenTelemetry spans",
  detect: holdsSpans,
  open: (context) => new OtelReader(context),
};
