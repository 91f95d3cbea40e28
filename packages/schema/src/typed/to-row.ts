import { type Calibration, calibrationOf, calibrationStamp } from "../calibration.ts";
import { SCHEMA_VERSION } from "../checks/shape.ts";
import { conversation } from "../conversation/conversation.ts";
import { isObject } from "../is-object.ts";
import { cleanFaults, NO_WORLD } from "../privileged/export-row.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import { ADVISORY, REWARD_RAW, UNLABELED } from "./row-keys.ts";
import {
  type Judgment,
  type Marker,
  type Rollout,
  type RowOrigin,
  SCORER_KINDS,
  type Task,
  type TypedRow,
} from "./typed-row.ts";

/**
 * The row that `fromRow` took apart, or the first row of a rollout made of typed objects. Task id, row id, reward and
 * every key of a current row come back equal; faults that are no objects and a world state that says nothing do not.
 *
 * `task.privileged` is never written, because every exporter reads rows and the block could reach a trainer; a row's
 * own block comes back as part of `extra.passthrough`, and `exportRow` removes it. `task.prefix` begins the messages
 * of a rollout that carries none; `task.behaviors`, `task.lineage` and `world.exemplars` have no key on rows.
 *
 * @throws SchemaError `bad_value` when the objects belong to different rollouts, or two judgments want one key
 */
export function toRow({ task, rollout, judgments, markers }: TypedRow): Row {
  checkOneRollout({ task, rollout, judgments, markers });
  const { passthrough = {}, calibration, origin, ...carried } = rollout.extra;
  const row = new Map<string, unknown>([["schema_version", SCHEMA_VERSION]]);
  writeIds(row, task, rollout);
  writeTask(row, task);
  writeRollout(row, rollout);
  for (const [key, value] of Object.entries(carried)) row.set(key, value);
  writePolicyHash(row, rollout);
  const own = ownVerdict(judgments, rollout);
  writeJudgments(row, judgments, own, rollout);
  writeMarkers(row, markers, passthrough);
  const { calibration: stamp, ...untyped } = passthrough;
  if (calibration !== undefined) row.set("calibration", calibrationOn(row, calibration, stamp));
  // A stamp that could be read and is gone from `extra` was taken away; one that could not be read is kept.
  else if (stamp !== undefined && calibrationOf({ calibration: stamp } as Row) === null) row.set("calibration", stamp);
  for (const [key, value] of Object.entries(untyped)) {
    if (!row.has(key) && !isStale(key, value, own, origin)) row.set(key, value);
  }
  if (!Array.isArray(row.get("messages"))) {
    row.set("messages", [...task.prefix, ...conversation(Object.fromEntries(row))]);
  }
  return Object.fromEntries(row);
}

function checkOneRollout({ task, rollout, judgments, markers }: TypedRow): void {
  if (rollout.taskId !== task.taskId) {
    throw new SchemaError(
      "bad_value",
      `toRow got the task ${task.taskId} and a rollout of ${rollout.taskId}.`,
      "Give a rollout with its own task.",
    );
  }
  const stranger = [...judgments, ...markers].find(({ rolloutId }) => rolloutId !== rollout.rolloutId);
  if (stranger !== undefined) {
    throw new SchemaError(
      "bad_value",
      `toRow got the rollout ${rollout.rolloutId} and a verdict or marker of ${stranger.rolloutId}.`,
      "Give the judgments and markers of this rollout alone.",
    );
  }
}

function writeIds(row: Map<string, unknown>, { taskId }: Task, { rolloutId, extra }: Rollout): void {
  const { taskId: from = "task_id", derived = [] } = extra.origin ?? {};
  if (!derived.includes(taskId)) row.set(from === "derived" ? "task_id" : from, taskId);
  if (!derived.includes(rolloutId)) row.set("rollout_id", rolloutId);
}

function writeTask(row: Map<string, unknown>, { prompt, specId, world, axes }: Task): void {
  row.set("prompt", prompt);
  for (const [axis, value] of Object.entries(axes)) row.set(axis, value);
  if (!NO_WORLD.has(world.state ?? "")) row.set("world_state", world.state);
  const faults = cleanFaults(world.faults);
  if (faults !== null) row.set("faults", faults);
  if (world.seed !== null) row.set("seed", world.seed);
  if (specId !== "") row.set("spec_id", specId);
}

function writeRollout(
  row: Map<string, unknown>,
  { steps, finalText, index, policy, extra, ...rollout }: Rollout,
): void {
  row.set("steps", steps);
  row.set("final_text", finalText);
  if (index !== 0 || extra.origin?.given.includes("rollout_index")) row.set("rollout_index", index);
  const model = policy.model ?? policy.name;
  if (model !== "") row.set("model_version", model);
  if (policy.version !== null) row.set("policy_version", policy.version);
  if (rollout.usable) return;
  row.set("usable", false);
  if (rollout.unusableReason !== null) row.set("unusable_reason", rollout.unusableReason);
}

/** The hash of the system prompt lies in the lineage, where writers put it. */
function writePolicyHash(row: Map<string, unknown>, { policy }: Rollout): void {
  const lineage = row.get("lineage");
  const known = isObject(lineage) ? lineage : {};
  if (policy.promptHash === null || known.system_prompt_sha === policy.promptHash) return;
  row.set("lineage", { ...known, system_prompt_sha: policy.promptHash });
}

/** The verdict that is the row's: the first by a scorer that has no key of its own. */
function ownVerdict(judgments: readonly Judgment[], { extra }: Rollout): Judgment | undefined {
  const namesake = extra.origin?.isNamesake ? judgments[0] : undefined;
  return judgments.find(({ scorer }) => !ADVISORY.includes(scorer.name)) ?? namesake;
}

/** Words of a verdict that was replaced or taken away since the row was read. */
function isStale(key: string, value: unknown, own: Judgment | undefined, origin: RowOrigin | undefined): boolean {
  if (!origin?.given.includes(key)) return false;
  if (key === "label_source") return own?.scorer.name !== textOf(value);
  return key === "grader_reason" && own?.reason !== textOf(value);
}

function writeJudgments(
  row: Map<string, unknown>,
  judgments: readonly Judgment[],
  own: Judgment | undefined,
  rollout: Rollout,
): void {
  const isOwn = (judgment: Judgment) => judgment === own || !ADVISORY.includes(judgment.scorer.name);
  const names = judgments.map((judgment) => (isOwn(judgment) ? "" : judgment.scorer.name));
  if (new Set(names).size < names.length) {
    const scorers = judgments.map(({ scorer }) => scorer.name).join(", ");
    throw new SchemaError(
      "bad_value",
      `toRow got more than one verdict for one key of the row, from ${scorers}.`,
      "A row holds one verdict beside those of llm and qwen: give the one that is to be its reward.",
    );
  }
  for (const judgment of judgments) {
    if (isOwn(judgment)) writeOwn(row, judgment, rollout);
    else writeAdvisory(row, judgment);
  }
}

function writeOwn(row: Map<string, unknown>, judgment: Judgment, { extra }: Rollout): void {
  const { scorer, reward, status, reason, failureClass } = judgment;
  const { origin, passthrough } = extra;
  const isSaid = (key: string) => origin === undefined || origin.given.includes(key);
  if (reward !== null || isSaid("reward")) row.set("reward", reward);
  if (status !== "ok" || isSaid("judge_status")) row.set("judge_status", status);
  const isOlder = origin?.given.includes("grader_reason") && passthrough?.grader_reason === reason;
  if (reason !== "" && !isOlder) row.set("reason", reason);
  if (failureClass !== null) row.set("failure_class", failureClass);
  const key = nameKey(judgment, extra);
  const meta = metaOf(judgment, key, extra.lineage);
  if (Object.keys(meta).length > 0) row.set("judge_meta", meta);
  if (key !== null) row.set(key, scorer.name);
}

/** Where the scorer's name stands; null for a verdict from nobody. A rule of no stamped kind is a label source. */
function nameKey({ scorer, evidence }: Judgment, { origin, passthrough }: Rollout["extra"]): string | null {
  const was = (key: string) => origin?.given.includes(key);
  if (was("label_source") && passthrough?.label_source === scorer.name) return "label_source";
  if (scorer.name === "" || (scorer.name === UNLABELED && !was("judge_name"))) return null;
  return scorer.kind === "rule" && !isStamped(evidence) ? "label_source" : "judge_name";
}

function isStamped({ scorer_kind: kind }: Judgment["evidence"]): boolean {
  return SCORER_KINDS.some((known) => known === kind);
}

/** The evidence, with the version and the kind where the row would otherwise be read as having others. */
function metaOf({ scorer, evidence }: Judgment, nameKey: string | null, lineage: unknown): Record<string, unknown> {
  const meta = { ...evidence };
  const version = textOf(meta.version) || (isObject(lineage) ? textOf(lineage.judge_version) : "");
  if (scorer.version !== null && scorer.version !== version) meta.version = scorer.version;
  const unstamped = nameKey === "judge_name" ? "judge" : "rule";
  if (isStamped(evidence) || scorer.kind !== unstamped) meta.scorer_kind = scorer.kind;
  return meta;
}

function writeAdvisory(row: Map<string, unknown>, { scorer, reward, reason, evidence }: Judgment): void {
  row.set(`${scorer.name}_reward`, REWARD_RAW in evidence ? evidence[REWARD_RAW] : reward);
  if (reason !== "") row.set(`${scorer.name}_reason`, reason);
}

/** Together with the entries that are no numbers, or are evidence for one of those. */
function writeMarkers(
  row: Map<string, unknown>,
  markers: readonly Marker[],
  { markers: others, marker_evidence: otherEvidence }: Record<string, unknown>,
): void {
  const values = markers.map(({ name, value }): [string, unknown] => [name, value]);
  const proofs = markers.filter(({ evidence }) => Object.keys(evidence).length > 0);
  if (values.length > 0) row.set("markers", withRest(values, others));
  if (proofs.length > 0) {
    const evidence = proofs.map(({ name, evidence: proof }): [string, unknown] => [name, proof]);
    row.set("marker_evidence", withRest(evidence, otherEvidence));
  }
}

function withRest(entries: readonly [string, unknown][], rest: unknown): Record<string, unknown> {
  return Object.fromEntries([...(isObject(rest) ? Object.entries(rest) : []), ...entries]);
}

/** The stamp as it stood, when that still says the same: older stamps have fewer keys, or numbers as text. */
function calibrationOn(row: Map<string, unknown>, calibration: Calibration, raw: unknown): unknown {
  const stamp = calibrationStamp(calibration);
  const read = isObject(raw) ? calibrationOf({ ...Object.fromEntries(row), calibration: raw }) : null;
  return read !== null && pyJson(calibrationStamp(read)) === pyJson(stamp) ? raw : stamp;
}
