import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { taskKey } from "../task-key.ts";
import { shownName } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import { openaiMessage, retold, rowChat } from "./row-chat.ts";
import { CHAT_KEYS, keysBesides, RolloutNumbers, type RowsWriter } from "./rows-writer.ts";

const HELD: ReadonlySet<string> = new Set([...CHAT_KEYS, "rollout_index", "tau_bench"]);

/** `tau-bench/retail/3`, as our reader names tasks. */
const TASK = /^tau-bench\/([^/]+)\/(.+)$/s;

/**
 * Results of tau-bench: an array of `{task_id, reward, info, traj, trial}`. It knows tasks by number, one environment a
 * file, and rewards of 0 and 1. A rollout that failed is an item with its error and without its conversation.
 *
 * The check that the benchmark made (`info.reward_info`) comes from `judge_meta`; what the user was told is privileged
 * and is not written.
 */
export const tauBenchWriter: RowsWriter = {
  name: "tau-bench",
  *pieces(source, tally) {
    const env = environmentOf(source.rows);
    tally.note(`Read it with --env ${env}: a file of tau-bench names no environment.`);
    const numbers = new RolloutNumbers();
    let n = 0;
    yield "[";
    for (const row of source.rows) {
      const [, , id] = TASK.exec(taskKey(row))!;
      const { number: trial, isOwn } = numbers.next(id!, row);
      const item = { task_id: /^(?:0|[1-9]\d{0,14})$/.test(id!) ? Number(id) : id, trial };
      const { turns, left } = rowChat(row, source);
      const meta = isObject(row.judge_meta) ? row.judge_meta : {};
      const about = isObject(row.tau_bench) ? row.tau_bench : {};
      const { task_id: _, trial: __, ...info } = about;
      let told: SourceObject;
      if (typeof row.reward === "number") {
        const check = meta.reward_info === undefined ? {} : { reward_info: meta.reward_info };
        told = { reward: row.reward, info: { ...info, ...check }, traj: turns.map(openaiMessage) };
        tally.leave(left);
        tally.change(retold(row, turns));
      } else if (row.judge_status === "error") {
        const { error = row.reason, traceback, reward_counted: counted = 0 } = meta;
        const failure = { error: textOf(error) || "error", ...(traceback === undefined ? {} : { traceback }) };
        told = { reward: counted, info: { ...info, ...failure }, traj: [] };
        if (turns.length > 0) tally.leave(["conversation of a failed rollout"]);
      } else {
        tally.leaveOut("is ungraded");
        continue;
      }
      tally.leave(keysBesides(row, HELD));
      if (!isOwn) tally.change(["rollout_index"]);
      tally.written();
      yield `${n++ === 0 ? "\n" : ",\n"}${JSON.stringify({ ...item, ...told })}`;
    }
    yield "\n]\n";
  },
};

/**
 * The one environment of the rows.
 *
 * @throws SchemaError `bad_value` for tasks that are none of tau-bench, of two environments, and rewards between 0 and 1
 */
function environmentOf(rows: readonly Row[]): string {
  let env: string | null = null;
  for (const [index, row] of rows.entries()) {
    const key = taskKey(row);
    const [, found = null] = TASK.exec(key) ?? [];
    if (found === null) {
      throw new SchemaError(
        "bad_value",
        `Row ${index} is of the task ${shownName(key)}, and tau-bench has environments with numbered tasks.`,
        "Name tasks tau-bench/ENVIRONMENT/NUMBER, or write another format.",
      );
    }
    if (env !== null && env !== found) {
      throw new SchemaError(
        "bad_value",
        `Rows are of the environments ${env} and ${found}, whose tasks share their numbers.`,
        "Write a file for each.",
      );
    }
    env = found;
    const { reward } = row;
    if (typeof reward === "number" && reward !== 0 && reward !== 1) {
      throw new SchemaError(
        "bad_value",
        `Row ${index} has the reward ${reward}, and tau-bench takes what is not 1 for a failure.`,
        "Grade by 0 and 1 (--threshold makes them of scores), or write another format.",
      );
    }
  }
  return env ?? "unknown";
}
