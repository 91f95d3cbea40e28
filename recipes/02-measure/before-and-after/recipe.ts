import { simulate } from "@while/simulate";
import {
  deltaReport,
  evalVariance,
  formatDeltaReport,
  formatEvalVariance,
  formatHoldoutSize,
  holdoutSize,
} from "@while/stats";
import { desk, looked, systemPrompt, tools } from "./agent.ts";

// 1. Before: sixty situations drawn from the tools and the rules, four rollouts each, the whole of it three times. Only
// what the agent itself draws differs between the runs: tasks, worlds and faults are the same.
const shared = { tools, systemPrompt, grader: looked, runs: 3 };
const before = await simulate(desk("desk-1", 0.55), { ...shared, situations: 60, repeats: 4 });
console.log(formatEvalVariance(evalVariance([before.rows])));

// 2. After: the same tasks, pinned. Three changes: one that does nothing, one that helps and one that harms.
for (const [what, agent] of [
  ["nothing was changed", desk("desk-1b", 0.55, 1)],
  ["it looks more often", desk("desk-2", 0.75, 2)],
  ["it looks less often", desk("desk-3", 0.35, 3)],
] as const) {
  const after = await simulate(agent, { ...shared, tasks: before });
  const report = deltaReport(before.rows, after.rows, { target: "pass_at_1" });
  console.log(`\n# ${what} (${after.report.stoppedBecause})\n\n${formatDeltaReport(report)}`);
}

// 3. And a change of five points: would this eval show it?
console.log(`\n${formatHoldoutSize(holdoutSize(0.05, { before: before.rows }))}`);
