import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { WRITTEN_TASK } from "../readers/inspect-log.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { taskKey } from "../task-key.ts";
import { textOf } from "../text/text-of.ts";
import { type ChatTurn, retold, rowChat } from "./row-chat.ts";
import { CHAT_KEYS, keysBesides, RolloutNumbers, type RowsWriter } from "./rows-writer.ts";

const HELD: ReadonlySet<string> = new Set([...CHAT_KEYS, "rollout_id", "rollout_index", "judge_name"]);

/** How Inspect calls the ways in which a model stops. */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ["stop", "stop"],
  ["length", "max_tokens"],
  ["tool", "tool_calls"],
  ["content_filter", "content_filter"],
]);

/** The scorer of rows whose judges differ, or have no name. */
const REWARD = "reward";

/**
 * A log of Inspect as JSON: a rollout is a sample in an epoch, its reward the value of the first scorer, its markers
 * those of further ones. Where all tasks begin with one name and a slash, that is the log's task and the rest the sample
 * id; else ids are whole, and the log says so. A rollout that failed is a sample with its error. Results are left to
 * Inspect (`inspect score`).
 */
export const inspectWriter: RowsWriter = {
  name: "inspect",
  *pieces(source, tally, { now }) {
    if (now === undefined || !Number.isFinite(now)) {
      throw new SchemaError("bad_option", `now is ${now ?? "missing"}.`, "Give the time that the log is to say.");
    }
    const { rows } = source;
    const keys = rows.map((row, index) => taskKey(row) || `row:${index}`);
    const task = commonTask(keys);
    const graded = rows.filter(({ reward }) => typeof reward === "number");
    const isGraded = graded.length > 0;
    const model = onlyOne(rows, "model_version");
    const scorer = onlyOne(graded, "judge_name") ?? REWARD;
    const ids = keys.map((key) => (task === null ? key : key.slice(task.length + 1)));
    const created = new Date(now).toISOString();
    const hash = shortHash("inspect", created, JSON.stringify(ids));
    const markers = new Set(rows.flatMap((row) => (isGraded ? Object.keys(markersOf(row, scorer)) : [])));
    const log = {
      version: 2,
      status: "success",
      eval: {
        ...{ run_id: hash, eval_id: hash, created, task: task ?? WRITTEN_TASK, task_id: hash, task_version: 0 },
        dataset: { name: task ?? WRITTEN_TASK, samples: new Set(ids).size, sample_ids: [...new Set(ids)] },
        model: model ?? "none/unknown",
        config: { epochs: mostOf(ids) },
        scorers: (isGraded ? [scorer, ...markers] : []).map((name) => ({ name })),
      },
      plan: {},
      results: { total_samples: rows.length, completed_samples: rows.length, scores: [] },
      stats: { started_at: created, completed_at: created },
    };
    yield `${JSON.stringify(log).slice(0, -1)},"samples":[`;
    const numbers = new RolloutNumbers();
    for (const [index, row] of rows.entries()) {
      const id = ids[index]!;
      const { turns, left } = rowChat(row, source);
      const { number, isOwn } = numbers.next(id, row);
      const told = retold(row, turns);
      const isErased = told.includes("final_text") && textOf(row.final_text) === "";
      const stop = STOP_REASONS.get(row.finish_reason);
      const held = new Set(HELD);
      if (stop !== undefined) held.add("finish_reason");
      if (model !== null) held.add("model_version");
      if (isGraded) held.add("markers");
      if (typeof row.reward === "number") held.add("reason");
      if (isLost(row)) held.add("judge_status");
      tally.leave([...left, ...keysBesides(row, held), ...unreadable(turns)]);
      tally.change([
        ...(isOwn ? [] : ["rollout_index"]),
        ...(isErased ? ["final_text"] : []),
        ...(textOf(row.judge_name) !== "" && row.judge_name !== scorer ? ["judge_name"] : []),
      ]);
      tally.written();
      const about = { id, epoch: number + 1, scorer, model: model ?? "none/unknown", stop, isGraded };
      yield `${index === 0 ? "\n" : ",\n"}${JSON.stringify(sampleOf(row, turns, about))}`;
    }
    yield "\n]}\n";
  },
};

interface SampleFacts {
  id: string;
  epoch: number;
  scorer: string;
  model: string;
  stop: string | undefined;
  isGraded: boolean;
}

function sampleOf(row: Row, turns: readonly ChatTurn[], about: SampleFacts): SourceObject {
  const { id, epoch, scorer, model, stop, isGraded } = about;
  const text = textOf(row.final_text);
  const choice = { message: { role: "assistant", content: text }, stop_reason: stop };
  const reward = typeof row.reward === "number" ? row.reward : null;
  const explanation = textOf(row.reason);
  const verdict =
    reward === null ? {} : { [scorer]: { value: reward, ...(explanation === "" ? {} : { explanation }) } };
  const measured = Object.entries(isGraded ? markersOf(row, scorer) : {}).map(([name, value]) => [name, { value }]);
  const scores = { ...verdict, ...Object.fromEntries(measured) };
  return {
    ...{ id, epoch, input: textOf(row.prompt), target: "" },
    messages: turns.map(inspectMessage),
    output: { model, choices: stop === undefined ? [] : [choice], completion: text },
    ...(Object.keys(scores).length === 0 ? {} : { scores }),
    ...(textOf(row.rollout_id) === "" ? {} : { uuid: textOf(row.rollout_id) }),
    ...(isLost(row) ? { error: errorOf(row) } : {}),
  };
}

function isLost({ reward, judge_status: status }: Row): boolean {
  return typeof reward !== "number" && status === "error";
}

function errorOf({ judge_meta: meta, reason }: Row): SourceObject {
  const { error, traceback } = isObject(meta) ? meta : {};
  const trace = textOf(traceback);
  return { message: textOf(error) || textOf(reason) || "error", traceback: trace, traceback_ansi: trace };
}

function inspectMessage(turn: ChatTurn): SourceObject {
  if (turn.role === "tool") {
    const { role, content, id, name } = turn;
    return { role, content, tool_call_id: id, ...(name === "" ? {} : { function: name }) };
  }
  if (turn.role !== "assistant") return { role: turn.role === "user" ? "user" : "system", content: turn.content };
  const { role, content, calls } = turn;
  const tool_calls = calls.map(({ id, name, arguments: given, parseError }) => {
    return { id, function: name, arguments: given, ...(parseError === undefined ? {} : { parse_error: parseError }) };
  });
  return { role, content, ...(calls.length > 0 ? { tool_calls } : {}) };
}

/** Arguments that were no object: Inspect holds none other. */
function unreadable(turns: readonly ChatTurn[]): string[] {
  const calls = turns.flatMap((turn) => (turn.role === "assistant" ? turn.calls : []));
  return calls.some(({ parseError }) => parseError !== undefined) ? ["steps[].raw_arguments"] : [];
}

/** Markers but for the one that repeats the reward. */
function markersOf({ markers }: Row, scorer: string): Record<string, number> {
  const pairs = Object.entries(isObject(markers) ? markers : {});
  return Object.fromEntries(
    pairs.filter((pair): pair is [string, number] => typeof pair[1] === "number" && pair[0] !== scorer),
  );
}

/** What stands before the last slash of every key; null where they share nothing, or one is nothing else. */
function commonTask(keys: readonly string[]): string | null {
  const [first = ""] = keys;
  const task = first.slice(0, Math.max(0, first.lastIndexOf("/")));
  return task !== "" &&
    keys.every((key) => key.lastIndexOf("/") === task.length && key.startsWith(`${task}/`)) &&
    keys.every((key) => key.length > task.length + 1)
    ? task
    : null;
}

/** The value that all rows have; null where they differ or one has none. */
function onlyOne(rows: readonly Row[], key: "model_version" | "judge_name"): string | null {
  const values = new Set(rows.map((row) => textOf(row[key])));
  const [value = ""] = values;
  return values.size === 1 && value !== "" ? value : null;
}

/** How often the commonest id stands there. */
function mostOf(ids: readonly string[]): number {
  const counts = new Map<string, number>();
  let most = 0;
  for (const id of ids) {
    const n = (counts.get(id) ?? 0) + 1;
    counts.set(id, n);
    most = Math.max(most, n);
  }
  return most;
}
