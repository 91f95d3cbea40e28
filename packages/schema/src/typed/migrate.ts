import { KNOWN_VERSIONS } from "../checks/known-versions.ts";
import { SCHEMA_VERSION, versionOf } from "../checks/shape.ts";
import { fromMessages } from "../conversation/from-messages.ts";
import { stepsOf } from "../conversation/steps-of.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { canonicalRow } from "./canonical-row.ts";

/** From each version to the next; pure, and a row that is in order already comes back as it is. */
const STEPS: ReadonlyMap<string, (row: Row) => Row> = new Map([["0", fromUnversioned]]);

/**
 * The row as a version has it: one step a version, each of which keeps every key it has no other name for. A row of that
 * version is the same reference.
 *
 * @param to This release's own, unless told otherwise
 * @throws SchemaError `bad_value` for what is no object; `unknown_schema_version` for a row that a later release wrote;
 *   `bad_option` for a version that this release does not know, or that is older than the row's
 */
export function migrate(row: Row, to: string = SCHEMA_VERSION): Row {
  const target = KNOWN_VERSIONS.indexOf(to);
  if (target < 0) {
    const known = KNOWN_VERSIONS.map((version) => `"${version}"`).join(" and ");
    throw new SchemaError("bad_option", `There is no version ${JSON.stringify(to)} of the row.`, `Pass ${known}.`);
  }
  let migrated = row;
  canonicalRow(row, "migrate");
  for (let at = KNOWN_VERSIONS.indexOf(versionOf(row)); at !== target; at++) {
    if (at > target) {
      throw new SchemaError(
        "bad_option",
        `The row has schema_version ${JSON.stringify(versionOf(row))}, which is later than ${JSON.stringify(to)}.`,
        "Rows are not taken back to an older version: keep the file they came from.",
      );
    }
    migrated = STEPS.get(KNOWN_VERSIONS[at]!)!(migrated);
  }
  return migrated;
}

/** Version 1 has one name for each thing, and always a prompt, steps and a last reply. */
function fromUnversioned(row: Row): Row {
  const named = canonicalRow(row, "migrate");
  const told = fromMessages(Array.isArray(named.messages) ? named.messages : []);
  const steps = Array.isArray(named.steps) ? named.steps : [...stepsOf(named)];
  const said = steps.findLast((step) => typeof step?.text === "string" && !("tool" in step));
  return {
    ...named,
    schema_version: SCHEMA_VERSION,
    prompt: named.prompt ?? told.prompt,
    steps,
    final_text: named.final_text ?? (told.final_text || textOf(said?.text)),
  };
}
