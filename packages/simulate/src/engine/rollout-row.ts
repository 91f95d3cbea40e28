import { behaviorSignature, exportRow, type Json, type Row, toolsCalled } from "@while/schema";
import type { ModelUse } from "../agent/model.ts";
import type { WorldEffect } from "../world/mock-world.ts";
import type { AllocatedRollout } from "./allocate.ts";
import { finishReason } from "./finish-reason.ts";
import type { NormalReply } from "./normalise-reply.ts";
import type { RunSetup } from "./run-setup.ts";
import { type PlannedTask, privilegedBlock, rolloutIdFor } from "./task.ts";

export interface RowInput {
  setup: RunSetup;
  runId: string;
  task: PlannedTask;
  key: AllocatedRollout;
  reply: NormalReply;
  effects: readonly WorldEffect[];
  uses: readonly ModelUse[];
  attempts: number;
  /** Several runs: the row says which. */
  isEval: boolean;
  /** How it ended, where the engine knows better than the reply. */
  finish?: string;
}

/** The row of a rollout as files carry it, and the teacher's block that they do not. */
export interface LandedRow {
  row: Row;
  privileged: Record<string, Json>;
}

/** A rollout as a row. Holds no time and nothing that hangs on the order of completion. */
export function rolloutRow(input: RowInput): LandedRow {
  const { setup, runId, task, key, reply, effects, uses, finish } = input;
  const { modelVersion, stamp, sampling, person, seed, options } = setup;
  const { steps: own, final_text, opener = task.opener, ended_by, seeded, logprob, n_tokens, token_logprobs } = reply;
  const steps = own as Row["steps"] & object;
  const usage = usageOf(reply, uses);
  const row: Row = {
    prompt: task.prompt,
    steps,
    final_text,
    ...(task.unnamed ? {} : { scenario_id: task.scenarioId }),
    rollout_id: rolloutIdFor(runId, task, key),
    rollout_index: key.rolloutIndex,
    ...task.tags,
    ...(task.assignment === null ? {} : { scenario_dimensions: { ...task.assignment } }),
    arm: task.arm,
    world_state: task.worldState,
    faults: task.faults as Record<string, unknown> | null,
    ...(opener === undefined ? {} : { opener, opening: "agent" }),
    seed,
    model_version: modelVersion,
    policy_version: `${modelVersion}@${stamp.sha}`,
    writer_model: task.writerModel ?? (task.replayed ? "pinned" : null),
    user_model: person?.name ?? setup.agent.userModel ?? null,
    sampling: sampling as Row["sampling"] & object,
    finish_reason: finish ?? finishReason(reply.finish_reason, steps, final_text),
    ...(ended_by === undefined ? {} : { ended_by }),
    ...(logprob === undefined ? {} : { logprob }),
    ...(n_tokens === undefined ? {} : { n_tokens }),
    ...(token_logprobs === undefined ? {} : { token_logprobs: [...token_logprobs] }),
    ...(usage === null ? {} : { usage }),
    ...(options.harness === undefined ? {} : { harness: options.harness }),
    ...(seeded === undefined ? {} : { seeded: [...seeded] }),
    selection_reason: task.selectionReason,
    ...(task.parentFailureId === undefined ? {} : { parent_failure_id: task.parentFailureId }),
    lineage: lineageOf(input)!,
  };
  row.behavior_signature = behaviorSignature(row);
  const tools = toolsCalled(row);
  if (tools.length > 0) row.tools_used = tools;
  const privileged: Record<string, Json> = privilegedBlock(task);
  if (effects.length > 0) privileged.world_diff = effects as unknown as Json;
  return { row: exportRow(row), privileged };
}

function lineageOf({ setup, task, key, attempts, isEval, uses }: RowInput): Row["lineage"] {
  const { sha, head, chars } = setup.stamp;
  const replayedCalls = uses.filter(({ isReplayed }) => isReplayed).length;
  const isReplay = task.replayed === true || key.evalRun > 0;
  return {
    system_prompt_sha: sha,
    system_prompt_head: head,
    system_prompt_chars: chars,
    allocation: key.allocation,
    ...(isReplay ? { replayed: true } : {}),
    ...(key.evalRun > 0 && task.replayed !== true ? { replayed_from_run: 0 } : {}),
    ...(isEval ? { eval_run: key.evalRun } : {}),
    ...(attempts > 1 ? { attempts } : {}),
    ...(replayedCalls > 0 ? { replayed_calls: replayedCalls } : {}),
  };
}

/** What the agent's models used: as it says itself, else as it was metered; null when nobody says. */
function usageOf({ usage, steps }: NormalReply, uses: readonly ModelUse[]): Record<string, number> | null {
  if (usage !== undefined) return { ...usage };
  const own = uses.filter(({ role }) => role === "agent");
  if (own.length > 0) {
    return {
      input_tokens: own.reduce((sum, use) => sum + use.inputTokens, 0),
      output_tokens: own.reduce((sum, use) => sum + use.outputTokens, 0),
    };
  }
  const told = steps.filter((step) => typeof step.input_tokens === "number" || typeof step.output_tokens === "number");
  if (told.length === 0) return null;
  const sum = (key: string) => told.reduce((total, step) => total + (typeof step[key] === "number" ? step[key] : 0), 0);
  return { input_tokens: sum("input_tokens"), output_tokens: sum("output_tokens") };
}
