import { calibrationStamp, type PolicyRef } from "../calibration.ts";
import type { Dataset, Judgment, Marker, Rollout, Task, TypedRow } from "./typed-row.ts";

/** An object as files and HTTP hold it: snake_case keys in a fixed order, what is absent as null. */
type JsonObject = Record<string, unknown>;

/**
 * The JSON of a task, which may travel without its rollouts. Only the keys of the type are renamed: states, faults and
 * rubrics are the user's words and stay. It holds the privileged block: this is for the teacher's side.
 */
export function taskJson({
  taskId,
  specId,
  prompt,
  prefix,
  world,
  privileged,
  axes,
  behaviors,
  lineage,
}: Task): JsonObject {
  return {
    task_id: taskId,
    spec_id: specId,
    prompt,
    prefix,
    world: { seed: world.seed, state: world.state, faults: world.faults, exemplars: world.exemplars },
    privileged: {
      principle: privileged.principle,
      hidden_state: privileged.hiddenState,
      reference: privileged.reference,
      rubric: privileged.rubric,
    },
    axes,
    behaviors,
    lineage: { parent_task_id: lineage.parentTaskId, transform: lineage.transform, seed: lineage.seed },
  };
}

/** The JSON of a rollout. Of `extra`, what came from the row is under the row's own names; `origin` is for `toRow` alone. */
export function rolloutJson({ policy, ledger, extra, ...rollout }: Rollout): JsonObject {
  const { calibration, origin: _, ...carried } = extra;
  return {
    rollout_id: rollout.rolloutId,
    task_id: rollout.taskId,
    policy: policyJson(policy),
    index: rollout.index,
    steps: rollout.steps,
    final_text: rollout.finalText,
    ledger: ledger.map(({ tool, mode, rate, injected }) => ({ tool, mode, rate, injected })),
    usable: rollout.usable,
    unusable_reason: rollout.unusableReason,
    extra: calibration === undefined ? carried : { ...carried, calibration: calibrationStamp(calibration) },
  };
}

function policyJson({ name, model, promptHash, version }: PolicyRef): JsonObject {
  return { name, model, prompt_hash: promptHash, version };
}

/** The JSON of a judgment. */
export function judgmentJson({
  rolloutId,
  scorer,
  reward,
  status,
  reason,
  failureClass,
  evidence,
}: Judgment): JsonObject {
  const { name, kind, version } = scorer;
  const by = { name, kind, version };
  return { rollout_id: rolloutId, scorer: by, reward, status, reason, failure_class: failureClass, evidence };
}

/** The JSON of a marker. */
export function markerJson({ rolloutId, name, value, evidence }: Marker): JsonObject {
  return { rollout_id: rolloutId, name, value, evidence };
}

/** The JSON of a set of tasks. */
export function datasetJson({ datasetId, specId, splits }: Dataset): JsonObject {
  return { dataset_id: datasetId, spec_id: specId, splits: Object.fromEntries(splits) };
}

/** The JSON of everything a row says, taken apart. */
export function typedRowJson({ task, rollout, judgments, markers }: TypedRow): JsonObject {
  return {
    task: taskJson(task),
    rollout: rolloutJson(rollout),
    judgments: judgments.map(judgmentJson),
    markers: markers.map(markerJson),
  };
}
