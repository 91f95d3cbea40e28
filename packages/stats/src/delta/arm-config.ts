import { isObject, type Row } from "@while/schema";
import { type RunConfig, RunConfigTally } from "../config/run-config.ts";
import type { Inference } from "../inference.ts";
import { defaultK } from "../pass-at/k-way.ts";
import { OutcomeTable } from "../pass-at/outcome-table.ts";

/** What one side was made with: the `config` of its `passAt`, without the intervals that nobody reads here. */
export function armConfig(rows: readonly Row[], inference: Inference): RunConfig {
  const table = new OutcomeTable(inference);
  const config = new RunConfigTally();
  for (const row of rows) {
    if (!isObject(row)) continue;
    table.add(row);
    config.add(row);
  }
  const outcomes = table.outcomes();
  return config.report({ nTasks: outcomes.order.length, k: defaultK(outcomes) });
}
