import { formatFixed, formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import { SD_SOURCES } from "./format-holdout-size.ts";
import type { ResolvableEffect } from "./resolvable-effect.ts";

/** The smallest gain, then what that rests on. */
export function formatResolvableEffect(report: ResolvableEffect): string {
  const { nTasks, effect, power, alpha, base, k, taskStd, sdSource, nPaired, saturated, warnings } = report;
  const tested = `(power ${formatPercent(power)}, alpha ${alpha})`;
  const tasks = countOf(nTasks, "task");
  const verdict =
    effect === null
      ? `${tasks} show no gain that fits above a base of ${formatFixed(base, 2)} ${tested}: take more tasks, or harder ones`
      : `${saturated ? "not by this base, by a model: " : ""}${tasks} show a gain of ${formatPercent(effect, 1)} or more ${tested}`;
  const source =
    nPaired === null ? SD_SOURCES[sdSource] : `${SD_SOURCES[sdSource]} (${countOf(nPaired, "paired task")})`;
  const rollouts = Number.isInteger(k) ? String(k) : formatFixed(k, 1);
  return [
    verdict,
    `  base ${formatFixed(base, 2)}, ${rollouts} rollouts a task` +
      (taskStd === null ? "" : `; a task's difference has std ${formatFixed(taskStd, 3)}, ${source}`),
    ...warnings.map(({ text }) => `  ${text}`),
  ].join("\n");
}
