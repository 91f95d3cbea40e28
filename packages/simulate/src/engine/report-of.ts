import { formatFixed, roundHalfEven } from "@while/schema";
import type { SearchReport } from "../search/search-report.ts";
import type { AdaptiveCounts } from "./allocate-adaptive.ts";
import type { GroupCounts } from "./allocate-successive.ts";
import { deliveredGaps } from "./delivered.ts";
import type { RunPlan } from "./plan-run.ts";
import { mostOfSearch, requestedOf } from "./rollouts-requested.ts";
import type { RunSetup } from "./run-setup.ts";
import type { RunTally } from "./run-tally.ts";
import type { RoleUsage, RunEnd, SimulationReport } from "./simulation-report.ts";
import type { Spent } from "./spent.ts";
import { isWhole, type StopWord } from "./stop-word.ts";

export interface ReportInput {
  setup: RunSetup;
  plan: RunPlan;
  runId: string;
  tally: RunTally;
  /** What earlier processes of the run used. */
  spentBefore: Spent | null;
  /** Prompts whose short id another one had. */
  idCollisions: number;
  word: StopWord;
  groups: GroupCounts | null;
  allocator: AdaptiveCounts | null;
  search: SearchReport | null;
  warnings: readonly string[];
  concurrency: number;
}

/** The report of a run that has ended. */
export function reportOf({
  setup,
  plan,
  runId,
  tally,
  spentBefore,
  idCollisions,
  word,
  groups,
  allocator,
  search,
  warnings,
  concurrency,
}: ReportInput): SimulationReport {
  const { options, runs, seed, stamp, modelVersion, person } = setup;
  const { tasks, topology } = plan;
  const isCut = !isWhole(word);
  const requested = plan.searches && isCut ? mostOfSearch(plan, runs) : requestedOf(plan, runs);
  const report: SimulationReport = {
    ...{ runId, agent: modelVersion, systemPromptSha: stamp.sha, mode: topology.mode, repeatPolicy: topology.policy },
    ...{ seed, runs, budgetPerRun: plan.budget, concurrency, lostPolicy: options.lostPolicy ?? "boundary" },
    writerModel: writerOf(plan),
    userModel: person?.name ?? null,
    grader: options.grader === undefined ? null : (options.grader.judgeName ?? (options.grader.name || "grader")),
    nTasks: tasks.length,
    nPinned: tasks.filter(({ selectionReason }) => selectionReason === "pinned").length,
    nSeeds: tasks.filter(({ selectionReason }) => selectionReason === "seed").length,
    seedsDropped: plan.seedsDropped,
    phrasingsPerSituation: topology.n,
    rolloutsPerPrompt: topology.k,
    nSituations: new Set(tasks.map(({ scenarioId }) => scenarioId)).size,
    stoppedBecause: word,
    perRun: Array.from({ length: runs }, (_, run): RunEnd => {
      const rows = tally.rowsPerRun[run] ?? 0;
      // Later runs replay the first: they end with their tasks.
      return { rows, stoppedBecause: isCut || run === 0 ? word : "tasks_done" };
    }),
    rolloutsRequested: requested,
    rolloutsCompleted: tally.rows,
    rolloutsLost: tally.lost,
    rolloutsLostBy: tally.lostBy,
    rolloutsAbandoned: isCut && requested !== null ? Math.max(0, requested - tally.rows - tally.lost) : 0,
    lostByTask: tally.lostByTask,
    lossByTaskP: tally.lossByTaskP(),
    agentFailures: tally.agentFailures,
    firstAgentError: tally.firstAgentError,
    rolloutsRetried: tally.retried,
    rolloutsResumed: tally.resumed,
    groups,
    allocator,
    search,
    coverage: tally.coverage(plan.grid?.rows ?? plan.cells),
    delivered: tally.delivered.delivered(),
    tools: tally.tools,
    deadTools: tally.deadTools(),
    endedOnQuestion: tally.endedOnQuestion(),
    nGraded: tally.nGraded,
    grading: options.grader === undefined ? null : { ...tally.grading },
    ...costOf(tally.usage()),
    spentBefore: spentBefore !== null && spentBefore.tokens > 0 ? spentBefore : null,
    endpoints: setup.endpoints(),
    probeIdCollisions: idCollisions,
    degraded: [],
    warnings: [...warnings],
  };
  for (const { code, text } of findings(report, setup)) {
    report.degraded.push(code);
    report.warnings.push(text);
  }
  return report;
}

function costOf(usage: RoleUsage[]): Pick<SimulationReport, "usage" | "costUsd" | "costReason"> {
  if (usage.length === 0) return { usage, costUsd: null, costReason: "no model said what it used" };
  const unknown = usage.filter(({ costUsd }) => costUsd === null).map(({ model }) => model);
  if (unknown.length > 0) {
    return { usage, costUsd: null, costReason: `no price is known for ${[...new Set(unknown)].join(", ")}` };
  }
  const sum = usage.reduce((total, { costUsd }) => total + (costUsd ?? 0), 0);
  return { usage, costUsd: roundHalfEven(sum, 6), costReason: null };
}

interface Found {
  code: string;
  text: string;
}

/** What is not as it was meant to be: a word that does not change, and a sentence with the one option that changes it. */
function findings(report: SimulationReport, { options, tools, agent }: RunSetup): Found[] {
  const found: Found[] = [];
  const {
    rolloutsLost: lost,
    rolloutsRequested: requested,
    rolloutsLostBy,
    agentFailures,
    delivered,
    rolloutsCompleted,
  } = report;
  if (report.warnings.some((text) => text.startsWith("generator_fallback"))) {
    found.push({
      code: "generator_fallback",
      text: "Some prompts are from templates and not from the writer's model: rows of both are in this run. Try another model as writer.",
    });
  }
  if (report.stoppedBecause === "writer_exhausted" || report.stoppedBecause === "ask_exhausted") {
    found.push({
      code: report.stoppedBecause,
      text: `The writer had nothing new left after ${rolloutsCompleted} of ${report.budgetPerRun * report.runs} rows. Give ${report.stoppedBecause === "ask_exhausted" ? "another" : "a model as"} writer, or more tools and rules.`,
    });
  }
  if (lost > 0) {
    const by = Object.entries(rolloutsLostBy).map(([reason, n]) => `${reason} ${n}`);
    const fixes = Object.keys(rolloutsLostBy)
      .map((reason) => FIXES[reason] ?? "")
      .filter((fix) => fix !== "");
    found.push({
      code: "rollouts_lost",
      text: `${lost} of ${requested ?? "the"} rollouts were lost (${by.join(", ")}). Every rate is over the others${missing(report.lossByTaskP)}: lostByTask says where. ${fixes.join(" ")}`.trim(),
    });
  }
  if (report.rolloutsAbandoned > 0) {
    found.push({
      code: "rollouts_abandoned",
      text: `${report.rolloutsAbandoned} rollouts of the plan were not finished (${report.stoppedBecause}): a rate over these rows is over the part that came first.`,
    });
  }
  for (const { model, notSent, cache } of report.endpoints) {
    if (notSent.length > 0) {
      found.push({
        code: "parameters_not_sent",
        text: `${model} does not take ${notSent.join(", ")}: the rows were made without, whatever sampling says. Leave them out, or use another server.`,
      });
    }
    if (cache !== null && cache.hits > 0) {
      found.push({
        code: "completions_replayed",
        text: `${cache.hits} of ${cache.hits + cache.misses} answers of ${model} are those of an earlier run: what moves between the two is not measured on them. Rows say so in lineage.replayed_calls.`,
      });
    }
  }
  const { agent_error: errors = 0, ...silent } = agentFailures;
  if (errors > 0) {
    found.push({
      code: "agent_errors",
      text: `The agent raised in ${errors} of ${rolloutsCompleted} rollouts, first: ${report.firstAgentError}`,
    });
  }
  for (const [failure, n] of Object.entries(silent)) {
    found.push({
      code: failure,
      text: `${n} of ${rolloutsCompleted} replies are no replies (${failure}); they are kept, because that is what the agent did. ${FIXES[failure] ?? ""}`.trim(),
    });
  }
  const { errors: judgeErrors = 0, firstError = null } = report.grading ?? {};
  if (judgeErrors > 0) {
    found.push({
      code: "judge_errors",
      text: `The judge failed on ${judgeErrors} of ${rolloutsCompleted} rows, first: ${firstError}. Their reward is null: mend it, and grade them.`,
    });
  }
  if (report.deadTools.length > 0) {
    const told = report.deadTools.map((name) => {
      const { n, injected, ok } = report.tools.get(name)!;
      return `${name} ${Math.min(ok, n - injected)} of ${n - injected}`;
    });
    const fix = options.execute
      ? "Give execute a branch for it."
      : "Name ids in the tool's description or in seeds, or give execute.";
    found.push({
      code: "dead_tools",
      text: `These tools hardly ever answered without a fault: ${told.join(", ")}. ${fix}`,
    });
  }
  if (tools.length > 0 && rolloutsCompleted > 0 && report.tools.size === 0) {
    found.push({
      code: "no_tool_calls",
      text: `No rollout called ${tools.length === 1 ? "the tool that is" : `one of the ${tools.length} tools that are`} declared. Let the agent call context.call(name, arguments).`,
    });
  }
  const limits = (["usdBudget", "tokenBudget"] as const).filter((name) => options[name] !== undefined);
  if (limits.length > 0 && rolloutsCompleted > 0 && report.usage.length === 0) {
    found.push({
      code: "budget_unwatched",
      text: `${limits.join(" and ")} held nothing back: no model said what it used. Let the agent tell it with context.meter.`,
    });
  }
  const models = [report.writerModel, report.userModel].filter((name) => name !== null && name === agent.modelVersion);
  if (models.length > 0) {
    found.push({
      code: "same_model",
      text: `${report.agent} also wrote the situations or played the person: it meets what it would say itself. Give another writer or userModel.`,
    });
  }
  const asked = {
    ...(options.faultShare === undefined ? {} : { faultShare: options.faultShare }),
    ...(options.hardShare === undefined ? {} : { hardShare: options.hardShare }),
    ...(options.dimensions?.stance === undefined ? {} : { stances: options.dimensions.stance }),
  };
  const gaps = isWhole(report.stoppedBecause) ? deliveredGaps(asked, delivered) : [];
  if (gaps.length > 0) {
    const told = gaps.map((knob) =>
      knob === "stance"
        ? "the stances asked for are on under half of the rows"
        : `${knob} ${asked[knob as "hardShare"]} was asked for and ${delivered[knob as "hardShare"]} came`,
    );
    found.push({ code: "delivered_short", text: `${told.join("; ")}. Quote what was delivered.` });
  }
  return found;
}

/** What is known of whether losses hang on the task. */
function missing(p: number | null): string {
  if (p === null) return ", and the missing may not be missing at random";
  return p < 0.05
    ? `, and the missing are not missing at random (they share tasks, p ${formatFixed(p, 3)})`
    : `, and the missing share no tasks more than chance has it (p ${formatFixed(p, 3)})`;
}

const FIXES: Readonly<Record<string, string>> = {
  infrastructure: "Look at the endpoint, or lower concurrency.",
  task: "Look at the world that execute stands for.",
  timeout: "Raise rolloutTimeoutMs, or warm the endpoint up.",
  agent_error: "Mend the agent.",
  empty_reply: "Return final_text, or raise the reply budget.",
  content_filter: "The provider let nothing through: word the tasks otherwise, or ask it for other limits.",
  tool_markup: "Mend the format of the model's tool calls.",
};

function writerOf({ tasks }: RunPlan): string | null {
  const names = [...new Set(tasks.map(({ writerModel, replayed }) => writerModel ?? (replayed ? "pinned" : null)))];
  return names.length === 1 ? names[0]! : names.filter((name) => name !== null).join(", ") || null;
}
