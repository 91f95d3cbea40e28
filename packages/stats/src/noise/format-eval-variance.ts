import { formatFixed } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { EvalVariance } from "./eval-variance.ts";

/** How far two scorings differ by chance, then the runs, then the other metrics, then what has to be known. */
export function formatEvalVariance(report: EvalVariance): string {
  const { metric, nRuns, mean, means, runStdPoints, stability, noiseFloorPoints, noiseBand, warnings } = report;
  const { runStdByMetric, nRunsByMetric, tasksInEveryRun } = report;
  const runs = Array.from(means, ([label, value]) => `${label}: ${formatFixed(value, 3)}`);
  const others = Array.from(runStdByMetric).filter(([name, std]) => name !== metric && std !== null);
  const lines = [
    runStdPoints === null
      ? `${metric} from run to run: not measured, ${countOf(nRuns, "run")}`
      : `${metric} moves by ${formatFixed(runStdPoints, 2)} points from run to run (${stability}): two scorings differ by ` +
        `up to ${formatFixed(noiseFloorPoints, 2)} points by chance`,
    `  mean ${formatFixed(mean, 3)} over ${countOf(nRuns, "run")}, ${countOf(tasksInEveryRun, "task")} in every run`,
    ...(runs.length === 0 ? [] : [`  ${runs.join(", ")}`]),
    ...(noiseBand === null
      ? []
      : [`  band of 1.96, were the spread exact: ${formatFixed(noiseBand, 4)}; hold gains against the points above`]),
    ...others.map(
      ([name, std]) => `  ${name}: run std ${formatFixed(std, 4)} over ${countOf(nRunsByMetric.get(name)!, "run")}`,
    ),
  ];
  return [...lines, ...warnings.map(({ text }) => `  ${text}`)].join("\n");
}
