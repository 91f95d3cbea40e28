import { isObject, type Row } from "@while/schema";
import type { Inference } from "../inference.ts";
import { StatsError } from "../stats-error.ts";

/** Rows by the scoring they come from. */
export interface SplitRuns {
  /** By label, in the order of their first row. */
  runs: Map<string, readonly Row[]>;
  /** Rows that name no run, in none of them. */
  nWithoutRun: number;
}

/**
 * Several lists are a run each, `run_1`, `run_2`, ...; with `by`, or when there is only one list, the rows say which
 * run they are of. One list of which no row does is one run; the Python SDK makes it none.
 */
export function splitRuns(lists: readonly (readonly Row[])[], by: string | null, inference: Inference): SplitRuns {
  if (lists.length > 1 && by === null) {
    return { runs: new Map(lists.map((rows, i) => [`run_${i + 1}`, rows])), nWithoutRun: 0 };
  }
  const runs = new Map<string, Row[]>();
  let nWithoutRun = 0;
  for (const row of lists.flat()) {
    const key = isObject(row) ? runKey(row, by) : null;
    if (key === null) {
      nWithoutRun++;
      continue;
    }
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [row]);
    else run.push(row);
  }
  if (runs.size === 0 && nWithoutRun > 0 && by === null && inference === "strict") {
    return { runs: new Map([["run_1", lists[0]!]]), nWithoutRun: 0 };
  }
  return { runs, nWithoutRun };
}

function runKey(row: Row, by: string | null): string | null {
  const lineage: Record<string, unknown> = isObject(row.lineage) ? row.lineage : {};
  if (by !== null) {
    const value = present(row[by]) ?? present(lineage[by]);
    return value === null ? null : String(value);
  }
  if (lineage.eval_run != null) return String(lineage.eval_run);
  return lineage.scoring_run_id ? String(lineage.scoring_run_id) : null;
}

function present(value: unknown): unknown {
  return value === undefined || value === "" ? null : value;
}

/** @throws StatsError `no_rows`, `bad_rows` when something stands where a list of rows is expected */
export function checkRuns(lists: readonly (readonly Row[])[]): void {
  const what = Array.isArray(lists) ? whatIsWrong(lists) : `evalVariance got ${nameOf(lists)}`;
  if (what !== null) throw new StatsError("bad_rows", `${what}.`, "Pass a list with a list of rows for each run.");
  if (lists.length > 0) return;
  throw new StatsError("no_rows", "evalVariance got no runs.", "Pass at least one list of rows.");
}

function whatIsWrong(lists: readonly unknown[]): string | null {
  const at = lists.findIndex((list) => !Array.isArray(list));
  if (at === -1) return null;
  const holder = isObject(lists[at])
    ? Object.keys(lists[at]).find((key) => Array.isArray(lists[at]![key as never]))
    : undefined;
  const hint = holder === undefined ? "" : `; it holds a list under .${holder}`;
  return `Run ${at} is ${nameOf(lists[at])}, not a list of rows${hint}`;
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (value instanceof Map) return "a Map";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
