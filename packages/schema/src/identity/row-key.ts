import { sha1Hex } from "../hash/sha1.ts";
import type { Row } from "../row.ts";
import { textOf } from "../text/text-of.ts";

/**
 * What names one row among its task's rollouts: its `rollout_id`; else `<scenario_id>#<rollout_index>`; else 16 hex
 * digits of the SHA-1 over prompt and final text. Labels find their rows by it.
 *
 * A `scenario_id` of "" is absent, so rows exported without a scenario do not all become `#0` as they do in the
 * Python SDK.
 */
export function rowKey(row: Row): string {
  const rolloutId = textOf(row.rollout_id);
  if (rolloutId !== "") return rolloutId;
  const scenarioId = textOf(row.scenario_id);
  const index = textOf(row.rollout_index);
  if (scenarioId !== "" && index !== "") return `${scenarioId}#${index}`;
  return sha1Hex(`${textOf(row.prompt)}\u001f${textOf(row.final_text)}`).slice(0, 16);
}
