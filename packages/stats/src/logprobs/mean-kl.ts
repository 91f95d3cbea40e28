import { isObject, type Row, roundHalfEven, rowKey } from "@while/schema";
import { sum } from "../kernel/sum.ts";
import { TaskIndex } from "../rows/task-index.ts";
import { rowLogprob } from "./row-logprob.ts";

export interface MeanKl {
  /** Nats a token, to 6 decimals; null without rows that have both. A sampled estimate, so it may be below 0. */
  meanKl: number | null;
  /** The same for each task, in the order of first rows. */
  perTask: Map<string, number>;
  /** Rows with both log-probabilities. */
  nRows: number;
  /** Rows without one, without a partner in `ref`, or with a partner over another number of tokens. */
  nSkipped: number;
  nTokens: number;
}

/**
 * How far the policy is from a reference on the completions it sampled: Σ (logprob - reference) / Σ tokens, the k1
 * estimate of KL(policy || reference).
 *
 * @param ref Key of the row that holds the reference's log-probability of the same completion, or rows of the reference:
 *   matched by `rowKey` (rollout id, scenario and index, or prompt and reply), and left out where two disagree
 */
export function meanKl(rows: readonly Row[], ref: string | readonly Row[] = "ref_logprob"): MeanKl {
  const referenceOf = typeof ref === "string" ? fromKey(ref) : fromRows(ref);
  const tasks = new TaskIndex("strict");
  const byTask: { gaps: number[]; nTokens: number }[] = [];
  let [nRows, nSkipped] = [0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    const task = tasks.add(row);
    const own = rowLogprob(row);
    const reference = own === null ? null : referenceOf(row, own.nTokens);
    if (own === null || reference === null) {
      nSkipped++;
      continue;
    }
    nRows++;
    byTask[task] ??= { gaps: [], nTokens: 0 };
    byTask[task].gaps.push(own.logprob - reference);
    byTask[task].nTokens += own.nTokens;
  }
  const perTask = new Map<string, number>();
  // forEach passes over tasks without a row that counts.
  byTask.forEach(({ gaps, nTokens }, task) => {
    perTask.set(tasks.nameOf(task), roundHalfEven(sum(gaps) / nTokens, 6));
  });
  const counted = byTask.filter((task) => task !== undefined);
  const nTokens = sum(counted.map((task) => task.nTokens));
  const total = sum(counted.flatMap(({ gaps }) => gaps));
  return { meanKl: nTokens === 0 ? null : roundHalfEven(total / nTokens, 6), perTask, nRows, nSkipped, nTokens };
}

type ReferenceOf = (row: Row, nTokens: number) => number | null;

function fromKey(key: string): ReferenceOf {
  return (row) => {
    const value = row[key];
    return typeof value === "number" && Number.isFinite(value) ? value : null;
  };
}

function fromRows(refs: readonly Row[]): ReferenceOf {
  const known = new Map<string, { logprob: number; nTokens: number } | "ambiguous">();
  for (const row of refs) {
    const own = isObject(row) ? rowLogprob(row) : null;
    if (own === null) continue;
    const key = rowKey(row);
    const before = known.get(key);
    const same = before === undefined || (before !== "ambiguous" && before.logprob === own.logprob);
    known.set(key, same ? own : "ambiguous");
  }
  return (row, nTokens) => {
    const found = known.get(rowKey(row));
    return found === undefined || found === "ambiguous" || found.nTokens !== nTokens ? null : found.logprob;
  };
}
