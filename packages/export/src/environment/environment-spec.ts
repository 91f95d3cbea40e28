import type { ToolSchema } from "@while/schema";

/**
 * Where tools are answered and rollouts are graded. `verifiers`: in the trainer's process, by Python functions. `http`:
 * in a server of ours, by functions of an ES module; the trainer has a thin client, and graders keep their secrets.
 */
export type EnvironmentRuntime = "verifiers" | "http";

export const ENVIRONMENT_RUNTIMES: readonly EnvironmentRuntime[] = ["verifiers", "http"];

/** A way to run the agent: what is added to its rules, and tools of its own. */
export interface EnvironmentHarness {
  label: string;
  hash?: string;
  /** Added to the system prompt. */
  instructions?: string;
  /** In place of the environment's. */
  tools?: readonly ToolSchema[];
  disclosure?: string;
}

/** A tool as the trainer's framework takes it. */
export interface EnvironmentTool {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** `spec.json` of an environment, as it stands in the file. */
export interface EnvironmentSpec {
  name: string;
  runtime: EnvironmentRuntime;
  system_prompt: string;
  tools: readonly EnvironmentTool[];
  max_turns: number;
  /** References: `module:attribute` for Python, `./file.mjs#export` for a server. */
  reward: string;
  execute: string;
  /** What every world begins with. */
  world?: Readonly<Record<string, unknown>>;
  harnesses?: readonly (Omit<EnvironmentHarness, "tools"> & { tools?: readonly EnvironmentTool[] })[];
}
