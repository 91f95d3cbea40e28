import { SelectError } from "../select-error.ts";

/**
 * Parts of feature names; empty ones match nothing and leave.
 *
 * @throws SelectError `bad_option` for anything but a list of texts
 */
export function checkEndorsed(endorsed: unknown): readonly string[] {
  if (Array.isArray(endorsed) && endorsed.every((pattern) => typeof pattern === "string")) {
    return endorsed.filter((pattern) => pattern !== "");
  }
  throw new SelectError(
    "bad_option",
    `endorsed is ${JSON.stringify(endorsed)}.`,
    'Pass a list of parts of feature names: ["marker:grounded"].',
  );
}
