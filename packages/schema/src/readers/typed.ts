import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { shownKeys, shownValue } from "../text/shown-value.ts";
import { ADVISORY } from "../typed/row-keys.ts";
import { toRow } from "../typed/to-row.ts";
import { judgmentFromJson, markerFromJson, rolloutFromJson, taskFromJson } from "../typed/typed-from-json.ts";
import { judgmentJson } from "../typed/typed-json.ts";
import type { Judgment, Marker, Privileged, Rollout, Task } from "../typed/typed-row.ts";
import { lineageOf } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { rescored } from "./scored.ts";

/**
 * The JSON of typed objects: a task with its rollout, judgments and markers a record, or each of them a record of its
 * own, which are put together by `task_id` and `rollout_id`. Of several verdicts `rewardKey` names the scorer whose is
 * the reward; the others stay under `judgments`. What a row has no key for is under `typed`.
 */
export const typed: Format = {
  name: "typed",
  title: "typed objects as JSON",
  detect: (record) => isWhole(record) || PARTS.some(({ is }) => is(record)),
  open(context) {
    return context.head.some(isWhole) ? { read: (record) => [wholeRow(record, context)] } : new PartsReader(context);
  },
};

function isWhole({ task, rollout }: SourceObject): boolean {
  return isObject(task) && isObject(rollout) && "rollout_id" in rollout && "task_id" in task;
}

function wholeRow({ task, rollout, judgments, markers }: SourceObject, context: ReaderContext): Row {
  if (!isObject(task) || !isObject(rollout)) {
    throw new SchemaError(
      "bad_value",
      "The record has no task with a rollout.",
      "Write a task and its rollout in each record, or each object in a record of its own.",
    );
  }
  const list = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : []);
  return rowOf(
    taskFromJson(task),
    rolloutFromJson(rollout),
    list(judgments).map(judgmentFromJson),
    list(markers).map(markerFromJson),
    context,
  );
}

/** What a rollout and what belongs to it make. */
function rowOf(task: Task, rollout: Rollout, judgments: Judgment[], markers: Marker[], context: ReaderContext): Row {
  const { rewardKey = [] } = context.options;
  const wanted = typeof rewardKey === "string" ? [rewardKey] : rewardKey;
  const own = judgments.filter(({ scorer }) => !ADVISORY.includes(scorer.name));
  if (wanted.length === 0 && own.length > 1) {
    const names = own.map(({ scorer }) => scorer.name).sort();
    throw new SchemaError(
      "bad_option",
      `The rollout ${rollout.rolloutId} has ${own.length} verdicts and does not say which is its reward: ${names.join(", ")}.`,
      "Pass rewardKey with the name of one scorer.",
    );
  }
  const named = wanted.flatMap((name) => own.find(({ scorer }) => scorer.name === name) ?? []);
  const chosen = wanted.length === 0 ? own[0] : named[0];
  const kept = judgments.filter((one) => one === chosen || !own.includes(one));
  const others = judgments.filter((one) => !kept.includes(one));
  const row = toRow({ task, rollout, judgments: kept, markers });
  row.lineage = { ...lineageOf("typed", context), ...(isObject(row.lineage) ? row.lineage : {}) };
  if (others.length > 0) row.judgments = others.map(judgmentJson);
  const hidden = privilegedOf(task.privileged);
  if (row.privileged === undefined && hidden !== null) row.privileged = hidden;
  const rest = withoutKeyOnRows(task);
  if (rest !== null) row.typed = rest;
  return rescored(row, context.options);
}

/** null when there is nothing that only the teacher may see. */
function privilegedOf({ principle, hiddenState, reference, rubric }: Privileged): SourceObject | null {
  return filled({ principle, hidden_state: hiddenState, reference, rubric });
}

function withoutKeyOnRows({ behaviors, world, lineage }: Task): SourceObject | null {
  const { parentTaskId, transform, seed } = lineage;
  const from = filled({ parent_task_id: parentTaskId, transform, seed });
  return filled({ behaviors, exemplars: world.exemplars, lineage: from });
}

/** The keys under which there is something; null when there are none. */
function filled(object: SourceObject): SourceObject | null {
  const entries = Object.entries(object).filter(
    ([, value]) => value !== null && (typeof value !== "object" || Object.keys(value!).length > 0),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** The four objects by what only they have. */
const PARTS: readonly { kind: "task" | "rollout" | "judgment" | "marker"; is: (record: SourceObject) => boolean }[] = [
  { kind: "rollout", is: (record) => "rollout_id" in record && isObject(record.policy) && "ledger" in record },
  { kind: "judgment", is: (record) => "rollout_id" in record && isObject(record.scorer) && "status" in record },
  { kind: "marker", is: (record) => ["rollout_id", "name", "value", "evidence"].every((key) => key in record) },
  { kind: "task", is: (record) => "task_id" in record && isObject(record.world) && "axes" in record },
];

/** Objects that are records of their own, in any order, so that a file of them is held in memory. */
class PartsReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #tasks = new Map<string, Task>();
  readonly #rollouts: Rollout[] = [];
  readonly #judgments = new Map<string, Judgment[]>();
  readonly #markers = new Map<string, Marker[]>();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    switch (PARTS.find(({ is }) => is(record))?.kind) {
      case "task": {
        const task = taskFromJson(record);
        this.#tasks.set(task.taskId, task);
        break;
      }
      case "rollout":
        this.#rollouts.push(rolloutFromJson(record));
        break;
      case "judgment":
        add(this.#judgments, judgmentFromJson(record));
        break;
      case "marker":
        add(this.#markers, markerFromJson(record));
        break;
      default:
        throw new SchemaError(
          "bad_value",
          `The record is no task, rollout, judgment or marker; its keys are ${shownKeys(record)}.`,
          "Write the objects as the typed view does.",
        );
    }
    return [];
  }

  held(): readonly Row[] {
    const rows = this.#rollouts.flatMap((rollout): Row[] => {
      const { rolloutId, taskId } = rollout;
      const task = this.#tasks.get(taskId);
      if (task === undefined) {
        this.#context.warn("no_task", `The task ${taskId} is not in the file, so rows of it have no prompt.`);
      }
      const judgments = taken(this.#judgments, rolloutId);
      const markers = taken(this.#markers, rolloutId);
      try {
        return [rowOf(task ?? taskFromJson({ task_id: taskId }), rollout, judgments, markers, this.#context)];
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`rollout ${shownValue(rolloutId)}: ${error.what}`, error.fix);
        return [];
      }
    });
    for (const _ of [...this.#judgments.values()].flat()) this.#context.skip("judgment_without_rollout");
    for (const _ of [...this.#markers.values()].flat()) this.#context.skip("marker_without_rollout");
    const played = new Set(this.#rollouts.map(({ taskId }) => taskId));
    for (const id of this.#tasks.keys()) if (!played.has(id)) this.#context.skip("task_without_rollout");
    return rows;
  }
}

function add<T extends { rolloutId: string }>(map: Map<string, T[]>, one: T): void {
  map.set(one.rolloutId, [...(map.get(one.rolloutId) ?? []), one]);
}

function taken<T>(map: Map<string, T[]>, id: string): T[] {
  const found = map.get(id) ?? [];
  map.delete(id);
  return found;
}
