import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { SCHEMA_VERSION, versionOf } from "./shape.ts";

/** Versions of the row that this release reads, oldest first; "0" is from before versions. */
export const KNOWN_VERSIONS: readonly string[] = ["0", SCHEMA_VERSION];

export function isKnownVersion(row: Row): boolean {
  return row.schema_version === SCHEMA_VERSION || KNOWN_VERSIONS.includes(versionOf(row));
}

/** @throws SchemaError `unknown_schema_version` for a row that a later release wrote */
export function refuseUnknownVersion(row: Row): void {
  if (isKnownVersion(row)) return;
  throw new SchemaError(
    "unknown_schema_version",
    `The row has schema_version ${JSON.stringify(versionOf(row))}.`,
    'This release reads "0" and "1": update it, or write the rows with an older one.',
  );
}
