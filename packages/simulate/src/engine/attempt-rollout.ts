import { type Json, type Step, textOf } from "@while/schema";
import type { RolloutContext } from "../agent/agent.ts";
import type { ModelUse } from "../agent/model.ts";
import { wordDraw } from "../draw.ts";
import { givePrivileged } from "../seeded/privileged-channel.ts";
import { SimulateError } from "../simulate-error.ts";
import { endRollout, tracedRollout, tracedTool } from "../tracing/traced-rollout.ts";
import type { WorldEffect } from "../world/mock-world.ts";
import { RolloutWorld } from "../world/rollout-world.ts";
import { agentError, type NormalReply, normaliseReply } from "./normalise-reply.ts";
import { RolloutClock } from "./rollout-clock.ts";
import type { RunSetup } from "./run-setup.ts";
import type { RunStop } from "./run-stop.ts";
import { SpendingStop } from "./spending-limit.ts";
import { type PlannedTask, privilegedBlock, promptHash, type RolloutKey } from "./task.ts";
import { type UnusableReason, unusableReason } from "./unusable-reason.ts";

/** Why a rollout came back without a row: what broke was not the agent. */
type LostReason = "infrastructure" | "task" | "timeout" | "aborted" | UnusableReason;

/** What one try of a rollout came to. */
export type Attempt =
  | {
      outcome: "reply";
      reply: NormalReply;
      effects: readonly WorldEffect[];
      uses: readonly ModelUse[];
      failure: UnusableReason | "timeout" | null;
    }
  | { outcome: "lost"; reason: LostReason; detail: string }
  | { outcome: "fatal"; error: SimulateError };

/** Codes that end a run: what refused this call will refuse every call. */
const FATAL: ReadonlySet<string> = new Set([
  ...["agent_auth_failed", "agent_quota_exceeded", "endpoint_refused", "endpoint_unreachable"],
]);

class TimeoutError extends Error {}

/** A rollout that made more calls, or used more tokens, than it may. */
class LimitError extends Error {}

/** Which try this is, and what it tells of its calls while they are made. */
export interface AttemptHooks {
  rolloutId: string;
  attempt: number;
  meter: (use: ModelUse) => void;
  spend: RolloutContext["spend"];
}

/** One try of one rollout, in a world of its own. Never rejects. */
export async function attemptRollout(
  setup: RunSetup,
  task: PlannedTask,
  key: RolloutKey,
  run: RunStop,
  hooks: AttemptHooks,
): Promise<Attempt> {
  const { tracing, modelVersion } = setup;
  const { scenarioId, prompt } = task;
  const about = { agent: modelVersion, model: modelVersion, scenarioId };
  return await tracedRollout(tracing, about, async (span) => {
    const attempt = await attempted(setup, task, key, run, hooks);
    if (span !== null && tracing !== null) {
      const isRow = attempt.outcome === "reply";
      const lost = isRow ? null : attempt.outcome === "lost" ? attempt.reason : attempt.error.code;
      const id = isRow ? hooks.rolloutId : `${hooks.rolloutId}#lost-${hooks.attempt}`;
      endRollout(span, tracing, { id, prompt, finalText: isRow ? attempt.reply.final_text : "", lost });
    }
    return attempt;
  });
}

async function attempted(
  setup: RunSetup,
  task: PlannedTask,
  key: RolloutKey,
  run: RunStop,
  hooks: AttemptHooks,
): Promise<Attempt> {
  const { agent, options } = setup;
  const { timeoutAs = "lost", lostPolicy = "boundary" } = options;
  const uses: ModelUse[] = [];
  const link = linkedSignal(run, options.rolloutTimeoutMs);
  const { rolloutTokens, rolloutToolCalls } = options;
  let tokens = 0;
  const meter = (use: ModelUse): void => {
    uses.push(use);
    hooks.meter(use);
    if (use.role === "agent") tokens += use.inputTokens + use.outputTokens;
    if (rolloutTokens !== undefined && tokens > rolloutTokens) {
      link.end(new LimitError(`more than ${rolloutTokens} tokens in one rollout`));
    }
  };
  let nCalls = 0;
  const count = (): void => {
    // Nobody waits for an agent that goes on after its end.
    link.signal.throwIfAborted();
    if (rolloutToolCalls === undefined || ++nCalls <= rolloutToolCalls) return;
    const error = new LimitError(`more than ${rolloutToolCalls} calls of tools in one rollout`);
    link.end(error);
    throw error;
  };
  const world = worldOf(setup, task, key, link.signal, meter);
  const context = contextOf(setup, task, key, world, link, { ...hooks, meter, count });
  const replied = (reply: NormalReply, failure: UnusableReason | "timeout" | null): Attempt =>
    failure !== null && failure !== "timeout" && lostPolicy === "compat"
      ? { outcome: "lost", reason: failure, detail: reply.final_text }
      : { outcome: "reply", reply, effects: world.effects(), uses, failure };
  try {
    // A reply is waited for beside the signal: an agent that does not look at it must not hold the run up.
    const raw = await Promise.race([call(agent, task.prompt, context), link.ended]);
    const reply = normaliseReply(raw, world.steps);
    return replied(reply, unusableReason(reply as { final_text: string; steps: Step[] }));
  } catch (error) {
    // An agent that goes round in circles has failed, and what it did is kept.
    if (error instanceof LimitError) {
      return replied({ steps: [...world.steps], final_text: agentError("LimitError", error.message) }, "agent_error");
    }
    if (error instanceof TimeoutError) {
      const detail = `no reply in ${options.rolloutTimeoutMs} ms`;
      if (timeoutAs === "lost") return { outcome: "lost", reason: "timeout", detail };
      return replied({ steps: [...world.steps], final_text: agentError("TimeoutError", detail) }, "timeout");
    }
    if (run.isStopped || error instanceof SpendingStop)
      return { outcome: "lost", reason: "aborted", detail: "the run was stopped" };
    if (error instanceof SimulateError) {
      if (FATAL.has(error.code)) return { outcome: "fatal", error };
      if (error.code === "infrastructure") return { outcome: "lost", reason: "infrastructure", detail: error.what };
      if (error.code === "task_failed") return { outcome: "lost", reason: "task", detail: error.what };
      // The conversation outgrew the window before the first word: a reply that was cut to nothing.
      if (error.code === "context_overflow") {
        return replied({ steps: [...world.steps], final_text: "", finish_reason: "length" }, null);
      }
    }
    const type = error instanceof Error ? error.name : typeof error;
    const message = error instanceof Error ? error.message : textOf(error);
    return replied({ steps: [...world.steps], final_text: agentError(type, message) }, "agent_error");
  } finally {
    link.release();
    await world.end();
  }
}

async function call(agent: RunSetup["agent"], prompt: string, context: RolloutContext): Promise<unknown> {
  return await agent(prompt, context);
}

function worldOf(
  setup: RunSetup,
  task: PlannedTask,
  key: RolloutKey,
  signal: AbortSignal,
  meter: (use: ModelUse) => void,
): RolloutWorld {
  const { options, tools, person, seed } = setup;
  const { execute, resultShapes, faultModes, worldSeed = "task" } = options;
  const own = worldSeed === "task" ? "" : `#${key.evalRun}.${key.rolloutIndex}`;
  return new RolloutWorld({
    ...{ tools, seed, prompt: task.prompt, faults: task.faults, worldState: task.worldState },
    taskId: task.scenarioId + own,
    signal,
    ...(execute === undefined ? {} : { execute }),
    ...(resultShapes === undefined ? {} : { resultShapes }),
    ...(faultModes === undefined ? {} : { faultModes }),
    ...(person === null
      ? {}
      : {
          askPerson: (question: string, steps: readonly Step[]) =>
            person.answer(question, {
              ...{ ask: task.prompt, steps, agentText: question, tags: task.tags, isAsked: true, signal, meter },
              sample: `${sampleOf(setup, task, key)}:asked:${steps.length}`,
            }),
        }),
  });
}

function contextOf(
  { systemPrompt, tools, person, seed, tracing }: RunSetup,
  task: PlannedTask,
  key: RolloutKey,
  world: RolloutWorld,
  { signal, waiting }: Pick<ReturnType<typeof linkedSignal>, "signal" | "waiting">,
  hooks: AttemptHooks & { count: () => void },
): RolloutContext {
  const { prompt, scenarioId, faults, worldState, tags } = task;
  const { rolloutIndex, evalRun } = key;
  const sample = sampleOf({ seed }, task, key);
  const context: RolloutContext = {
    ...{
      prompt,
      scenarioId,
      rolloutIndex,
      evalRun,
      seed,
      faults,
      worldState,
      tags,
      systemPrompt,
      tools,
      person,
      signal,
    },
    rolloutSeed: wordDraw(sample),
    sample,
    call: async (tool, given, { id } = {}): Promise<Json> => {
      hooks.count();
      return await tracedTool(tracing, { tool, given, id }, () => world.call(tool, given));
    },
    meter: hooks.meter,
    spend: hooks.spend,
    waiting,
    tracing,
  };
  givePrivileged(context, privilegedBlock(task));
  return context;
}

/** Names a rollout by what it is about, in whatever run. */
function sampleOf(
  { seed }: Pick<RunSetup, "seed">,
  { scenarioId, prompt }: PlannedTask,
  { rolloutIndex, evalRun }: RolloutKey,
): string {
  return [seed, scenarioId, promptHash(prompt), rolloutIndex, evalRun].join(":");
}

/** A signal of one rollout: it ends with the run, and when the time is up. */
function linkedSignal(run: RunStop, timeoutMs: number | undefined) {
  const controller = new AbortController();
  let clock: RolloutClock | undefined;
  let forget = (): void => {};
  let end = (_error: Error): void => {};
  const ended = new Promise<never>((_, reject) => {
    end = (error) => {
      controller.abort(error);
      reject(error);
    };
    forget = run.onStop(() => end(new Error("the run was stopped")));
    if (timeoutMs !== undefined) clock = new RolloutClock(timeoutMs, () => end(new TimeoutError()));
  });
  // Lost when the agent is quicker.
  ended.catch(() => {});
  const release = (): void => {
    clock?.stop();
    forget();
  };
  const waiting = <Result>(work: () => Promise<Result>): Promise<Result> => clock?.whileStopped(work) ?? work();
  return { signal: controller.signal, ended, end, release, waiting };
}
