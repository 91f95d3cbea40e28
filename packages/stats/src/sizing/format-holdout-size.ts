import { formatFixed, formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { HoldoutSize } from "./holdout-size.ts";

/** How the spread came to be known, in words. */
export const SD_SOURCES: Readonly<Record<HoldoutSize["sdSource"], string>> = {
  rows: "measured on both arms",
  given: "given",
  model: "modelled",
};

/** How many tasks, then what that rests on. */
export function formatHoldoutSize(report: HoldoutSize): string {
  const {
    nTasks,
    nTasksGuards,
    effect,
    power,
    alpha,
    base,
    k,
    taskStd,
    sdSource,
    halfWidth,
    saturated,
    notes,
    warnings,
  } = report;
  const rollouts = Number.isInteger(k) ? String(k) : formatFixed(k, 1);
  return [
    `${saturated ? "not sized by what was given, by a model " : ""}${countOf(nTasks, "task")} to prove a gain of ${formatPercent(effect, 1)} (power ${formatPercent(power)}, alpha ${alpha})`,
    `  base ${formatFixed(base, 2)}, ${rollouts} rollouts a task; a task's difference has std ${formatFixed(taskStd, 3)}, ` +
      `${SD_SOURCES[sdSource]}; interval ±${formatFixed(halfWidth, 3)}`,
    ...(nTasksGuards === null
      ? []
      : [`  ${countOf(nTasksGuards, "task")} to see a drop as large of any guard, if its differences spread as much`]),
    ...warnings.map(({ text }) => `  ${text}`),
    ...notes.map((note) => `  ${note}`),
  ].join("\n");
}
