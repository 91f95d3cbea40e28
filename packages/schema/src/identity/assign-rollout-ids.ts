import type { Row } from "../row.ts";
import { textOf } from "../text/text-of.ts";
import { rolloutIdOf } from "./derived-ids.ts";

export interface AssignRolloutIdsOptions {
  /** Name of the run, put in front of every id as `<run>/<id>`: for runs that will be pooled with others. */
  run?: string;
}

/** The rows with their ids, and how many ids are new. */
export interface AssignedRolloutIds {
  rows: Row[];
  /** Rows that had no `rollout_id`. */
  nAssigned: number;
  /** Rows whose id another row already had; theirs gained `.2`, `.3` and so on. */
  nRenamed: number;
}

/**
 * Gives every row a `rollout_id` that no other of these rows has: its own, or one derived from the row. Rows pooled
 * from several runs on one pinned grid share their keys until then, and a label for one of them would be ambiguous.
 * Assigning twice changes nothing.
 */
export function assignRolloutIds(rows: readonly Row[], { run = "" }: AssignRolloutIdsOptions = {}): AssignedRolloutIds {
  const prefix = run === "" ? "" : `${run}/`;
  const taken = new Set<string>();
  let nAssigned = 0;
  let nRenamed = 0;
  const named = rows.map((row) => {
    const own = textOf(row.rollout_id);
    if (own === "") nAssigned++;
    const base = own || rolloutIdOf(row);
    const wanted = base.startsWith(prefix) ? base : prefix + base;
    let id = wanted;
    for (let n = 2; taken.has(id); n++) id = `${wanted}.${n}`;
    if (id !== wanted) nRenamed++;
    taken.add(id);
    return id === row.rollout_id ? row : { ...row, rollout_id: id };
  });
  return { rows: named, nAssigned, nRenamed };
}
