import type { Row, RowSource, ToolSchema } from "@while/schema";
import { type PassAt, passAt } from "@while/stats";
import type { Agent } from "../agent/agent.ts";
import type { Grid } from "../grid/grid.ts";
import { SimulateError } from "../simulate-error.ts";
import { wireTool } from "../world/tool-schemas.ts";
import { type EngineEnd, type EngineRow, runEngine } from "./run-engine.ts";
import type { SimulateOptions } from "./simulate-options.ts";
import type { SimulationReport } from "./simulation-report.ts";
import type { PlannedTask } from "./task.ts";

/** What a run left: its rows, and what they do not hold themselves. Any function that takes a `RowSource` takes it. */
export interface SimulationData extends RowSource {
  /** In the order of the plan, whatever came first; as files carry them. */
  rows: Row[];
  /** The same rows with the teacher's block, which no file holds. */
  trajectories: Row[];
  report: SimulationReport;
  /** Over the graded rows that were not chosen by their outcome; null without any. */
  passAt: PassAt | null;
  tasks: readonly PlannedTask[];
  /** What the situations were drawn from; null where none were. */
  grid: Grid | null;
  mode: string;
  systemPrompt: string;
  systemPrompts: ReadonlyMap<string, string>;
  tools: readonly ToolSchema[];
}

/** A run that could not go on, with the rows that had landed. */
export class RunFailedError extends SimulateError {
  readonly rows: readonly Row[];

  constructor(cause: SimulateError, rows: readonly Row[]) {
    super(cause.code, cause.what, `${cause.fix} ${rows.length} rows had landed; they are on this error.`, { cause });
    this.rows = rows;
  }
}

/**
 * Runs an agent over tasks and waits for the end. The tasks are those of rows that were run before (`tasks`), prompts of
 * one's own (`seeds`), or situations drawn from the agent's tools and rules. The same agent with the same options has the
 * same rows, at any concurrency.
 *
 * @throws SimulateError before any call is made, for options that make no sense; RunFailedError when the agent's key or
 * quota is refused
 */
export async function simulate(agent: Agent, options: SimulateOptions = {}): Promise<SimulationData> {
  const landed: EngineRow[] = [];
  const inOrder = () => landed.sort((a, b) => a.order - b.order);
  try {
    const end = await runEngine(agent, options, {
      emit: (row) => {
        landed.push(row);
      },
    });
    return dataOf(end, inOrder());
  } catch (error) {
    if (!(error instanceof SimulateError) || landed.length === 0) throw error;
    throw new RunFailedError(
      error,
      inOrder().map(({ row }) => row),
    );
  }
}

function dataOf({ setup, plan, report }: EngineEnd, landed: readonly EngineRow[]): SimulationData {
  const { systemPrompt, stamp, tools } = setup;
  const rows = landed.map(({ row }) => row);
  // A rollout that was made because the first ones disagreed says nothing of how often the agent passes.
  const unbiased = rows.filter(({ lineage }) => lineage?.allocation !== "continued");
  return {
    rows,
    trajectories: landed.map(({ row, privileged }) => ({ ...row, privileged })),
    report,
    passAt: report.nGraded > 0 ? passAt(unbiased) : null,
    tasks: plan.tasks,
    grid: plan.grid,
    mode: report.mode,
    systemPrompt,
    systemPrompts: new Map([[stamp.sha, systemPrompt]]),
    tools: tools.map(wireTool),
  };
}
