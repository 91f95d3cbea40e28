import {
  type Calibration,
  calibrationOf,
  calibrationStamp,
  checkOptions,
  isObject,
  type PolicyRef,
  policyRef,
  type Row,
  roundHalfEven,
  taskKey,
  textOf,
} from "@while/schema";
import { wilsonInterval } from "@while/stats";
import { labelsByTask, passesIn } from "../groups/task-pass-rates.ts";
import { asJudged } from "../rows/as-judged.ts";
import { SelectError } from "../select-error.ts";

export interface StudentOptions {
  /** Whose rate this is: a policy's fields, or its system prompt, which is stamped as a hash. */
  policy?: Partial<PolicyRef> | string;
  /** The model behind the policy. */
  model?: string;
}

/** The measured difficulty of one task, as stamped on its rows. */
export interface StampedTask {
  taskId: string;
  /** Rollouts that were graded, before anything was dropped. */
  n: number;
  passRate: number;
  /** Wilson 95% interval, 4 decimals; null when a carried stamp has none. */
  passRateCi95: [low: number, high: number] | null;
}

export interface CarriedCalibration {
  /** Tasks with a label among the graded rows. */
  nTasks: number;
  /** Rows that were to be stamped. */
  nRows: number;
  nStamped: number;
  /** Of those, rows that kept a stamp measured on more rollouts of the same student. */
  nCarried: number;
  /** Each stamped task once, in the order of the kept rows. */
  tasks: StampedTask[];
}

/**
 * Stamps kept rows with the difficulty their task had among all graded rows. Selecting changes a group, so the rate
 * has to be taken from before: 2 of 3 survivors say nothing about 3 of 8.
 *
 * A row keeps the stamp it brings when that rests on more rollouts than are graded here and names no other student,
 * so selecting twice does not shrink the n. Rows without a task key, or without a graded rollout, stay unstamped.
 *
 * @returns New rows; the ones passed in are not changed
 * @throws SelectError `bad_option`
 */
export function carryCalibration(
  graded: readonly Row[],
  kept: readonly Row[],
  options: StudentOptions = {},
): { rows: Row[]; report: CarriedCalibration } {
  const student = studentOf(options);
  return stampRates(measuredRates(labelsByTask(graded.filter(isObject).map(asJudged))), kept, student);
}

/** Passes and rollouts by task. */
export type MeasuredRates = ReadonlyMap<string, { passes: number; n: number }>;

/** What `labelsByTask` measured. */
function measuredRates(labels: ReadonlyMap<string, readonly number[]>): MeasuredRates {
  return new Map(Array.from(labels, ([task, list]) => [task, { passes: passesIn(list), n: list.length }]));
}

/** The stamping of `carryCalibration`, for a caller who has counted already. */
export function stampRates(
  rates: MeasuredRates,
  kept: readonly Row[],
  student: PolicyRef | null,
): { rows: Row[]; report: CarriedCalibration } {
  const tasks = new Map<string, StampedTask>();
  let nStamped = 0;
  let nCarried = 0;
  const rows = kept.map((row) => {
    const task = isObject(row) ? taskKey(row) : "";
    const measured = rates.get(task);
    if (task === "" || measured === undefined) return row;
    const { calibration, carried } = calibrationFor(row, measured, student);
    nStamped++;
    if (carried) nCarried++;
    if (!tasks.has(task)) {
      const { n, passRate, passRateCi95 } = calibration;
      tasks.set(task, { taskId: task, n, passRate, passRateCi95 });
    }
    return { ...row, calibration: calibrationStamp(calibration) };
  });
  const report = { nTasks: rates.size, nRows: kept.length, nStamped, nCarried, tasks: [...tasks.values()] };
  return { rows, report };
}

/** The stamp a row is to carry: its own where that rests on more rollouts of the same student, else a fresh one. */
export function calibrationFor(
  row: Row,
  { passes, n }: { passes: number; n: number },
  named: PolicyRef | null,
): { calibration: Calibration; carried: boolean } {
  const student = named ?? rowStudent(row);
  const old = calibrationOf(row);
  if (old !== null && old.n > n && sameStudent(old.student, student)) {
    return { calibration: { ...old, student: named ?? old.student }, carried: true };
  }
  const calibration = {
    taskId: taskKey(row),
    student,
    n,
    passRate: passes / n,
    meanKl: null,
    passRateCi95: passRateCi95(passes, n),
    extra: old?.extra ?? {},
  };
  return { calibration, carried: false };
}

/** Wilson 95% interval on a pass rate, to the four decimals that are stamped; null without rollouts. */
export function passRateCi95(passes: number, n: number): [low: number, high: number] | null {
  const interval = wilsonInterval(passes, n);
  return interval && [roundHalfEven(interval[0], 4), roundHalfEven(interval[1], 4)];
}

/** The student a call names, or null when it names none. */
export function studentOf(options: StudentOptions): PolicyRef | null {
  checkOptions(options, ["policy", "model"], (what, fix) => new SelectError("bad_option", what, fix));
  const student = policyRef(options.policy);
  if (options.model !== undefined) student.model = options.model;
  return student.name !== "" || student.model !== null || student.promptHash !== null || student.version !== null
    ? student
    : null;
}

function rowStudent(row: Row): PolicyRef {
  return policyRef({ version: textOf(row.policy_version) || textOf(row.model_version) });
}

/** Two references to one policy, as far as both say: a field that one of them leaves open contradicts nothing. */
function sameStudent(a: PolicyRef, b: PolicyRef): boolean {
  const agrees = (x: string | null, y: string | null) => !x || !y || x === y;
  return (
    agrees(a.name, b.name) &&
    agrees(a.model, b.model) &&
    agrees(a.promptHash, b.promptHash) &&
    agrees(a.version, b.version)
  );
}
