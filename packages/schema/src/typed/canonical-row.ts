import { refuseUnknownVersion } from "../checks/known-versions.ts";
import { detectShape } from "../checks/shape.ts";
import { isObject } from "../is-object.ts";
import { unflattened } from "../readers/flat-columns.ts";
import { loadTraces } from "../readers/load-traces.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";

/**
 * A row from before versions under the names and in the shape of this one: flat columns, loose names and message lists
 * are read as `readRows` reads them, with fractional rewards kept. Any other comes back as it is.
 *
 * @param reader Who asks, for the message
 * @throws SchemaError `bad_value` for what is no object, `unknown_schema_version`
 */
export function canonicalRow(row: Row, reader: string): Row {
  if (!isObject(row)) {
    throw new SchemaError("bad_value", `${reader} got ${JSON.stringify(row)}.`, "Give a row, which is an object.");
  }
  refuseUnknownVersion(row);
  const shape = detectShape(row);
  if (shape === "v1" || shape === "engine" || shape === "otel") return row;
  if (shape === "hf_flat") return unflattened(row);
  // Records with neither an ask nor steps are no traces, and still rows: a grade and a task id may be all there is.
  return loadTraces([row], { keepFractional: true }).rows[0] ?? row;
}
