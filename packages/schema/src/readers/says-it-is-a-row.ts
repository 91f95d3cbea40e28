import type { SourceObject } from "../json/record-reader.ts";

/** A row may hold whatever a foreign format holds; one that says it is a row is read as a row. */
export function saysItIsARow(record: SourceObject): boolean {
  return record.schema_version !== undefined || record.scenario_id !== undefined;
}
