import { compareCodePoints, type Row } from "@while/schema";
import type { Metric } from "../rows/metric.ts";
import type { Warning } from "../warning.ts";
import type { RunPair } from "./run-pair.ts";

/**
 * The markers of traces are read off by rules that get better, and rows say by which (`trace_rules`). Sides that were
 * stamped by different ones differ in what is looked for, and that looks like a change of what was done. Rows that name
 * no rules say nothing.
 *
 * @param metrics What is compared: pass@1 has no such rules
 * @param names What the two sides are called
 */
export function ruleChange(
  { a, b }: RunPair,
  metrics: Iterable<Metric>,
  names: readonly [before: string, after: string],
): Warning<"rules_differ"> | null {
  if ([...metrics].every((metric) => metric === "pass_at_1")) return null;
  const [rulesA, rulesB] = [rulesOf(a.rows), rulesOf(b.rows)];
  if (rulesA === "" || rulesB === "" || rulesA === rulesB) return null;
  const text = `the trace markers were stamped by the rules ${rulesA} ${names[0]} and ${rulesB} ${names[1]}, and a change of rules looks like a change of behavior: stamp both sides by one set`;
  return { code: "rules_differ", text };
}

function rulesOf(rows: readonly Row[]): string {
  const rules = new Set<string>();
  for (const { trace_rules: rule } of rows) if (typeof rule === "string" && rule !== "") rules.add(rule);
  return [...rules].sort(compareCodePoints).join(" and ");
}
