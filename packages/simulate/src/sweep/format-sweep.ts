import { formatFixed, padToWidth } from "@while/schema";
import { formatAttribution } from "../attribute/format-attribution.ts";
import type { SweepReport } from "./sweep-report.ts";

/** Under so many asks the platform takes a claim for unproven. */
const MIN_ASKS = 50;
/** With fewer runs the floor says more of the number of runs than of the agent. */
const FEW_RUNS = 3;

/** A sweep as text: whether there is a winner, the table, and what it takes to be one. */
export function formatSweep({
  behavior,
  variants,
  best,
  nAsks,
  k,
  noiseFloor,
  noiseRuns,
  runStd,
  attribution,
  warnings,
}: SweepReport): string {
  const head =
    best === null
      ? `no winner: no variant clears all others on ${behavior}`
      : `${best} clears all others on ${behavior}`;
  const table = [
    ["variant", "model", "pass@1", "±", "asks", "graded"],
    ...variants.map(({ label, model, scores, gradedRows }) => {
      const { score, ci, n } = scores.get(behavior)!;
      return [label, model ?? "", formatFixed(score, 1), formatFixed(ci, 1), String(n), String(gradedRows)];
    }),
  ];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const lines = [
    head,
    ...table.map((row) => `  ${row.map((cell, at) => padToWidth(cell, widths[at]!)).join("  ")}`.trimEnd()),
  ];
  lines.push(`  ${nAsks} asks, ${k} rollouts each`);
  if (noiseFloor === null) lines.push("  noise floor not measured: run the first variant again with noiseRuns 3");
  else {
    const few = noiseRuns < FEW_RUNS ? `; ${noiseRuns} runs are few, 3 would narrow it` : "";
    lines.push(
      `  noise floor ${formatFixed(noiseFloor, 1)} points (run std ${formatFixed(100 * (runStd ?? 0), 1)} over ${noiseRuns} runs)${few}`,
    );
  }
  if (new Set(variants.map(({ scores }) => scores.get(behavior)!.n)).size > 1) {
    lines.push("  the variants were scored on different numbers of asks: no comparison holds");
  }
  if (nAsks < MIN_ASKS) lines.push(`  ${nAsks} asks are under ${MIN_ASKS}: a claim on them stays unproven`);
  if (attribution !== null)
    lines.push(
      ...formatAttribution(attribution)
        .split("\n")
        .map((line) => `  ${line}`),
    );
  return [...lines, ...warnings.map((warning) => `warning: ${warning}`)].join("\n");
}
