import { checkOptions, type Json, type Row, type RowSource } from "@while/schema";
import type { Model } from "../agent/model.ts";
import type { Dimensions } from "../grid/dimensions.ts";
import type { Grid } from "../grid/grid.ts";
import { type Arm, pinnedWeights } from "../search/arms.ts";
import { SimulateError } from "../simulate-error.ts";
import type { Tracer } from "../tracing/tracer.ts";
import type { UserLineGate } from "../user/user-line-gate.ts";
import type { FaultMode } from "../world/fault-modes.ts";
import type { Execute } from "../world/rollout-world.ts";
import type { Writer } from "../writers/writer.ts";
import type { Journal } from "./journal.ts";
import type { Progress } from "./progress.ts";

/** A verdict over one row; what it holds goes on the row. */
export interface RowVerdict {
  reward: number | null;
  reason?: string;
  label_source?: string;
  judge_name?: string;
  judge_status?: string;
  judge_meta?: Record<string, unknown>;
  markers?: Record<string, number | null>;
}

/** Judges each row as it lands. */
export type Grader = ((row: Row) => RowVerdict | number | Promise<RowVerdict | number>) & { judgeName?: string };

export interface SimulateOptions {
  /** Tools of the agent, in any spelling; the agent's own when left out. */
  tools?: readonly unknown[];
  /** Its rules; the agent's own when left out. */
  systemPrompt?: string;
  /** Rows, or a run, whose tasks are run again: nothing is drawn, and the run ends with `tasks_done`. */
  tasks?: RowSource | readonly Row[];
  /** The same tasks so many times over: `lineage.eval_run` says which. */
  runs?: number;
  /** Prompts of one's own; all of them are run. */
  seeds?: readonly string[];
  /** A grid that is kept beside the agent; built from tools and rules when left out. */
  grid?: Grid;
  /** Single axes of the grid, set by hand. */
  dimensions?: Dimensions;

  /**
   * Find the tasks while it runs, round by round, each chosen by what the rounds before showed: what is new, what went
   * wrong, which situations and behaviours are rare. Without it all of them are drawn before the first call.
   */
  search?: boolean;
  /** `saturation` also ends a search once everything was seen twice and hardly anything new comes up. */
  until?: "budget" | "saturation";
  /** Shares of a search's arms, held fixed: `{ structured: 0.8, open_ended: 0.2 }`. They move with what they find else. */
  armWeights?: Readonly<Partial<Record<Arm, number>>>;

  /** Most rows of one run. */
  budget?: number;
  mode?: string;
  situations?: number;
  phrasings?: number;
  repeats?: number;
  repeatPolicy?: string;
  /** Rollouts of each prompt before `successive` looks. */
  probe?: number;
  /** Share of drawn situations that are hard. */
  hardShare?: number;
  /** Share of drawn situations in which a tool fails: 0.1, in mode rl 0.3. */
  faultShare?: number;
  /** As the Python SDK has it, in place of `faultShare`: the share of fault cells that keep their plan. */
  faultRate?: number;
  seed?: number;

  /** Puts situations into words; templates when left out. */
  writer?: Writer;
  /** Plays the person. */
  userModel?: Model;
  userGate?: UserLineGate;
  /** Answers the calls of tools that do not answer themselves, in the mock world's place. */
  execute?: Execute;
  /** Examples of what tools answer, for the mock world. */
  resultShapes?: Readonly<Record<string, Json>>;
  faultModes?: Readonly<Record<string, FaultMode>>;
  /** Whether the repeats of a task meet one world (the default, which pairs them) or one each. */
  worldSeed?: "task" | "rollout";

  /** Judges each row before it lands. */
  grader?: Grader;
  /** Rollouts at once. */
  concurrency?: number;
  /** Longest rollout, without what it waits for its turn at a crowded endpoint; none when left out. */
  rolloutTimeoutMs?: number;
  /** Most calls of tools of one rollout; an agent that makes more has failed, and its row ends in an error. */
  rolloutToolCalls?: number;
  /** Most tokens of the agent's models in one rollout, by the same rule. */
  rolloutTokens?: number;
  /** What a rollout is that ran out of time: lost, or a failure of the agent. */
  timeoutAs?: "lost" | "fail";
  /** Longest run. What is under way when it ends is given up, and counted. */
  timeBudgetMs?: number;
  /** Most tokens of one run, over all models and over all processes that a journal knows of. */
  tokenBudget?: number;
  /**
   * Most USD of one call of `simulate`, over all models, whose prices must be known. A call of the agent that the rest
   * does not allow for is not made; calls of other models are counted after they were made. What an earlier process of
   * the same run paid counts, where there is a journal; not what was under way when it was killed.
   */
  usdBudget?: number;
  /** Tries more for a rollout that was lost. */
  retries?: number;
  /** `boundary`: what the agent did wrong is a row, what broke around it is lost. `compat`: both are lost. */
  lostPolicy?: "boundary" | "compat";
  /** Stops the run; what has landed stays. */
  signal?: AbortSignal;
  /** Makes spans of rollouts, calls of models and calls of tools: OpenTelemetry's tracer, or `otlpFile`. */
  tracer?: Tracer;
  /** The spans hold what was said: prompts, answers, arguments and results. */
  traceContent?: boolean;
  onProgress?: (progress: Progress) => void;
  /** Milliseconds of a clock that only runs forward. */
  now?: () => number;

  /** `model_version` of the rows; the agent's own, or its name, when left out. */
  modelVersion?: string;
  /** Recorded as `sampling` for an agent that does not say how it samples. */
  sampling?: Readonly<Record<string, Json>>;
  /** Part of every `rollout_id`; derived from seed, agent and prompts when left out. */
  runId?: string;
  /** Put on every row as `harness`. */
  harness?: Readonly<Record<string, Json>>;
  /** Write-ahead storage, so that a run that was killed goes on where it stopped. */
  journal?: Journal;
}

// biome-ignore format: a list to look things up in
const SIMULATE_OPTIONS: readonly string[] = [
  "tools", "systemPrompt", "tasks", "runs", "seeds", "grid", "dimensions", "search", "until", "armWeights",
  "budget", "mode", "situations", "phrasings", "repeats", "repeatPolicy", "probe", "hardShare", "faultShare", "faultRate", "seed",
  "writer", "userModel", "userGate", "execute", "resultShapes", "faultModes", "worldSeed",
  "grader", "concurrency", "rolloutTimeoutMs", "rolloutToolCalls", "rolloutTokens", "timeoutAs", "timeBudgetMs", "tokenBudget", "usdBudget", "retries", "lostPolicy",
  "signal", "tracer", "traceContent", "onProgress", "now", "modelVersion", "sampling", "runId", "harness", "journal",
];

const SHARES = ["hardShare", "faultShare", "faultRate"] as const;
const COUNTS = [
  "runs",
  "budget",
  "situations",
  "phrasings",
  "repeats",
  "probe",
  "concurrency",
  "rolloutTimeoutMs",
  "rolloutToolCalls",
  "rolloutTokens",
  "timeBudgetMs",
  "tokenBudget",
] as const;
const WORDS = {
  until: ["budget", "saturation"],
  timeoutAs: ["lost", "fail"],
  lostPolicy: ["boundary", "compat"],
  worldSeed: ["task", "rollout"],
} as const;

/**
 * Refused before any call is made.
 *
 * @throws SimulateError `bad_option`
 */
export function checkSimulateOptions(options: SimulateOptions): void {
  const refuse = (what: string, fix: string) => new SimulateError("bad_option", what, fix);
  checkOptions(options, SIMULATE_OPTIONS, refuse);
  for (const name of SHARES) {
    const value = options[name];
    if (value !== undefined && !(typeof value === "number" && value >= 0 && value <= 1)) {
      throw refuse(`${name} is ${String(value)}.`, "It is a share from 0 to 1, and no count.");
    }
  }
  for (const name of COUNTS) {
    const value = options[name];
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 1)) {
      throw refuse(`${name} is ${String(value)}.`, "Give a whole number of 1 or more.");
    }
  }
  const { retries, seed, usdBudget } = options;
  if (usdBudget !== undefined && !(typeof usdBudget === "number" && usdBudget > 0 && Number.isFinite(usdBudget))) {
    throw refuse(`usdBudget is ${String(usdBudget)}.`, "Give an amount above 0.");
  }
  if (retries !== undefined && !(Number.isSafeInteger(retries) && retries >= 0)) {
    throw refuse(`retries is ${String(retries)}.`, "Give a whole number of 0 or more.");
  }
  if (seed !== undefined && !Number.isSafeInteger(seed))
    throw refuse(`seed is ${String(seed)}.`, "Give a whole number.");
  for (const [name, words] of Object.entries(WORDS)) {
    const value = options[name as keyof typeof WORDS];
    if (value !== undefined && !(words as readonly string[]).includes(value)) {
      throw refuse(`${name} is ${JSON.stringify(value)}.`, `Give one of ${words.join(", ")}.`);
    }
  }
  if (options.tracer !== undefined && typeof options.tracer.startActiveSpan !== "function") {
    throw refuse(
      "tracer has no startActiveSpan.",
      "Give trace.getTracer(…) of OpenTelemetry's API, or otlpFile(path).",
    );
  }
  if (options.traceContent !== undefined && options.tracer === undefined) {
    throw refuse("traceContent was given without a tracer.", "Give a tracer, or leave it out.");
  }
  if (options.tasks !== undefined) {
    const drawn = (
      [
        "seeds",
        "grid",
        "dimensions",
        "situations",
        "phrasings",
        "hardShare",
        "faultShare",
        "faultRate",
        "writer",
        "search",
      ] as const
    ).find((name) => options[name] !== undefined);
    if (drawn !== undefined)
      throw refuse(`tasks and ${drawn} were both given.`, "Pinned tasks are run as they are: leave one out.");
  }
  if (options.search !== undefined && typeof options.search !== "boolean") {
    throw refuse(`search is ${JSON.stringify(options.search)}.`, "Give true, or leave it out.");
  }
  for (const name of ["until", "armWeights"] as const) {
    if (options[name] === undefined || options[name] === "budget" || options.search === true) continue;
    throw refuse(`${name} was given without a search.`, "Give search: true, or leave it out.");
  }
  if (options.armWeights !== undefined) pinnedWeights(options.armWeights);
  if (options.faultShare !== undefined && options.faultRate !== undefined) {
    throw refuse("faultShare and faultRate were both given.", "Give faultShare; faultRate is the Python SDK's.");
  }
  if (options.grid !== undefined && options.dimensions !== undefined) {
    throw refuse(
      "grid and dimensions were both given.",
      "Put the dimensions into the grid: extendGrid(grid, dimensions).",
    );
  }
  if (typeof options.grader === "string") {
    throw refuse(
      `grader is ${JSON.stringify(options.grader)}.`,
      "Give a function (row) => ({ reward }), or grade the rows afterwards.",
    );
  }
}
