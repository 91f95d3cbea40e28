import { SchemaError } from "../schema-error.ts";

/** What a behavior may be called on the platform. */
const BEHAVIOR_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** Characters of the longest name. */
const BEHAVIOR_NAME_MAX = 64;

/**
 * Refuses what cannot be the name of a behavior, before anything is run or posted under it: it is part of a URL and the
 * key of a marker.
 *
 * @param what Where the name came from and can be changed, e.g. `HarnessSweep(behavior)`
 * @throws SchemaError `bad_value`
 */
export function checkBehaviorName(name: string, what: string): void {
  const fix = `Rename it in ${what}: a verb phrase in snake_case that says what a pass looks like, such as refund_policy.`;
  if (!BEHAVIOR_NAME.test(name)) {
    throw new SchemaError(
      "bad_value",
      `The behavior ${JSON.stringify(name)} is not letters, digits, ".", "_" and "-", beginning with a letter or digit.`,
      fix,
    );
  }
  if (name.length > BEHAVIOR_NAME_MAX) {
    throw new SchemaError(
      "bad_value",
      `The behavior ${name} has ${name.length} characters of ${BEHAVIOR_NAME_MAX}.`,
      fix,
    );
  }
}
