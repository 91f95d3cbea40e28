import { compareCodePoints, type Row } from "@while/schema";
import { roundRobin, spreadByRate } from "../groups/spread-by-rate.ts";
import { stableKey } from "../groups/stable-key.ts";
import { type Band, bandSide } from "../groups/trim-out-of-band.ts";
import { traceFault } from "../rows/trace-fault.ts";
import type { RlOrder } from "./rl-options.ts";

/** A task that may be picked: its rows, of which the riders have no vote in its rate. */
export interface RatedGroup {
  task: string;
  rows: readonly Row[];
  rate: number;
}

export interface PickOptions {
  target: number;
  maxRows: number | null;
  band: Band;
  order: RlOrder;
  salt: string;
}

export interface Picked {
  groups: RatedGroup[];
  /** Passed over because they would have gone beyond `maxRows`. */
  overMaxRows: RatedGroup[];
  /** Not reached: the target was met before. */
  overTarget: RatedGroup[];
  /** Tasks by what went wrong in their world, largest kind first. */
  faultKinds: Map<string, number>;
}

/**
 * Whole groups in training order until the target is met: one task of every fault kind in turn, and inside a kind one
 * of every pass rate in turn (`spread`) or the middle of the band first (`middle`). Tasks outside the band come after
 * those inside; ties go by `stableKey`.
 */
export function pickTasks(groups: readonly RatedGroup[], { target, maxRows, band, order, salt }: PickOptions): Picked {
  const kinds = new Map<string, RatedGroup[]>();
  for (const group of groups) {
    const kind = traceFault(group.rows[0]!);
    const bucket = kinds.get(kind);
    if (bucket === undefined) kinds.set(kind, [group]);
    else bucket.push(group);
  }
  const bySize = [...kinds].sort(([a, x], [b, y]) => y.length - x.length || compareCodePoints(a, b));
  const ordered = bySize.map(([, bucket]) => orderBucket(bucket, band, order, salt));
  const picked: Picked = {
    groups: [],
    overMaxRows: [],
    overTarget: [],
    faultKinds: new Map(bySize.map(([kind, bucket]) => [kind, bucket.length])),
  };
  let nRows = 0;
  for (const group of roundRobin(ordered)) {
    if (nRows >= target) {
      picked.overTarget.push(group);
    } else if (maxRows !== null && nRows + group.rows.length > maxRows) {
      picked.overMaxRows.push(group);
    } else {
      picked.groups.push(group);
      nRows += group.rows.length;
    }
  }
  return picked;
}

function orderBucket(bucket: readonly RatedGroup[], band: Band, order: RlOrder, salt: string): RatedGroup[] {
  const middle = (band[0] + band[1]) / 2;
  const ranked = bucket.map((group) => ({
    group,
    // Beyond half the band's width a task is outside it, so the middle first is also the inside first.
    distance: order === "middle" ? Math.abs(group.rate - middle) : 0,
    key: stableKey(group.task, salt),
  }));
  ranked.sort((a, b) => a.distance - b.distance || compareCodePoints(a.key, b.key));
  const groups = ranked.map(({ group }) => group);
  if (order === "middle") return groups;
  const byTask = new Map(bucket.map((group) => [group.task, group]));
  const spread = (list: readonly RatedGroup[]) => {
    const tasks = list.map(({ task }) => task);
    return spreadByRate(tasks, (task) => byTask.get(task)!.rate).map((task) => byTask.get(task)!);
  };
  const isInside = ({ rate }: RatedGroup) => bandSide(rate, band) === null;
  return [...spread(groups.filter(isInside)), ...spread(groups.filter((group) => !isInside(group)))];
}
