import { formatPercent } from "@while/schema";
import { resolvableEffect } from "@while/stats";
import type { Agent } from "../agent/agent.ts";
import { planRun } from "./plan-run.ts";
import { requestedOf } from "./rollouts-requested.ts";
import { runSetup } from "./run-setup.ts";
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
  /** Of the tasks, those whose tool fails. */
  nFaulty: number;
  writerModel: string | null;
  /** The smallest gain that so many tasks can show (80% power, from a pass rate of 0.6); null under two tasks. */
  resolvableGain: number | null;
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
  const plan = await planRun(setup, options.signal === undefined ? {} : { signal: options.signal });
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
  const most = repeatPolicy === "successive" || repeatPolicy === "adaptive" ? "at most " : "";
  const lines = [
    `${most}${rollouts} rollouts: ${nTasks} prompts of ${nSituations} situations, ${most}${rolloutsPerPrompt} each, ${runs === 1 ? "1 run" : `${runs} runs`}`,
    `  faults planned on ${nFaulty} of ${nTasks} prompts`,
    resolvableGain === null
      ? "  too few situations for a comparison"
      : `  a gain of ${formatPercent(resolvableGain, 1)} is the smallest that they can show, on both sides of a change`,
    ...tasks.slice(0, SHOWN).map(({ scenarioId, prompt }) => `  ${scenarioId}  ${prompt}`),
  ];
  if (nTasks > SHOWN) lines.push(`  and ${nTasks - SHOWN} more`);
  return [...lines, ...warnings.map((warning) => `warning: ${warning}`)].join("\n");
}

const SHOWN = 5;
