import { formatPercent } from "@while/schema";
import { resolvableEffect } from "@while/stats";
import type { Agent } from "../agent/agent.ts";
import { Search } from "../search/search.ts";
import { faultShareOf, type PlanHooks, planRun, type RunPlan } from "./plan-run.ts";
import { requestedOf } from "./rollouts-requested.ts";
import { type RunSetup, runSetup } from "./run-setup.ts";
import type { SimulateOptions } from "./simulate-options.ts";
import type { PlannedTask } from "./task.ts";

/** What a run will be, before it is. */
export interface SimulationPlan {
  nTasks: number;
  nSituations: number;
  rolloutsPerPrompt: number;
  repeatPolicy: string;
  runs: number;
  /** Rollouts of all runs together; under `successive` the most that it may come to. */
  rollouts: number;
  /** Of the tasks, those whose tool fails; null for a search, whose tasks are not known yet. */
  nFaulty: number | null;
  writerModel: string | null;
  /** The smallest gain that so many tasks can show (80% power, from a pass rate of 0.6); null under two tasks. */
  resolvableGain: number | null;
  /** Of a search, which finds its tasks while it runs, those of the first round. */
  tasks: readonly Pick<PlannedTask, "prompt" | "scenarioId">[];
  warnings: string[];
}

/**
 * What `simulate` with the same options would run, without a call of the agent: how many rollouts it will take, and how
 * small a gain they will be able to show. A writer that is a model is called, because the tasks are its words.
 *
 * @throws SimulateError as `simulate` does before its first call
 */
export async function planSimulation(agent: Agent, options: SimulateOptions = {}): Promise<SimulationPlan> {
  const setup = runSetup(agent, options);
  const hooks = options.signal === undefined ? {} : { signal: options.signal };
  const plan = await planRun(setup, hooks);
  if (plan.searches) return await searchPlan(setup, plan, hooks);
  const { tasks, topology, budget } = plan;
  const nSituations = new Set(tasks.map(({ scenarioId }) => scenarioId)).size;
  // Pairs are made by scenario: two phrasings of one are one task to a comparison.
  const k = Math.max(1, Math.round((tasks.length * topology.k) / nSituations));
  return {
    nTasks: tasks.length,
    nSituations,
    rolloutsPerPrompt: topology.k,
    repeatPolicy: topology.policy,
    runs: setup.runs,
    rollouts: requestedOf(plan, setup.runs) ?? budget * setup.runs,
    nFaulty: tasks.filter(({ faults }) => faults !== null).length,
    writerModel:
      [...new Set(tasks.map(({ writerModel }) => writerModel).filter((name) => name !== null))].join(", ") || null,
    resolvableGain: nSituations < 2 ? null : resolvableEffect(nSituations, { k: k * setup.runs }).effect,
    tasks: tasks.map(({ scenarioId, prompt }) => ({ scenarioId, prompt })),
    warnings: [...setup.warnings, ...plan.warnings],
  };
}

/** What a search may come to, and its first round. */
async function searchPlan(setup: RunSetup, plan: RunPlan, hooks: PlanHooks): Promise<SimulationPlan> {
  const { topology, budget, grid, situations, tasks: seeds } = plan;
  const faultShare = faultShareOf(setup.options, topology);
  const search = new Search({ setup, topology, grid: grid!, budget, faultShare, seeds, recorded: [], ...hooks });
  const first = await search.next([]);
  const most = Math.ceil(budget / topology.k);
  const nTasks = situations === null ? most : Math.min(most, Math.max(situations, seeds.length) * topology.n);
  return {
    nTasks,
    nSituations: situations ?? nTasks,
    rolloutsPerPrompt: topology.k,
    repeatPolicy: topology.policy,
    runs: setup.runs,
    rollouts: Math.min(budget, nTasks * topology.k) * setup.runs,
    nFaulty: null,
    writerModel: setup.options.writer?.name ?? "template",
    resolvableGain: nTasks < 2 ? null : resolvableEffect(nTasks, { k: topology.k * setup.runs }).effect,
    tasks: typeof first === "string" ? [] : first.tasks.map(({ scenarioId, prompt }) => ({ scenarioId, prompt })),
    warnings: [...setup.warnings, ...plan.warnings, ...search.warnings],
  };
}

/** A plan as text: what it costs, what it can show, and the first of its tasks. */
export function formatPlan({
  nTasks,
  nSituations,
  rolloutsPerPrompt,
  repeatPolicy,
  runs,
  rollouts,
  nFaulty,
  resolvableGain,
  tasks,
  warnings,
}: SimulationPlan): string {
  const isOpen = nFaulty === null || repeatPolicy === "successive" || repeatPolicy === "adaptive";
  const most = isOpen ? "at most " : "";
  const lines = [
    `${most}${rollouts} rollouts: ${nTasks} prompts of ${nSituations} situations, ${most}${rolloutsPerPrompt} each, ${runs === 1 ? "1 run" : `${runs} runs`}`,
    nFaulty === null
      ? `  found round by round; the first has ${tasks.length} prompts`
      : `  faults planned on ${nFaulty} of ${nTasks} prompts`,
    resolvableGain === null
      ? "  too few situations for a comparison"
      : `  a gain of ${formatPercent(resolvableGain, 1)} is the smallest that they can show, on both sides of a change`,
    ...tasks.slice(0, SHOWN).map(({ scenarioId, prompt }) => `  ${scenarioId}  ${prompt}`),
  ];
  if (tasks.length > SHOWN) lines.push(`  and ${tasks.length - SHOWN} more`);
  return [...lines, ...warnings.map((warning) => `warning: ${warning}`)].join("\n");
}

const SHOWN = 5;
