import {
  checkOptions,
  compareCodePoints,
  isObject,
  type Row,
  roundHalfEven,
  sha256Hex,
  taskKey,
  textOf,
} from "@while/schema";
import { SelectError } from "../select-error.ts";
import { taskPassRates } from "./task-pass-rates.ts";
import { type Band, bandSide, checkBand, DEFAULT_BAND } from "./trim-out-of-band.ts";

export interface NextRoundOptions {
  /** The tasks to choose among: rows, or prompts. Every task that the prior measured when left out. */
  tasks?: readonly (Row | string)[];
  lo?: number;
  hi?: number;
}

export interface NextRound {
  /** What to sample next: measured tasks inside the band as a prior row with its rate stamped, then as given. */
  tasks: Row[];
  /** Tasks measured inside the band. */
  kept: number;
  /** Tasks above it. */
  droppedSolved: number;
  /** Tasks below it. */
  droppedUnsolved: number;
  /** Tasks the prior says nothing about; kept. */
  unknown: number;
  /** Tasks the prior measured. */
  nPriorTasks: number;
  passRates: Map<string, number>;
  band: Band;
  /** Versions of the policy that made the prior, sorted. */
  fromPolicy: string[];
  /** Names the set of kept tasks: 16 hex digits over their sorted keys. */
  promptSetSha: string;
  warnings: string[];
}

/**
 * Which tasks to sample again, by how hard they were last time: those inside the band and those not measured yet.
 * Dynamic sampling between rounds (DAPO, arXiv:2503.14476) without a sampler in the loop.
 *
 * @param prior Graded rows of the round before, or rows with a stamped `pass_rate`
 * @throws SelectError `bad_band` unless 0 ≤ lo < hi ≤ 1; `bad_option`
 */
export function nextRound(prior: readonly Row[], options: NextRoundOptions = {}): NextRound {
  checkOptions(options, ["tasks", "lo", "hi"], (what, fix) => new SelectError("bad_option", what, fix));
  const band = checkBand([options.lo ?? DEFAULT_BAND[0], options.hi ?? DEFAULT_BAND[1]]);
  const [lo, hi] = band;
  if (lo === hi) throw new SelectError("bad_band", `The band is ${lo} to ${hi}.`, "nextRound needs lo < hi.");

  const keyed = prior.filter((row) => isObject(row) && taskKey(row) !== "");
  const rates = taskPassRates(keyed);
  const firstRows = new Map<string, Row>();
  for (const row of keyed) if (!firstRows.has(taskKey(row))) firstRows.set(taskKey(row), row);

  const tasks = new Map<string, Row>();
  const counts = { kept: 0, droppedSolved: 0, droppedUnsolved: 0, unknown: 0 };
  for (const [task, given] of candidates(options.tasks, firstRows, rates)) {
    const measured = rates.get(task);
    if (measured === undefined) {
      counts.unknown++;
      tasks.set(task, given);
      continue;
    }
    const side = bandSide(measured.rate, band);
    if (side !== null) {
      counts[side === "too_easy" ? "droppedSolved" : "droppedUnsolved"]++;
      continue;
    }
    counts.kept++;
    const row = firstRows.get(task)!;
    const stamp = { pass_rate: roundHalfEven(measured.rate, 4), n: measured.n, band };
    tasks.set(task, { ...row, calibration: { ...row.calibration, ...stamp } });
  }
  return {
    tasks: [...tasks.values()],
    ...counts,
    nPriorTasks: rates.size,
    passRates: new Map(Array.from(rates, ([task, { rate }]) => [task, rate])),
    band,
    fromPolicy: policiesOf(keyed),
    promptSetSha: sha256Hex([...tasks.keys()].sort(compareCodePoints).join("\n")).slice(0, 16),
    warnings: rates.size > 0 ? [] : ["The prior measures no task: no row has a label or a pass_rate. Grade it first."],
  };
}

/** First one per key. */
function candidates(
  given: readonly (Row | string)[] | undefined,
  firstRows: ReadonlyMap<string, Row>,
  rates: ReadonlyMap<string, unknown>,
): Map<string, Row> {
  if (given === undefined) return new Map([...firstRows].filter(([task]) => rates.has(task)));
  const tasks = new Map<string, Row>();
  for (const item of given) {
    const row: Row = isObject(item) ? item : { prompt: textOf(item) };
    const task = taskKey(row);
    if (task !== "" && !tasks.has(task)) tasks.set(task, row);
  }
  return tasks;
}

function policiesOf(rows: readonly Row[]): string[] {
  const versions = new Set(rows.map((row) => textOf(row.policy_version)));
  versions.delete("");
  return [...versions].sort(compareCodePoints);
}
