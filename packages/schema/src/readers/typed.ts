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

/** Objects that are records of their own, in any order, so that they wait until the file has ended. */
class PartsReader implements FormatReader {
  readonly #context: ReaderContext;
  /** Where the records wait: tasks by their id, verdicts and markers by the rollout's. */
  readonly #tasks = new Map<string, number>();
  readonly #rollouts: number[] = [];
  readonly #judgments = new Map<string, number[]>();
  readonly #markers = new Map<string, number[]>();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  /** Each is checked here, where its line is known, and read once more when its rollout is. */
  read(record: SourceObject): readonly Row[] {
    const { waiting } = this.#context;
    switch (PARTS.find(({ is }) => is(record))?.kind) {
      case "task":
        this.#tasks.set(taskFromJson(record).taskId, waiting.put(record));
        break;
      case "rollout":
        rolloutFromJson(record);
        this.#rollouts.push(waiting.put(record));
        break;
      case "judgment":
        add(this.#judgments, judgmentFromJson(record).rolloutId, waiting.put(record));
        break;
      case "marker":
        add(this.#markers, markerFromJson(record).rolloutId, waiting.put(record));
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

  *held(): Generator<Row> {
    const { waiting } = this.#context;
    const played = new Set<string>();
    for (const place of this.#rollouts) {
      const rollout = rolloutFromJson(waiting.at(place));
      const { rolloutId, taskId } = rollout;
      played.add(taskId);
      const task = this.#tasks.get(taskId);
      if (task === undefined) {
        this.#context.warn("no_task", `The task ${taskId} is not in the file, so rows of it have no prompt.`);
      }
      const judgments = taken(this.#judgments, rolloutId).map((at) => judgmentFromJson(waiting.at(at)));
      const markers = taken(this.#markers, rolloutId).map((at) => markerFromJson(waiting.at(at)));
      const asked = taskFromJson(task === undefined ? { task_id: taskId } : waiting.at(task));
      try {
        yield rowOf(asked, rollout, judgments, markers, this.#context);
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`rollout ${shownValue(rolloutId)}: ${error.what}`, error.fix);
      }
    }
    for (const places of this.#judgments.values())
      for (const _ of places) this.#context.skip("judgment_without_rollout");
    for (const places of this.#markers.values()) for (const _ of places) this.#context.skip("marker_without_rollout");
    for (const id of this.#tasks.keys()) if (!played.has(id)) this.#context.skip("task_without_rollout");
  }
}

function add(places: Map<string, number[]>, id: string, place: number): void {
  const known = places.get(id);
  if (known === undefined) places.set(id, [place]);
  else known.push(place);
}

function taken(places: Map<string, number[]>, id: string): number[] {
  const found = places.get(id) ?? [];
  places.delete(id);
  return found;
}
