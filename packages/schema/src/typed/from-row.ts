import { calibrationOf } from "../calibration.ts";
import { rolloutIdOf, taskIdOfPrompt } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import { NO_WORLD } from "../privileged/export-row.ts";
import { AXES, type Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { canonicalRow } from "./canonical-row.ts";
import { ADVISORY, isCarried, REWARD_RAW, UNLABELED } from "./row-keys.ts";
import {
  type FaultEvent,
  type Judgment,
  type Marker,
  type Privileged,
  type RolloutExtra,
  type RowOrigin,
  SCORER_KINDS,
  type Scorer,
  type Task,
  type TypedRow,
  type World,
} from "./typed-row.ts";

/**
 * A row taken apart into the task, the episode, the verdicts and the measurements. `toRow` puts it together again
 * without loss: what no typed field holds lies on `rollout.extra`.
 *
 * A row without version is brought to canonical form first: flat columns, loose names and message lists are read as
 * `readRows` reads them, with fractional rewards kept. A reward that is no number is null with status
 * `invalid_result`, and stays as it was in `evidence.reward_raw`.
 *
 * @throws SchemaError `bad_value` for what is no object or has steps that are no list, `unknown_schema_version`
 */
export function fromRow(row: Row): TypedRow {
  const reader = new RowReader(canonicalRow(row, "fromRow"));
  const task = reader.task();
  const rolloutId = reader.id("rollout_id") || reader.derive(rolloutIdOf(reader.row));
  const judgments = reader.judgments(rolloutId);
  const markers = reader.markers(rolloutId);
  const rollout = {
    rolloutId,
    taskId: task.taskId,
    policy: reader.policy(),
    index: reader.index(),
    steps: reader.steps(),
    finalText: textOf(reader.taken("final_text")),
    ledger: ledgerOf(task.world.faults),
    ...reader.usability(),
    extra: reader.extra(),
  };
  return { task, rollout, judgments, markers };
}

/** Reads a row field by field, and remembers what was read: the rest passes through. */
class RowReader {
  readonly row: Row;
  readonly #read = new Set<string>(["schema_version"]);
  readonly #passthrough = new Map<string, unknown>();
  readonly #origin: RowOrigin & { derived: string[]; given: string[] };

  constructor(row: Row) {
    this.row = row;
    this.#origin = { taskId: "derived", derived: [], given: [], isNamesake: false };
  }

  /** The value of a key that a typed field holds from here on. */
  taken(key: string): unknown {
    this.#read.add(key);
    return this.row[key];
  }

  /** The same for a text. Without one the key is left to pass through, and the answer is "". */
  text(key: string): string {
    const value = this.row[key];
    return typeof value === "string" && value !== "" ? (this.taken(key) as string) : "";
  }

  /** The same for an id, which may have been written as a number. */
  id(key: string): string {
    const id = textOf(this.row[key]);
    if (id !== "") this.#read.add(key);
    return id;
  }

  derive(id: string): string {
    this.#origin.derived.push(id);
    return id;
  }

  task(): Task {
    const prompt = textOf(this.taken("prompt"));
    const axes: [string, unknown][] = [];
    for (const axis of AXES) if (isGiven(this.row[axis])) axes.push([axis, this.taken(axis)]);
    return {
      taskId: this.#taskId(prompt),
      specId: this.id("spec_id"),
      prompt,
      prefix: [],
      world: this.#world(),
      privileged: privilegedOf(this.row.privileged),
      axes: Object.fromEntries(axes),
      behaviors: [],
      lineage: { parentTaskId: null, transform: null, seed: null },
    };
  }

  #taskId(prompt: string): string {
    for (const key of ["scenario_id", "task_id"] as const) {
      const id = this.id(key);
      if (id === "") continue;
      this.#origin.taskId = key;
      return id;
    }
    return this.derive(taskIdOfPrompt(prompt));
  }

  #world(): World {
    const { seed, faults } = this.row;
    const state = textOf(this.taken("world_state"));
    return {
      seed: isNumber(seed) ? (this.taken("seed") as number) : null,
      state: NO_WORLD.has(state) ? null : state,
      faults: isObject(faults) ? (this.taken("faults") as Record<string, unknown>) : {},
      exemplars: {},
    };
  }

  policy(): TypedRow["rollout"]["policy"] {
    const model = this.text("model_version") || null;
    const { lineage } = this.row;
    return {
      name: model ?? "",
      model,
      promptHash: textOf(lineage?.system_prompt_sha) || null,
      version: this.text("policy_version") || null,
    };
  }

  index(): number {
    const { rollout_index: index } = this.row;
    if (!isNumber(index)) return 0;
    this.#given("rollout_index");
    return index;
  }

  steps(): TypedRow["rollout"]["steps"] {
    const steps = this.taken("steps") ?? [];
    if (Array.isArray(steps)) return steps;
    throw new SchemaError("bad_value", `steps is ${JSON.stringify(steps)}.`, "Give a list of steps.");
  }

  usability(): { usable: boolean; unusableReason: string | null } {
    if (this.row.usable !== false) return { usable: true, unusableReason: null };
    this.taken("usable");
    return { usable: false, unusableReason: this.text("unusable_reason") || null };
  }

  judgments(rolloutId: string): Judgment[] {
    const { row } = this;
    const isGraded = "reward" in row || ["judge_status", "judge_name", "label_source"].some((key) => textOf(row[key]));
    const judgments = isGraded ? [this.#primary(rolloutId)] : [];
    if ("llm_reward" in row) judgments.push(this.#advisory("llm", rolloutId));
    if (isGiven(row.qwen_reward)) judgments.push(this.#advisory("qwen", rolloutId));
    return judgments;
  }

  #primary(rolloutId: string): Judgment {
    if ("reward" in this.row) this.#given("reward");
    if (textOf(this.row.judge_status) !== "") this.#given("judge_status");
    const { reward, evidence } = rewardOf(this.row.reward);
    const status = textOf(this.row.judge_status) || "ok";
    const meta = isFilled(this.row.judge_meta) ? (this.taken("judge_meta") as Record<string, unknown>) : {};
    const scorer = this.#scorer(meta);
    this.#origin.isNamesake = ADVISORY.includes(scorer.name);
    return {
      rolloutId,
      scorer,
      reward,
      status: REWARD_RAW in evidence ? "invalid_result" : status,
      reason: this.#reason(),
      failureClass: this.text("failure_class") || null,
      evidence: { ...meta, ...evidence },
    };
  }

  /** The older spelling passes through, and is not written a second time under the newer one. */
  #reason(): string {
    const reason = this.text("reason");
    if (reason !== "") return reason;
    const older = textOf(this.row.grader_reason);
    if (older !== "") this.#origin.given.push("grader_reason");
    return older;
  }

  #scorer(meta: Record<string, unknown>): Scorer {
    const judge = this.text("judge_name");
    if (judge === UNLABELED) this.#origin.given.push("judge_name");
    const source = textOf(this.row.label_source);
    if (judge === "" && source !== "") this.#origin.given.push("label_source");
    const kind = SCORER_KINDS.find((known) => known === meta.scorer_kind);
    return {
      // The label source passes through, and so survives beside a judge's name.
      name: judge || source || UNLABELED,
      kind: kind ?? (judge === "" ? "rule" : "judge"),
      version: textOf(meta.version) || textOf(this.row.lineage?.judge_version) || null,
    };
  }

  #advisory(name: string, rolloutId: string): Judgment {
    const { reward, evidence } = rewardOf(this.taken(`${name}_reward`));
    return {
      rolloutId,
      scorer: { name, kind: "judge", version: null },
      reward,
      status: REWARD_RAW in evidence ? "invalid_result" : "ok",
      reason: this.text(`${name}_reason`),
      failureClass: null,
      evidence,
    };
  }

  markers(rolloutId: string): Marker[] {
    const { markers, marker_evidence: evidence } = this.row;
    if (!isObject(markers)) return [];
    const read: Marker[] = [];
    const proofs = new Map<string, unknown>(isObject(evidence) ? Object.entries(evidence) : []);
    const others: [string, unknown][] = [];
    for (const [name, raw] of Object.entries(markers)) {
      const value = numberOf(raw);
      const proof = proofs.get(name);
      if (value === null) {
        others.push([name, raw]);
        continue;
      }
      if (isFilled(proof)) proofs.delete(name);
      read.push({ rolloutId, name, value, evidence: isFilled(proof) ? proof : {} });
    }
    if (read.length > 0) this.#keepRest("markers", others);
    if (isFilled(evidence)) this.#keepRest("marker_evidence", [...proofs]);
    return read;
  }

  /** Of an object, the entries that no typed object holds. */
  #keepRest(key: string, rest: readonly [string, unknown][]): void {
    this.#read.add(key);
    if (rest.length > 0) this.#passthrough.set(key, Object.fromEntries(rest));
  }

  extra(): RolloutExtra {
    const extra = new Map<string, unknown>();
    const calibration = calibrationOf(this.row);
    if (calibration !== null) extra.set("calibration", calibration);
    for (const [key, value] of Object.entries(this.row)) {
      if (this.#read.has(key)) continue;
      (isCarried(key) && isGiven(value) ? extra : this.#passthrough).set(key, value);
    }
    return Object.fromEntries([
      ...extra,
      ["passthrough", Object.fromEntries(this.#passthrough)],
      ["origin", this.#origin],
    ]);
  }

  #given(key: string): void {
    this.#read.add(key);
    this.#origin.given.push(key);
  }
}

function privilegedOf(block: unknown): Privileged {
  const { principle, hidden_state: hidden, reference, rubric } = isObject(block) ? block : {};
  return {
    principle: textOf(principle) || null,
    hiddenState: isObject(hidden) ? hidden : {},
    reference: textOf(reference) || null,
    rubric: isObject(rubric) ? rubric : {},
  };
}

function ledgerOf(faults: Record<string, unknown>): FaultEvent[] {
  const ledger: FaultEvent[] = [];
  for (const [tool, fault] of Object.entries(faults)) {
    if (!isObject(fault) || textOf(fault.mode) === "") continue;
    ledger.push({ tool, mode: textOf(fault.mode), rate: isNumber(fault.rate) ? fault.rate : null, injected: true });
  }
  return ledger;
}

function rewardOf(raw: unknown): Pick<Judgment, "reward" | "evidence"> {
  const reward = numberOf(raw);
  if (reward !== null || !isGiven(raw)) return { reward, evidence: {} };
  return { reward: null, evidence: { [REWARD_RAW]: typeof raw === "number" ? String(raw) : raw } };
}

/** Booleans are 0 and 1, and text is read; null for what is no finite number. */
function numberOf(raw: unknown): number | null {
  if (typeof raw === "boolean") return raw ? 1 : 0;
  const number = typeof raw === "string" && raw.trim() !== "" ? Number(raw) : raw;
  return isNumber(number) ? number : null;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function isFilled(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).length > 0;
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}
