import { isObject, type Row } from "@while/schema";
import type { Grader, RowVerdict } from "./simulate-options.ts";

/**
 * The row with the verdict of a grader. A reply that was cut is not judged: a cut that is scored 0 teaches to think less.
 * A grader that fails leaves the reward null with its reason, and never a 0.
 */
export async function gradedRow(row: Row, grader: Grader): Promise<Row> {
  if (row.finish_reason === "length") {
    return { ...row, judge_status: "missing_reward", label_source: "length_cap" };
  }
  const name = grader.judgeName ?? (grader.name || "grader");
  try {
    const given: unknown = await grader(row);
    if (given === undefined) throw new TypeError("it returned nothing");
    const verdict: Partial<RowVerdict> = isObject(given) ? given : { reward: given as number };
    const { reward } = verdict;
    if (reward === null || reward === undefined) return { ...row, ...defined(verdict), judge_name: name };
    if (typeof reward !== "number" || !(reward >= 0 && reward <= 1)) {
      return {
        ...row,
        judge_name: name,
        judge_status: "invalid_reward",
        judge_meta: { error: `reward is ${String(reward)}` },
      };
    }
    return { ...row, judge_name: name, label_source: "judge", ...defined(verdict) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ...row, judge_name: name, judge_status: "judge_error", judge_meta: { error: message } };
  }
}

function defined(verdict: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(verdict).filter(([, value]) => value !== undefined && value !== null));
}
