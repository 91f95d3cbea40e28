import type { SourceObject } from "../json/record-reader.ts";
import { SchemaError } from "../schema-error.ts";
import { labelOf } from "./load-traces.ts";

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
 * The metric that the user named; null where this rollout lacks it and others may have it.
 *
 * @throws SchemaError `bad_option` naming those there are, when none is called that and the record has some
 */
export function chosenMetric(metrics: Record<string, number>, metric: string, tool: string): number | null {
  if (Object.hasOwn(metrics, metric)) return metrics[metric]!;
  const names = Object.keys(metrics);
  if (names.length === 0) return null;
  throw new SchemaError(
    "bad_option",
    `The results of ${tool} have no metric ${metric}.`,
    `Pass metric: one of ${names.join(", ")}.`,
  );
}
