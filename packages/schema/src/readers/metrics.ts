import type { SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { labelOf } from "./load-traces.ts";
import type { ReadOptions } from "./read-options.ts";

/** The numbers of an object, booleans as 0 and 1, by their keys. What is no number stays with the caller. */
export function numbersOf(values: SourceObject): Record<string, number> {
  // Pairs and not assignments: a metric may be called __proto__.
  const pairs: [string, number][] = [];
  for (const [name, value] of Object.entries(values)) {
    const number = labelOf(value);
    if (number !== null) pairs.push([name, number]);
  }
  return Object.fromEntries(pairs);
}

/**
 * The first of the metrics that the user named; null where a rollout has none at all.
 *
 * @throws SchemaError `bad_option` naming those there are, when none is called that
 */
export function namedMetric(metrics: Record<string, number>, { rewardKey = [] }: ReadOptions): string | null {
  const wanted = typeof rewardKey === "string" ? [rewardKey] : rewardKey;
  const names = Object.keys(metrics);
  const found = wanted.find((name) => names.includes(name));
  if (found !== undefined || names.length === 0) return found ?? null;
  throw new SchemaError(
    "bad_option",
    `There is no metric ${wanted.join(" or ")}.`,
    `Pass rewardKey as one of ${names.join(", ")}.`,
  );
}
