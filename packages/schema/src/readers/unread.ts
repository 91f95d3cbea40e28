import type { Format } from "./format.ts";

/**
 * Formats that are known by sight and not read yet. Knowing them keeps their files from being misread as loose rows
 * with the wrong score; each moves to a file of its own when its reader is written.
 */

/** Never found in a record: the file is a zip archive, which is seen before any record is. */
export const inspectEval: Format = {
  name: "inspect-eval",
  title: "an Inspect log (.eval)",
  detect: () => false,
};

export const otel: Format = {
  name: "otel",
  title: "OpenTelemetry spans",
  detect: (record) =>
    "resourceSpans" in record ||
    "resource_spans" in record ||
    ("traceId" in record && "spanId" in record && "attributes" in record),
};
