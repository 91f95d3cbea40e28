import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import { metaOf, readRowFiles } from "@while/schema/files";
import {
  type Agent,
  formatPlan,
  formatProgress,
  formatSimulation,
  type Grader,
  MODES,
  type Progress,
  planSimulation,
  REPEAT_POLICIES,
  type SimulateOptions,
  type StopWord,
  seededAgent,
  simulate,
} from "@while/simulate";
import { otlpFile, runDirectory } from "@while/simulate/files";
import { CliError } from "../cli-error.ts";
import {
  ENDPOINT_FLAGS,
  type EndpointFlags,
  endpointAgentOf,
  refuseWithoutEndpoint,
  userModelOf,
} from "../endpoint-flags.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice, positive, settings, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault } from "../io/import-default.ts";
import { readOptions, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { stoppable } from "../io/stoppable.ts";
import { mcpToolsOf } from "../mcp-flags.ts";
import { note, print } from "../print.ts";
import type { Call, Verb } from "../verb.ts";

/** Flags that are options of `simulate` by the same names. */
type RunFlag =
  | "armWeights"
  | "budget"
  | "concurrency"
  | "faultShare"
  | "hardShare"
  | "mode"
  | "phrasings"
  | "repeatPolicy"
  | "repeats"
  | "rolloutTokens"
  | "rolloutToolCalls"
  | "runs"
  | "search"
  | "seed"
  | "situations"
  | "traceContent"
  | "until"
  | "usdBudget";

// biome-ignore format: a list to look things up in
const RUN_FLAGS: readonly RunFlag[] = [
  "armWeights", "budget", "concurrency", "faultShare", "hardShare", "mode", "phrasings", "repeatPolicy",
  "repeats", "rolloutTokens", "rolloutToolCalls", "runs", "search", "seed", "situations", "traceContent", "until", "usdBudget",
];

interface SimulateFlags extends EndpointFlags, Pick<SimulateOptions, RunFlag> {
  agent?: string;
  seeded?: number;
  tools?: string;
  mcp?: string;
  mcpShared?: true;
  system?: string;
  tasks?: string;
  seeds?: string;
  judge?: string;
  plan?: boolean;
  runDir?: string;
  timeout?: number;
  timeBudget?: number;
  trace?: string;
}

const UNTIL = ["budget", "saturation"];
const REDRAW_MS = 250;
const AGENTS = ["--agent", "--seeded", "--endpoint"];
/** The agent was there and said nothing that could be graded. */
const FAILED: ReadonlySet<StopWord> = new Set(["agent_failed", "empty_replies"]);
const WHOLE: ReadonlySet<StopWord> = new Set<StopWord>([
  ...(["budget", "tasks_done", "situations_exhausted", "saturation", "ask_exhausted", "writer_exhausted"] as const),
]);

export const simulateVerb: Verb<SimulateFlags> = {
  name: "simulate",
  chapter: "loop",
  summary: "rollouts of an agent, on tasks drawn or pinned",
  files: "by flag",
  flags: [
    { spec: "--agent <module>", about: "ES module whose default export is the agent" },
    { spec: "--seeded <rate>", about: "instead: an agent that does wrong at this rate", read: share },
    ...ENDPOINT_FLAGS,
    { spec: "--tools <file>", about: "JSON list of tool schemas; the agent's own if left out" },
    { spec: "--mcp <server>", about: "or the tools of an MCP server, which answers: a command line, or a URL" },
    { spec: "--mcp-shared", about: "with --mcp: one process or session for all rollouts, and not one each" },
    { spec: "--system <file>", about: "text of the agent's rules" },
    { spec: "--tasks <file>", about: "rows or a run whose tasks are run again, as they were" },
    { spec: "--seeds <file>", about: "prompts of your own, one a line" },
    { spec: "--judge <module>", about: "judges each row; default export (row) => 0 or 1" },
    { spec: "--plan", about: "what it would run and could show; no call of the agent" },
    { spec: "--run-dir <dir>", about: "written as it goes on; the same call resumes it" },
    choice("--mode <mode>", MODES, "what the rows are for: counts and allocation (explore)"),
    choice("--repeat-policy <how>", REPEAT_POLICIES, "how rollouts of a prompt are handed out"),
    { spec: "--budget <n>", about: "most rows of one run (1000)", read: wholeNumber },
    { spec: "--situations <n>", about: "situations drawn from tools and rules", read: wholeNumber },
    { spec: "--search", about: "find the tasks as it goes: what is new, what failed, what is rare" },
    choice("--until <when>", UNTIL, "with --search: saturation ends it when nothing new comes up"),
    { spec: "--arm-weights <shares>", about: "of a search: structured=0.8,open_ended=0.2", read: settings },
    { spec: "--phrasings <n>", about: "prompts of each situation", read: wholeNumber },
    { spec: "--repeats <n>", about: "rollouts of each prompt", read: wholeNumber },
    { spec: "--runs <n>", about: "the same tasks so many times (1)", read: wholeNumber },
    { spec: "--hard-share <share>", about: "of the situations drawn (0.4)", read: share },
    { spec: "--fault-share <share>", about: "of situations with a tool that fails (0.1; rl 0.3)", read: share },
    { spec: "--concurrency <n>", about: "rollouts at once (32)", read: wholeNumber },
    { spec: "--timeout <seconds>", about: "for one rollout", read: positive },
    {
      spec: "--rollout-tool-calls <n>",
      about: "most calls of tools in one; with more it has failed",
      read: wholeNumber,
    },
    { spec: "--rollout-tokens <n>", about: "most tokens of the agent in one, likewise", read: wholeNumber },
    { spec: "--time-budget <seconds>", about: "for all of them", read: positive },
    { spec: "--seed <n>", about: "of every draw (0)", read: zeroOrMore },
    { spec: "--trace <file>", about: "OpenTelemetry spans of it, as OTLP/JSON lines; appended to" },
    { spec: "--trace-content", about: "with --trace: the spans hold what was said" },
  ],
  output: { spec: "-o, --output <file>", about: "the rows: JSONL or Parquet, - is stdout" },
  examples: [
    {
      line: "wai simulate --endpoint ollama:qwen3 --tools tools.json -o base.jsonl",
      about: "a model on situations from its tools",
    },
    {
      line: "wai simulate --agent new.mjs --tasks base.jsonl --runs 3 -o new.jsonl",
      about: "an agent on the same tasks, thrice",
    },
  ],
  exits: [
    [EXIT.holds, "every rollout that was asked for came back"],
    [EXIT.doesNotHold, "the agent never answered"],
    [EXIT.cannotTell, "rollouts were lost, or the run was stopped: rates are over the rest"],
    [EXIT.failed, "the command failed: a flag, a file, a key"],
  ],
  async run(call) {
    const mcp = await mcpToolsOf(call.flags);
    try {
      return await simulated(call, mcp?.tools);
    } finally {
      await mcp?.close();
    }
  },
};

async function simulated(call: Call<SimulateFlags>, tools: readonly unknown[] | undefined): Promise<ExitCode> {
  const { flags, output } = call;
  if (flags.plan === true) {
    print(call, await planSimulation(await agentOf(call), await optionsOf(call, tools)), formatPlan);
    return EXIT.holds;
  }
  if (output === undefined && flags.runDir === undefined) {
    throw new CliError("bad_arguments", "wai simulate has nowhere to write.", "Name a file with -o, or --run-dir DIR.");
  }
  if (output !== undefined && flags.tasks !== undefined) await refuseOverwrite([flags.tasks], output);
  const agent = await agentOf(call);
  const options = await optionsOf(call, tools);
  const line = progressLine(call);
  const spans = flags.trace === undefined ? null : otlpFile(flags.trace);
  const tracer = spans === null ? {} : { tracer: spans };
  const data = await stoppable((signal) =>
    simulate(agent, { ...options, ...tracer, signal, onProgress: line.show }),
  ).finally(async () => {
    line.clear();
    await spans?.close();
  });
  if (output !== undefined) await writeRows(output, data.rows, () => metaOf(data));
  print(call, data.report, formatSimulation, { to: reportSink(call) });
  if (flags.runDir !== undefined) note(call, `the run is in ${flags.runDir}`);
  return exitOf(data.report);
}

async function agentOf({ flags, io }: Call<SimulateFlags>): Promise<Agent> {
  const { agent, seeded, endpoint } = flags;
  const given = [agent, seeded, endpoint].flatMap((value, at) => (value === undefined ? [] : AGENTS[at]!));
  if (given.length > 1) throw new CliError("bad_flag", `simulate got ${given.join(" and ")}.`, "Give one of them.");
  refuseWithoutEndpoint(flags);
  if (seeded !== undefined) return seededAgent({ rate: seeded });
  if (agent !== undefined) return await moduleAgent(agent);
  if (endpoint !== undefined) return endpointAgentOf({ ...flags, endpoint }, io.env);
  throw new CliError(
    "bad_arguments",
    "wai simulate was given no agent.",
    "Name its module with --agent FILE, a model with --endpoint ollama:NAME, or --seeded 0.35.",
  );
}

/** An agent without a name of its own has that of its file. */
async function moduleAgent(path: string): Promise<Agent> {
  const agent = await importDefault<Agent>(path, "--agent", "an agent, (message, context) => reply");
  if (agent.modelVersion !== undefined || isNamed(agent)) return agent;
  const named: Agent = (message, context) => agent(message, context);
  return Object.assign(named, agent, { modelVersion: basename(path, extname(path)) });
}

async function moduleJudge(path: string): Promise<Grader> {
  const judge = await importDefault<Grader>(path, "--judge", "a judge, (row) => 0 or 1");
  if (judge.judgeName !== undefined || isNamed(judge)) return judge;
  const named: Grader = (row) => judge(row);
  return Object.assign(named, judge, { judgeName: basename(path, extname(path)) });
}

/** A default export without a name is called `default` by the language. */
function isNamed({ name }: { name: string }): boolean {
  return name !== "" && name !== "default";
}

async function optionsOf(call: Call<SimulateFlags>, served: readonly unknown[] | undefined): Promise<SimulateOptions> {
  const { flags, io } = call;
  const { tools, system, tasks, seeds, judge, runDir, timeout, timeBudget } = flags;
  const options: SimulateOptions = {};
  for (const name of RUN_FLAGS) if (flags[name] !== undefined) Object.assign(options, { [name]: flags[name] });
  const userModel = await userModelOf(flags, io.env);
  if (userModel !== undefined) options.userModel = userModel;
  if (tools !== undefined) options.tools = await jsonList(tools);
  if (served !== undefined) options.tools = served;
  if (system !== undefined) options.systemPrompt = (await readText(system, "--system")).trim();
  if (seeds !== undefined) options.seeds = await promptsIn(seeds);
  if (tasks !== undefined) {
    const source = sourceOf(await readRowFiles([tasks], readOptions(call)));
    options.tasks = source;
    // The same agent by the same rules, unless it is told otherwise.
    if (options.tools === undefined && source.tools !== undefined) options.tools = source.tools;
    if (options.systemPrompt === undefined && source.systemPrompts?.size === 1) {
      const [rules] = source.systemPrompts.values();
      if (rules !== undefined) options.systemPrompt = rules;
    }
  }
  if (judge !== undefined) options.grader = await moduleJudge(judge);
  if (runDir !== undefined) options.journal = runDirectory(runDir);
  if (timeout !== undefined) options.rolloutTimeoutMs = Math.ceil(timeout * 1000);
  if (timeBudget !== undefined) options.timeBudgetMs = Math.ceil(timeBudget * 1000);
  return options;
}

async function readText(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError("bad_flag", `${flag} names ${path}, which cannot be read (${code}).`, "Check the path.", {
      cause,
    });
  }
}

async function promptsIn(path: string): Promise<string[]> {
  const prompts = (await readText(path, "--seeds")).split("\n").flatMap((line) => line.trim() || []);
  if (prompts.length > 0) return prompts;
  throw new CliError("bad_flag", `--seeds names ${path}, which holds no prompt.`, "Write one on each line.");
}

async function jsonList(path: string): Promise<unknown[]> {
  const text = await readText(path, "--tools");
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.length > 0) return list;
    if (Array.isArray(list)) {
      throw new CliError("bad_flag", `--tools names ${path}, an empty list.`, "Give the schemas of the agent's tools.");
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    // Said below, like JSON of another shape.
  }
  throw new CliError("bad_flag", `--tools names ${path}, which is no JSON list.`, "Give a list of function schemas.");
}

function exitOf({ stoppedBecause, rolloutsLost }: { stoppedBecause: StopWord; rolloutsLost: number }): ExitCode {
  if (FAILED.has(stoppedBecause)) return EXIT.doesNotHold;
  return WHOLE.has(stoppedBecause) && rolloutsLost === 0 ? EXIT.holds : EXIT.cannotTell;
}

/** One line on a terminal, redrawn a few times a second. */
function progressLine({ io, common }: Call): { show: (progress: Progress) => void; clear: () => void } {
  const { stderr, now } = io;
  if (common.quiet || !stderr.isTty) return { show() {}, clear() {} };
  let drawnAt = now();
  let isDrawn = false;
  return {
    show(progress) {
      if (now() - drawnAt < REDRAW_MS) return;
      drawnAt = now();
      isDrawn = true;
      stderr.write(`\r${formatProgress(progress).slice(0, stderr.columns - 1)}\x1b[K`);
    },
    clear() {
      if (isDrawn) stderr.write("\r\x1b[K");
    },
  };
}
