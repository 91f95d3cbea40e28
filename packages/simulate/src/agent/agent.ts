import type { Json, Step, ToolSchema } from "@while/schema";
import type { EndpointReport } from "../endpoint/endpoint-report.ts";
import type { Tracing } from "../tracing/tracer.ts";
import type { SimulatedUser } from "../user/simulated-user.ts";
import type { FaultPlan } from "../world/fault-plan.ts";
import type { ModelUse } from "./model.ts";

/** What a rollout is about, and the world that it runs in. One object a rollout. */
export interface RolloutContext {
  prompt: string;
  scenarioId: string;
  /** 0 to k - 1 among the rollouts of this prompt. */
  rolloutIndex: number;
  /** Which of several runs over the same tasks this is. */
  evalRun: number;
  /** Of the run. */
  seed: number;
  /** Of this rollout, for a provider that takes a seed: it differs between rollouts and runs, and never between tries. */
  rolloutSeed: number;
  /** Names this rollout among all others that ask the same, for a model that keeps its answers. */
  sample: string;
  faults: FaultPlan | null;
  worldState: string | null;
  /** How the person behaves: `stance`, `tone` and other tags of the conversation. */
  tags: Readonly<Record<string, string>>;
  systemPrompt: string;
  tools: readonly ToolSchema[];
  /**
   * Calls a tool in the world of this rollout: faults and state as planned. Resolves to what the tool answers; a fault
   * is an answer too. The calls made here are the steps of a reply that brings none of its own. `id` is that of the call
   * in the conversation, for its span.
   */
  call(tool: string, given: Readonly<Record<string, unknown>>, about?: { id?: string }): Promise<Json>;
  /** Plays the person who asked, where a model was given for them. */
  person: SimulatedUser | null;
  /** Tells what a call of a model used; summed on the row and in the report. */
  meter(use: ModelUse): void;
  /**
   * Asks, before a call of a model, for the most that it could cost in USD (null when nobody knows), where the run has a
   * limit; what comes back is called when the call is over. A run whose limit does not allow for the call ends here.
   */
  spend(mostUsd: number | null): Promise<() => void>;
  /** Stops the rollout's clock while it waits for its turn at a crowded server: `rolloutTimeoutMs` is working time. */
  waiting<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Where spans go, for an agent that makes some of its own; null where nobody traces. */
  tracing: Tracing | null;
  /** Aborted when the run is stopped or the rollout has run out of time. */
  signal: AbortSignal;
}

/** What an agent did, in the spelling of rows. The camelCase spellings of the same names are read too. */
export interface AgentReply {
  /** Without them, the calls made through `context.call`. */
  steps?: readonly Step[];
  final_text?: string;
  /** What the agent said before the person did. */
  opener?: string;
  ended_by?: string;
  /** `stop`, `length`, `tool`, `error`, `content_filter` or `refusal`; derived when left out. */
  finish_reason?: string;
  /** Which known misbehaviours were planted, for agents that plant some. */
  seeded?: readonly string[];
  usage?: { input_tokens: number; output_tokens: number };
  logprob?: number;
  n_tokens?: number;
  token_logprobs?: readonly number[];
}

/** What an agent may say of itself; a function carries it as properties. */
export interface AgentInfo {
  /** Becomes `model_version`; else the function's name. */
  modelVersion?: string;
  /** How it samples, as rows carry it. */
  sampling?: Readonly<Record<string, Json>>;
  /** What it works with, where the call does not say. */
  tools?: readonly unknown[];
  systemPrompt?: string;
  /** `command` for a program of its own; a function when left out. */
  kind?: "callable" | "command";
  /** The model that plays the person, where the agent brings one. */
  userModel?: string;
  /** What came of its calls over HTTP so far, where there are some. */
  endpointReport?: () => EndpointReport;
}

/**
 * The agent under test: one message in, one trajectory out. A bare string is a reply without steps of its own.
 *
 * What it throws is the agent's failure and is kept as a row, unless it is a `SimulateError`: `infrastructure` loses the
 * rollout, which is tried again; `context_overflow` is a reply that was cut; `agent_auth_failed`, `agent_quota_exceeded`,
 * `endpoint_refused` and `endpoint_unreachable` end the run.
 */
export type Agent = ((message: string, context: RolloutContext) => AgentReply | string | Promise<AgentReply | string>) &
  AgentInfo;
