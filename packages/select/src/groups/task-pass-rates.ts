import { groupByTask, isObject, type Row } from "@while/schema";
import { passLabel } from "@while/stats";

/** The measured difficulty of a task. */
export interface TaskRate {
  /** Share of its rollouts that passed. */
  rate: number;
  /** Rollouts it was measured on; null when a stamp does not say. */
  n: number | null;
  /** Counted here from labels, or carried on a row as `pass_rate`. */
  from: "labels" | "stamp";
}

/**
 * Pass rate per task, in the order of first rows: the mean of its labels, or, for a task without labels, the
 * `pass_rate` one of its rows carries (on the row, else in its `calibration` stamp). Tasks with neither are absent.
 */
export function taskPassRates(rows: readonly Row[]): Map<string, TaskRate> {
  const rates = new Map<string, TaskRate>();
  for (const [task, group] of groupByTask(rows.filter(isObject)).groups) {
    const rate = rateOfLabels(labelsOf(group)) ?? stampedRate(group);
    if (rate !== null) rates.set(task, rate);
  }
  return rates;
}

/** The outcomes of rows, those without one left out. */
export function labelsOf(rows: readonly Row[]): number[] {
  const labels: number[] = [];
  for (const row of rows) {
    const label = passLabel(row);
    if (label !== null) labels.push(label);
  }
  return labels;
}

/** Labels by task, in the order of first rows; a task without labels is absent. */
export function labelsByTask(rows: readonly Row[]): Map<string, number[]> {
  const byTask = new Map<string, number[]>();
  for (const [task, group] of groupByTask(rows.filter(isObject)).groups) {
    const labels = labelsOf(group);
    if (labels.length > 0) byTask.set(task, labels);
  }
  return byTask;
}

function rateOfLabels(labels: readonly number[]): TaskRate | null {
  if (labels.length === 0) return null;
  return { rate: passesIn(labels) / labels.length, n: labels.length, from: "labels" };
}

/** How many of some labels are passes. */
export function passesIn(labels: readonly number[]): number {
  return labels.reduce((passes, label) => passes + label, 0);
}

function stampedRate(group: readonly Row[]): TaskRate | null {
  for (const row of group) {
    for (const stamp of [row, row.calibration]) {
      if (!isObject(stamp) || !isShare(stamp.pass_rate)) continue;
      const n = typeof stamp.n === "number" && stamp.n > 0 ? stamp.n : null;
      return { rate: stamp.pass_rate, n, from: "stamp" };
    }
  }
  return null;
}

function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}
