import type { Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import { StatsError } from "../stats-error.ts";
import { isNonFiniteMarker, markerValue } from "./marker-value.ts";
import { binaryReward, passLabel } from "./pass-label.ts";

/** `pass_at_1`, or `marker:` and the name of a marker (which may hold colons itself). */
export type Metric = "pass_at_1" | `marker:${string}`;

/** How a metric is read off a row. */
export interface MetricReader {
  value: (row: Row) => number | null;
  isNonFinite: (row: Row) => boolean;
}

const MARKER = "marker:";

/**
 * @throws StatsError `bad_metric` for a name of neither form
 */
export function metricReader(metric: string, inference: Inference): MetricReader {
  if (metric === "pass_at_1") {
    // The Python SDK reads qwen_reward in pass@k alone, so two of its reports count different tasks.
    return { value: inference === "strict" ? passLabel : (row) => binaryReward(row), isNonFinite: () => false };
  }
  if (metric.startsWith(MARKER) && metric.length > MARKER.length) {
    const name = metric.slice(MARKER.length);
    return { value: (row) => markerValue(row, name), isNonFinite: (row) => isNonFiniteMarker(row, name) };
  }
  throw new StatsError("bad_metric", `There is no metric ${metric}.`, "Use pass_at_1 or marker:<name>.");
}
