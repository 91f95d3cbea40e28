import { checkOptions, isObject, type ToolSchema } from "@while/schema";
import { ExportError } from "../export-error.ts";
import { BUILD_TASKS_OPTIONS, type BuildTasksOptions } from "../tasks/build-tasks.ts";
import { invalidOption } from "../training-rows.ts";
import {
  ENVIRONMENT_RUNTIMES,
  type EnvironmentHarness,
  type EnvironmentRuntime,
  type EnvironmentTool,
} from "./environment-spec.ts";

export interface EnvironmentOptions extends BuildTasksOptions {
  /** Of the package; what is no letter, digit or `_` becomes `_`. */
  name: string;
  /** Who grades a rollout: `module:attribute` of Python, or `./file.mjs#export` for `http`. */
  reward: string;
  /** Who answers a tool call, by the same rule. */
  execute: string;
  runtime?: EnvironmentRuntime;
  /** The agent's rules. Default: what the source knows. */
  systemPrompt?: string;
  /** Function schemas. Default: what the source knows. */
  tools?: readonly ToolSchema[];
  /** Replies of the agent in one rollout; one that is still calling then is cut, and earns nothing. */
  maxTurns?: number;
  /** A sentence for the README. */
  description?: string;
  /** What every world begins with, beside the task's own `world_state`. */
  world?: Readonly<Record<string, unknown>>;
  /** Ways to run the agent; each task is played in one. */
  harnesses?: readonly EnvironmentHarness[];
}

const OPTIONS: readonly string[] = [
  ...BUILD_TASKS_OPTIONS,
  ...["name", "reward", "execute", "runtime", "systemPrompt", "tools", "maxTurns", "description", "world"],
  "harnesses",
];

/** Turns of a rollout, where nobody says. */
const MAX_TURNS = 10;

/** An environment with everything decided that does not depend on its tasks. */
export interface EnvironmentSettings {
  name: string;
  slug: string;
  reward: string;
  execute: string;
  runtime: EnvironmentRuntime;
  systemPrompt: string;
  tools: EnvironmentTool[];
  maxTurns: number;
  description: string;
  world: Readonly<Record<string, unknown>> | null;
  harnesses: readonly EnvironmentHarness[];
}

/** What the source says where the caller does not. */
export interface KnownOfSource {
  systemPrompt: string | null;
  tools: readonly ToolSchema[] | null;
}

/** @throws ExportError `invalid_option`, `no_tools`, `bad_reference`, `bad_world`, `bad_harness` */
export function environmentSettings(options: EnvironmentOptions, known: KnownOfSource): EnvironmentSettings {
  checkOptions(options, OPTIONS, invalidOption);
  const { name, runtime = "verifiers", maxTurns = MAX_TURNS, description = "", world = null, harnesses = [] } = options;
  if (typeof name !== "string" || name.trim() === "") {
    throw invalidOption(`name is ${JSON.stringify(name)}.`, "Name the environment: it becomes a Python package.");
  }
  const slug = slugOf(name);
  if (!/^[a-z_]/.test(slug)) {
    throw invalidOption(
      `name is ${JSON.stringify(name)}, and ${slug} is no name of a package.`,
      "Begin it with a letter.",
    );
  }
  if (!ENVIRONMENT_RUNTIMES.includes(runtime)) {
    throw invalidOption(`runtime is ${JSON.stringify(runtime)}.`, `Give one of ${ENVIRONMENT_RUNTIMES.join(", ")}.`);
  }
  if (!Number.isInteger(maxTurns) || maxTurns < 1) {
    throw invalidOption(`maxTurns is ${String(maxTurns)}.`, "Give a whole number from 1.");
  }
  const tools = options.tools ?? known.tools ?? [];
  if (tools.length === 0) {
    throw new ExportError("no_tools", "The agent has no tools to act with.", "Pass tools, a list of function schemas.");
  }
  for (const key of ["reward", "execute"] as const) checkReference(key, options[key], runtime);
  checkWorld(world);
  checkHarnesses(harnesses);
  return {
    ...{ name, slug, runtime, maxTurns, description, world, harnesses },
    reward: options.reward,
    execute: options.execute,
    systemPrompt: options.systemPrompt ?? known.systemPrompt ?? "",
    tools: tools.map(toolOf),
  };
}

function slugOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
}

const REFERENCES: Readonly<Record<EnvironmentRuntime, { pattern: RegExp; example: string }>> = {
  verifiers: { pattern: /^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$/, example: "shop.world:execute" },
  http: { pattern: /^\.{1,2}\/[^#]+\.m?[jt]s#[A-Za-z_$][\w$]*$/, example: "./world.mjs#execute" },
};

/** A function cannot be written into a package; its name can. */
function checkReference(key: string, reference: unknown, runtime: EnvironmentRuntime): void {
  const { pattern, example } = REFERENCES[runtime];
  if (typeof reference === "string" && pattern.test(reference)) return;
  const seen = typeof reference === "function" ? "a function" : JSON.stringify(reference);
  throw new ExportError(
    "bad_reference",
    `${key} is ${seen}, which a fresh process cannot find.`,
    `Give it a name in a module and pass that, for example ${example}.`,
  );
}

function checkWorld(world: unknown): void {
  if (world === null) return;
  let copy: unknown;
  try {
    copy = JSON.parse(JSON.stringify(world));
  } catch (cause) {
    throw badWorld("it does not become JSON", { cause });
  }
  if (!isObject(world)) throw badWorld("it is no object");
  const lost = lostKey(world, copy);
  if (lost !== null) throw badWorld(`${lost} does not survive as JSON`);
}

function badWorld(what: string, options: ErrorOptions = {}): ExportError {
  return new ExportError(
    "bad_world",
    `world cannot be written: ${what}.`,
    "Give plain objects, lists, texts and numbers.",
    options,
  );
}

/** The path of the first value that JSON does not give back. */
function lostKey(value: unknown, copy: unknown, path = "world"): string | null {
  if (Array.isArray(value)) {
    if (!Array.isArray(copy)) return path;
    for (const [i, item] of value.entries()) {
      const lost = lostKey(item, copy[i], `${path}[${i}]`);
      if (lost !== null) return lost;
    }
    return null;
  }
  if (isObject(value)) {
    if (!isObject(copy) || Object.getPrototypeOf(value) !== Object.prototype) return path;
    for (const [key, item] of Object.entries(value)) {
      const lost = lostKey(item, copy[key], `${path}.${key}`);
      if (lost !== null) return lost;
    }
    return null;
  }
  return Object.is(value, copy) ? null : path;
}

function checkHarnesses(harnesses: readonly EnvironmentHarness[]): void {
  const seen = new Set<string>();
  for (const harness of harnesses) {
    const label: unknown = isObject(harness) ? harness.label : undefined;
    const what =
      typeof label !== "string" || label === ""
        ? `a harness has the label ${JSON.stringify(label)}`
        : seen.has(label)
          ? `two harnesses are called ${label}`
          : null;
    if (what !== null) {
      throw new ExportError("bad_harness", `${what}.`, "Give each harness a label of its own.");
    }
    seen.add(label as string);
  }
}

/** @throws ExportError `no_tools` for a schema without a name */
export function toolOf(schema: ToolSchema): EnvironmentTool {
  const { name, description, parameters } = schema.function ?? {};
  if (typeof name !== "string" || name === "") {
    throw new ExportError(
      "no_tools",
      `A tool has the name ${JSON.stringify(name)}.`,
      'Pass function schemas: {type: "function", function: {name, description, parameters}}.',
    );
  }
  return {
    name,
    description: typeof description === "string" ? description : "",
    parameters: isObject(parameters) ? parameters : { type: "object", properties: {} },
  };
}
