import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";

/** The version of the row that this release writes. */
export const SCHEMA_VERSION = "1";

/** What kind of object a line of a file is, before it is read as a row. */
export type RowShape = "v1" | "hf_flat" | "training" | "engine" | "platform_pull" | "otel" | "loose";

/** Columns of published sets that hold JSON text. */
const FLAT_COLUMNS = ["steps_json", "messages_json", "metadata_json"];

/** The row with its schema version. A version it already names stays, and the row is then the same reference. */
export function stamp(row: Row): Row {
  return "schema_version" in row ? row : { ...row, schema_version: SCHEMA_VERSION };
}

/** The version a row names, as text; "0" for rows from before versions. */
export function versionOf(row: Row): string {
  const version: unknown = row.schema_version;
  return version === null || version === undefined ? "0" : String(version);
}

/**
 * Which of the known shapes a value has; the first that fits.
 *
 * Only version "1" is taken at its word. In the Python SDK any version is, so a row stamped "0" is never brought to
 * canonical form there.
 */
export function detectShape(row: unknown): RowShape {
  if (!isObject(row)) return "loose";
  if (versionOf(row) === SCHEMA_VERSION) return "v1";
  if (FLAT_COLUMNS.some((column) => typeof row[column] === "string")) return "hf_flat";
  const hasSteps = isFilledList(row.steps);
  if (isFilledList(row.messages) && !hasSteps && !("final_text" in row)) return "training";
  if (row.scenario_id !== null && row.scenario_id !== undefined) return "engine";
  if (Array.isArray(row.tool_trace) && !hasSteps) return "platform_pull";
  if (row.conversation_id !== null && row.conversation_id !== undefined) return "otel";
  return "loose";
}

function isFilledList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
