import { calibrationStamp, groupByTask, isObject, type PolicyRef, type Row, taskKey } from "@while/schema";
import { type PassAt, passAt, passLabel } from "@while/stats";
import { labelsOf, passesIn } from "../groups/task-pass-rates.ts";
import { asJudged } from "../rows/as-judged.ts";
import { calibrationFor, type StudentOptions, studentOf } from "./carry-calibration.ts";

export interface CalibrationReport {
  /** Tasks with a label. */
  nTasks: number;
  nRows: number;
  /** Rows that carry a stamp now. */
  nStamped: number;
  /** Of those, rows that kept a stamp measured on more rollouts of the same student. */
  nCarried: number;
  /** Rows without a label or without a task, left as they were. */
  nUnstamped: number;
  /** The student named in the call; null when each row's own version was stamped. */
  student: PolicyRef | null;
  /** Of the rows in hand, with rewards as they stand. */
  passAt: PassAt;
}

/**
 * Stamps every labelled row with the difficulty of its task, counted over the rows in hand. A stamp that a row
 * brings stays when it rests on more rollouts of the same student: those were counted before something was dropped.
 *
 * A row under the overlong penalty counts with the reward it had before: the stamp is the rate the grader saw.
 *
 * @returns New rows; the ones passed in are not changed
 * @throws SelectError `bad_option`
 */
export function calibrate(
  rows: readonly Row[],
  options: StudentOptions = {},
): { rows: Row[]; report: CalibrationReport } {
  const student = studentOf(options);
  const objects = rows.filter(isObject);
  const measured = new Map<string, { passes: number; n: number }>();
  for (const [task, group] of groupByTask(objects).groups) {
    const labels = labelsOf(group.map(asJudged));
    if (labels.length > 0) measured.set(task, { passes: passesIn(labels), n: labels.length });
  }
  let nStamped = 0;
  let nCarried = 0;
  const stamped = rows.map((row) => {
    if (!isObject(row) || passLabel(asJudged(row)) === null) return row;
    const rate = measured.get(taskKey(row));
    if (rate === undefined) return row;
    const { calibration, carried } = calibrationFor(row, rate, student);
    nStamped++;
    if (carried) nCarried++;
    return { ...row, calibration: calibrationStamp(calibration) };
  });
  const report = {
    nTasks: measured.size,
    nRows: rows.length,
    nStamped,
    nCarried,
    nUnstamped: rows.length - nStamped,
    student,
    passAt: passAt(objects),
  };
  return { rows: stamped, report };
}
