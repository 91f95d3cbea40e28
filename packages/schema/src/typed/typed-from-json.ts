import { calibrationOf, policyRef } from "../calibration.ts";
import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { shownValue } from "../text/shown-value.ts";
import { textOf } from "../text/text-of.ts";
import { type Judgment, type Marker, type Rollout, SCORER_KINDS, type Task } from "./typed-row.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * A task from its JSON: `taskJson` read back. Keys that are absent are empty.
 *
 * @throws SchemaError `bad_value` without a `task_id`
 */
export function taskFromJson(json: JsonObject): Task {
  const { world, privileged, lineage } = json;
  const { seed, state, faults, exemplars } = objectOf(world);
  const { principle, hidden_state, reference, rubric } = objectOf(privileged);
  const { parent_task_id, transform, seed: transformSeed } = objectOf(lineage);
  return {
    taskId: idOf(json, "task_id", "A task"),
    specId: textOf(json.spec_id),
    prompt: textOf(json.prompt),
    prefix: listOf(json.prefix) as Task["prefix"],
    world: {
      ...{ seed: numberOf(seed), state: textOf(state) || null },
      ...{ faults: objectOf(faults), exemplars: objectOf(exemplars) },
    },
    privileged: {
      ...{ principle: textOf(principle) || null, hiddenState: objectOf(hidden_state) },
      ...{ reference: textOf(reference) || null, rubric: objectOf(rubric) },
    },
    axes: objectOf(json.axes),
    behaviors: listOf(json.behaviors).map(textOf),
    lineage: {
      parentTaskId: textOf(parent_task_id) || null,
      transform: textOf(transform) || null,
      seed: numberOf(transformSeed),
    },
  };
}

/**
 * A rollout from its JSON: `rolloutJson` read back, without `extra.origin`, which is not written.
 *
 * @throws SchemaError `bad_value` without a `rollout_id` or a `task_id`
 */
export function rolloutFromJson(json: JsonObject): Rollout {
  const { calibration: stamp, passthrough, origin: _, ...carried } = objectOf(json.extra);
  const extra = isObject(passthrough) ? { ...carried, passthrough } : carried;
  const taskId = idOf(json, "task_id", "A rollout");
  const calibration = calibrationOf({ task_id: taskId, calibration: isObject(stamp) ? stamp : null });
  return {
    ...{ rolloutId: idOf(json, "rollout_id", "A rollout"), taskId, policy: policyRef(json.policy) },
    ...{ index: numberOf(json.index) ?? 0, steps: listOf(json.steps) as Rollout["steps"] },
    finalText: textOf(json.final_text),
    ledger: listOf(json.ledger).map((event) => {
      const { tool, mode, rate, injected } = objectOf(event);
      return { tool: textOf(tool), mode: textOf(mode), rate: numberOf(rate), injected: injected !== false };
    }),
    usable: json.usable !== false,
    unusableReason: textOf(json.unusable_reason) || null,
    extra: calibration === null ? extra : { ...extra, calibration },
  };
}

/**
 * A judgment from its JSON: `judgmentJson` read back.
 *
 * @throws SchemaError `bad_value` without a `rollout_id`, or with a scorer of no known kind
 */
export function judgmentFromJson(json: JsonObject): Judgment {
  const { name, kind, version } = objectOf(json.scorer);
  const known = SCORER_KINDS.find((one) => one === kind);
  if (known === undefined) {
    throw new SchemaError(
      "bad_value",
      `A judgment has a scorer whose kind is ${shownValue(kind)}.`,
      `Write one of ${SCORER_KINDS.join(", ")}.`,
    );
  }
  return {
    rolloutId: idOf(json, "rollout_id", "A judgment"),
    scorer: { name: textOf(name), kind: known, version: textOf(version) || null },
    ...{ reward: numberOf(json.reward), status: textOf(json.status) || "ok", reason: textOf(json.reason) },
    ...{ failureClass: textOf(json.failure_class) || null, evidence: objectOf(json.evidence) },
  };
}

/**
 * A marker from its JSON: `markerJson` read back.
 *
 * @throws SchemaError `bad_value` without a `rollout_id`, a name or a value
 */
export function markerFromJson(json: JsonObject): Marker {
  const value = numberOf(json.value);
  const name = idOf(json, "name", "A marker");
  if (value === null) {
    throw new SchemaError("bad_value", `The marker ${name} has no number as its value.`, "Write a number, 1 is good.");
  }
  return { rolloutId: idOf(json, "rollout_id", "A marker"), name, value, evidence: objectOf(json.evidence) };
}

function idOf(json: JsonObject, key: string, what: string): string {
  const id = textOf(json[key]);
  if (id === "") throw new SchemaError("bad_value", `${what} has no ${key}.`, "Write it, as the typed view does.");
  return id;
}

function objectOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
