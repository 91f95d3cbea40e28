import { isObject, type Json, type SystemPromptStamp, shortHash, systemPromptStamp } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import { type EndpointReport, reportSince } from "../endpoint/endpoint-report.ts";
import { SimulateError } from "../simulate-error.ts";
import type { Tracing } from "../tracing/tracer.ts";
import { SimulatedUser } from "../user/simulated-user.ts";
import { type SimTool, toolSchemas } from "../world/tool-schemas.ts";
import { checkSimulateOptions, type SimulateOptions } from "./simulate-options.ts";

/** What a run works with, its options looked at and its defaults in place. */
export interface RunSetup {
  agent: Agent;
  options: SimulateOptions;
  tools: SimTool[];
  systemPrompt: string;
  stamp: SystemPromptStamp;
  modelVersion: string;
  sampling: Readonly<Record<string, Json>> | null;
  person: SimulatedUser | null;
  seed: number;
  runs: number;
  warnings: string[];
  tracing: Tracing | null;
  /** Looks at what came of the calls over HTTP since the run began. */
  endpoints: () => EndpointReport[];
}

/**
 * @throws SimulateError `bad_option`, `bad_agent`, `bad_tools`
 */
export function runSetup(agent: Agent, options: SimulateOptions): RunSetup {
  checkAgent(agent);
  checkSimulateOptions(options);
  const { tools, warnings } = toolSchemas(options.tools ?? agent.tools ?? []);
  const systemPrompt = options.systemPrompt ?? agent.systemPrompt ?? "";
  const hasTasks = options.tasks !== undefined || (options.seeds?.length ?? 0) > 0 || options.grid !== undefined;
  if (!hasTasks && tools.length === 0 && systemPrompt === "" && options.dimensions === undefined) {
    const fix = "Give tools or a systemPrompt to draw situations from, or tasks, or seeds.";
    const why = warnings.map((warning) => ` ${warning}`).join("");
    throw new SimulateError("bad_option", `There is nothing that tasks could be drawn from.${why}`, fix);
  }
  const { userModel, userGate, seed = 0, runs = 1 } = options;
  const gate = userGate === undefined ? {} : { gate: userGate };
  const person = userModel === undefined ? null : new SimulatedUser({ model: userModel, ...gate });
  const modelVersion = options.modelVersion ?? agent.modelVersion ?? (agent.name || "agent");
  const sampling = agent.sampling ?? options.sampling ?? null;
  const stamp = systemPromptStamp(systemPrompt);
  const { tracer, traceContent = false } = options;
  const tracing = tracer === undefined ? null : { tracer, content: traceContent };
  const endpoints = endpointsSince([agent.endpointReport, userModel?.report]);
  return {
    agent,
    options,
    tools,
    systemPrompt,
    stamp,
    modelVersion,
    sampling,
    person,
    seed,
    runs,
    warnings,
    tracing,
    endpoints,
  };
}

/** A model may have served other runs before. */
function endpointsSince(given: readonly ((() => EndpointReport) | undefined)[]): () => EndpointReport[] {
  const looks = [...new Set(given)].filter((look) => look !== undefined);
  const before = looks.map((look) => look());
  return () => looks.map((look, index) => reportSince(look(), before[index]));
}

/** Names a run by what it is, where the caller names none. */
export function runIdOf({ options, modelVersion, seed, stamp }: RunSetup, prompts: readonly string[]): string {
  return options.runId ?? shortHash(modelVersion, seed, stamp.sha, ...prompts);
}

function checkAgent(agent: unknown): void {
  if (typeof agent === "function" && !/^class\b/.test(Function.prototype.toString.call(agent))) return;
  const seen = isObject(agent) ? `an object with ${Object.keys(agent).join(", ") || "no keys"}` : JSON.stringify(agent);
  const fix = "An agent is a function (message, context) => reply. A model becomes one with conversationAgent(model).";
  throw new SimulateError("bad_agent", `The agent is ${typeof agent === "function" ? "a class" : seen}.`, fix);
}
