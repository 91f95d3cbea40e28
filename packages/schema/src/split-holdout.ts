import { sha256Hex } from "./hash/sha256.ts";
import { checkOptions } from "./options/check-options.ts";
import type { Row } from "./row.ts";
import { SchemaError } from "./schema-error.ts";
import { taskKey } from "./task-key.ts";
import { compareCodePoints } from "./text/code-points.ts";

/** Rows to train on and rows held out. No task is on both sides. */
export interface HoldoutSplit {
  train: Row[];
  holdout: Row[];
}

export interface SplitOptions {
  /**
   * Hold out this share of the tasks as nearly as whole ones allow, and of the solved, the unsolved and those between
   * alike. A task's side then depends on the other tasks.
   */
  exact?: boolean;
  /** Draws other tasks at the same share. */
  salt?: string;
  /** What keeps tasks together, such as their persona, document or parent; null for a row that has none. */
  together?: (row: Row) => string | null;
}

/**
 * Splits rows by task, so that no task is trained on and measured with. A task's side depends on its key and the
 * fraction alone: not on the other rows, their order or a seed, so two runs a month apart hold out the same tasks,
 * and a larger fraction holds out more of them and never others. Of few tasks that share is met on average alone: 0.3 of
 * twelve may be one; `exact` holds out four.
 *
 * @param fraction Share of tasks to hold out, strictly between 0 and 1; 0 or null holds out none
 * @throws SchemaError `bad_option` for another fraction, or when every row would be held out
 */
export function splitHoldout(rows: readonly Row[], fraction: number | null, options: SplitOptions = {}): HoldoutSplit {
  const refuse = (what: string, fix: string) => new SchemaError("bad_option", what, fix);
  checkOptions(options, ["exact", "salt", "together"], refuse);
  if (fraction === null || fraction === 0) return { train: [...rows], holdout: [] };
  if (!(fraction > 0 && fraction < 1)) {
    throw refuse(
      `splitHoldout got ${fraction}, and the fraction must lie strictly between 0 and 1.`,
      "Give a share such as 0.2, or 0 to hold out nothing.",
    );
  }
  const { exact = false, salt = "", together } = options;
  const units = unitsOf(rows, together);
  const bucketOf = (unit: Unit) => holdoutBucket(salt === "" ? unit.name : `${salt}\u001f${unit.name}`);
  const heldUnits = exact
    ? exactly([...new Set(units.values())], fraction, bucketOf)
    : new Set([...new Set(units.values())].filter((unit) => bucketOf(unit) < fraction));
  const train: Row[] = [];
  const holdout: Row[] = [];
  for (const row of rows) (heldUnits.has(units.get(taskKey(row))!) ? holdout : train).push(row);
  if (train.length === 0) {
    throw refuse(
      `With ${fraction} held out there are no training rows left of ${rows.length} rows in ${units.size} tasks.`,
      "Hold out a smaller fraction, or bring more tasks.",
    );
  }
  return { train, holdout };
}

/** Tasks that lie on one side together: one task, unless something ties it to others. */
interface Unit {
  /** The first of its ties by code point, or its task. */
  name: string;
  tasks: Set<string>;
  /** Of its graded rows. */
  total: number;
  nGraded: number;
}

/** The unit of each task. A task with rows of two ties makes one unit of both. */
function unitsOf(rows: readonly Row[], together: SplitOptions["together"]): Map<string, Unit> {
  const units = new Map<string, Unit>();
  const byTie = new Map<string, Unit>();
  const ties = new Map<Unit, string[]>();
  for (const row of rows) {
    const task = taskKey(row);
    let unit = units.get(task) ?? { name: task, tasks: new Set([task]), total: 0, nGraded: 0 };
    units.set(task, unit);
    if (typeof row.reward === "number" && Number.isFinite(row.reward)) {
      unit.total += row.reward;
      unit.nGraded++;
    }
    const tie = together?.(row) ?? null;
    if (tie === null) continue;
    const other = byTie.get(tie);
    if (other !== undefined && other !== unit) unit = joined(other, unit, { units, byTie, ties });
    if (!byTie.has(tie)) ties.set(unit, [...(ties.get(unit) ?? []), tie]);
    byTie.set(tie, unit);
  }
  for (const [unit, own] of ties) unit.name = own.sort(compareCodePoints)[0]!;
  return units;
}

function joined(
  into: Unit,
  from: Unit,
  { units, byTie, ties }: { units: Map<string, Unit>; byTie: Map<string, Unit>; ties: Map<Unit, string[]> },
): Unit {
  for (const task of from.tasks) {
    into.tasks.add(task);
    units.set(task, into);
  }
  for (const tie of ties.get(from) ?? []) byTie.set(tie, into);
  ties.set(into, [...(ties.get(into) ?? []), ...(ties.get(from) ?? [])]);
  ties.delete(from);
  into.total += from.total;
  into.nGraded += from.nGraded;
  return into;
}

/** Solved, unsolved, between and ungraded tasks, each by its share and in the order of their buckets. */
function exactly(units: readonly Unit[], fraction: number, bucketOf: (unit: Unit) => number): Set<Unit> {
  const strata = new Map<string, Unit[]>();
  for (const unit of units) {
    const own = strata.get(difficultyOf(unit));
    if (own === undefined) strata.set(difficultyOf(unit), [unit]);
    else own.push(unit);
  }
  const sized = [...strata]
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([, own]) => ({ own, share: fraction * sizeOf(own) }));
  const nTasks = sizeOf(units);
  const wanted = Math.min(nTasks - 1, Math.max(1, Math.round(fraction * nTasks)));
  // The largest remainders get what whole shares leave over.
  const quotas = sized.map(({ share }) => Math.floor(share));
  const byRemainder = sized
    .map(({ share }, i) => ({ i, rest: share - Math.floor(share) }))
    .sort((a, b) => b.rest - a.rest);
  let left = wanted - quotas.reduce((sum, quota) => sum + quota, 0);
  for (const { i } of byRemainder) if (left-- > 0) quotas[i]!++;
  const held = new Set<Unit>();
  let nHeld = 0;
  for (const [i, { own }] of sized.entries()) {
    let taken = 0;
    for (const unit of [...own].sort((a, b) => bucketOf(a) - bucketOf(b) || compareCodePoints(a.name, b.name))) {
      // A unit of several tasks goes where it brings the count nearer.
      const gap = Math.min(quotas[i]! - taken, wanted - nHeld);
      if (gap <= 0 || unit.tasks.size - gap > gap) continue;
      held.add(unit);
      taken += unit.tasks.size;
      nHeld += unit.tasks.size;
    }
  }
  return held;
}

function difficultyOf({ total, nGraded }: Unit): string {
  if (nGraded === 0) return "ungraded";
  return total === 0 ? "unsolved" : total === nGraded ? "solved" : "between";
}

function sizeOf(units: readonly Unit[]): number {
  return units.reduce((sum, { tasks }) => sum + tasks.size, 0);
}

/**
 * Where a task lies on the line from 0 to 1 (both included) that `splitHoldout` cuts: the first 32 bits of the
 * SHA-256 of its key.
 */
export function holdoutBucket(key: string): number {
  return Number.parseInt(sha256Hex(key).slice(0, 8), 16) / (2 ** 32 - 1);
}
