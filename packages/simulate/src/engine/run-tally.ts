import { assistantText, compareCodePoints, isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import { isDeadTool, toolOutcomes } from "@while/stats";
import type { ModelUse } from "../agent/model.ts";
import { type PairwiseCoverage, pairwiseCoverage } from "../grid/pairwise-coverage.ts";
import type { Assignment } from "../grid/region-id.ts";
import { DeliveredTally } from "./delivered.ts";
import { lossByTaskP } from "./loss-by-task.ts";
import type { GradingCounts, RoleUsage, ToolCount } from "./simulation-report.ts";

/** Everything that a report counts, row by row: memory is bounded by the tasks, and not by the rows. */
export class RunTally {
  readonly delivered: DeliveredTally = new DeliveredTally();
  readonly tools: Map<string, ToolCount> = new Map();
  readonly lostBy: Record<string, number> = {};
  readonly lostByTask: Map<string, number> = new Map();
  readonly rowsByTask: Map<string, number> = new Map();
  readonly agentFailures: Record<string, number> = {};
  readonly rowsPerRun: number[] = [];
  private readonly seen = new Map<string, Assignment>();
  private readonly uses = new Map<string, RoleUsage>();
  firstAgentError: string | null = null;
  rows = 0;
  lost = 0;
  retried = 0;
  resumed = 0;
  nGraded = 0;
  readonly grading: GradingCounts = { passes: 0, failures: 0, partials: 0, unjudged: 0, errors: 0, firstError: null };
  tokens = 0;
  private questions = 0;

  addRow(row: Row, scenarioId: string, evalRun: number): void {
    this.rows++;
    this.rowsPerRun[evalRun] = (this.rowsPerRun[evalRun] ?? 0) + 1;
    this.delivered.add(row);
    if (typeof row.reward === "number") this.nGraded++;
    this.addGrade(row);
    this.rowsByTask.set(scenarioId, (this.rowsByTask.get(scenarioId) ?? 0) + 1);
    const cell = row.scenario_dimensions as Assignment | undefined;
    if (cell !== undefined) this.seen.set(scenarioId, cell);
    for (const [tool, outcome] of toolOutcomes([row])) {
      const sum = this.tools.get(tool) ?? { n: 0, ok: 0, faults: 0, injected: 0 };
      for (const key of ["n", "ok", "faults", "injected"] as const) sum[key] += outcome[key];
      this.tools.set(tool, sum);
    }
    const reply = textOf(row.final_text);
    if ((reply === "" ? assistantText(row) : reply).includes("?")) this.questions++;
  }

  /** Whether what was lost hangs on the task. */
  lossByTaskP(): number | null {
    if (this.lost === 0) return null;
    const ids = new Set([...this.rowsByTask.keys(), ...this.lostByTask.keys()]);
    return lossByTaskP(
      [...ids].sort(compareCodePoints).map((id) => {
        const lost = this.lostByTask.get(id) ?? 0;
        return { lost, rollouts: lost + (this.rowsByTask.get(id) ?? 0) };
      }),
    );
  }

  private addGrade({ reward, judge_status: status, judge_meta: meta }: Row): void {
    const { grading } = this;
    if (typeof reward !== "number") grading.unjudged++;
    else if (reward === 1) grading.passes++;
    else if (reward === 0) grading.failures++;
    else grading.partials++;
    if (status !== "judge_error" && status !== "invalid_reward") return;
    grading.errors++;
    grading.firstError ??= textOf(isObject(meta) ? meta.error : "");
  }

  addLost(reason: string, scenarioId: string): void {
    this.lost++;
    this.lostBy[reason] = (this.lostBy[reason] ?? 0) + 1;
    this.lostByTask.set(scenarioId, (this.lostByTask.get(scenarioId) ?? 0) + 1);
  }

  addAgentFailure(failure: string, said: string): void {
    this.agentFailures[failure] = (this.agentFailures[failure] ?? 0) + 1;
    if (failure === "agent_error") this.firstAgentError ??= said;
  }

  /** What a cache answered is counted as a call and used nothing. */
  addUse({ role, model, inputTokens, outputTokens, costUsd = null, isReplayed = false }: ModelUse): void {
    const key = `${role} ${model}`;
    const sum = this.uses.get(key) ?? {
      ...{ role, model, calls: 0, replayedCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    };
    this.uses.set(key, sum);
    sum.calls++;
    if (isReplayed) {
      sum.replayedCalls++;
      return;
    }
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
    sum.costUsd = costUsd === null || sum.costUsd === null ? null : sum.costUsd + costUsd;
    this.tokens += inputTokens + outputTokens;
  }

  coverage(planned: readonly Assignment[]): PairwiseCoverage {
    return pairwiseCoverage(planned, [...this.seen.values()]);
  }

  deadTools(): string[] {
    return [...this.tools].filter(([, outcome]) => isDeadTool(outcome)).map(([name]) => name);
  }

  usage(): RoleUsage[] {
    const rounded = ({ costUsd, ...use }: RoleUsage): RoleUsage => ({
      ...use,
      costUsd: costUsd === null ? null : roundHalfEven(costUsd, 6),
    });
    return [...this.uses.values()]
      .map(rounded)
      .sort((a, b) => (`${a.role} ${a.model}` < `${b.role} ${b.model}` ? -1 : 1));
  }

  endedOnQuestion(): number | null {
    return this.rows === 0 ? null : roundHalfEven(this.questions / this.rows, 4);
  }
}
