import { SchemaError } from "./schema-error.ts";

/**
 * How the camelCase fields of a report are spelled in files, in `--json` and over HTTP. A table and not a
 * converter: `passAt1` is `pass_at_1`, and a new field has to be given its spelling on purpose.
 * Names without a capital letter are the same on both sides and are not listed.
 */
const WIRE_KEYS: ReadonlyMap<string, string> = new Map([
  // @while/schema
  ["nRows", "n_rows"],
  ["nChecked", "n_checked"],
  ["nLeaked", "n_leaked"],
  ["looksExported", "looks_exported"],
  ["minLen", "min_len"],
  ["scenarioId", "scenario_id"],
  ["rolloutIndex", "rollout_index"],
  ["nWithoutKey", "n_without_key"],
  ["nAssigned", "n_assigned"],
  ["nRenamed", "n_renamed"],
  ["taskId", "task_id"],
  ["passRate", "pass_rate"],
  ["meanKl", "mean_kl"],
  ["passRateCi95", "pass_rate_ci95"],
  ["promptHash", "prompt_hash"],
  // @while/stats
  // @while/select
  // @while/export
  // @while/cli
]);

/**
 * The wire form of a plain-data report: keys by the table, Maps as objects (their keys are the user's and stay),
 * intervals as two-element arrays, absent as null.
 *
 * @throws SchemaError `unlisted_key` for a field the table does not know, `not_finite` for a NaN or an infinity
 */
export function toWire(report: unknown): unknown {
  if (typeof report === "number") {
    if (!Number.isFinite(report)) {
      throw new SchemaError(
        "not_finite",
        `A report holds the number ${report}.`,
        "Write null with a reason beside it.",
      );
    }
    return report;
  }
  if (report === undefined) return null;
  if (report === null || typeof report !== "object") return report;
  if (Array.isArray(report) || ArrayBuffer.isView(report)) return Array.from(report as ArrayLike<unknown>, toWire);
  if (report instanceof Map) return Object.fromEntries(Array.from(report, ([key, value]) => [key, toWire(value)]));
  return Object.fromEntries(
    Object.entries(report)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [wireKey(key), toWire(value)]),
  );
}

function wireKey(key: string): string {
  if (!/[A-Z]/.test(key)) return key;
  const wire = WIRE_KEYS.get(key);
  if (wire === undefined) {
    throw new SchemaError("unlisted_key", `The report field ${key} has no wire spelling.`, "Add it to WIRE_KEYS.");
  }
  return wire;
}
