import { type Row, textOf } from "@while/schema";
import { binaryReward } from "@while/stats";
import type { Agent } from "../agent/agent.ts";
import type { ModelUse } from "../agent/model.ts";
import { roundsOf, Search } from "../search/search.ts";
import { SimulateError } from "../simulate-error.ts";
import { type AllocatedRollout, type Allocator, allocateFixed, type Landing } from "./allocate.ts";
import { AdaptiveAllocator } from "./allocate-adaptive.ts";
import { SuccessiveAllocator } from "./allocate-successive.ts";
import { attemptRollout } from "./attempt-rollout.ts";
import { gradedRow } from "./grade-row.ts";
import type { Journal } from "./journal.ts";
import { faultShareOf, planRun, type RunPlan } from "./plan-run.ts";
import type { Progress } from "./progress.ts";
import { reportOf } from "./report-of.ts";
import { type LandedRow, rolloutRow } from "./rollout-row.ts";
import { mostOfSearch, requestedOf } from "./rollouts-requested.ts";
import { runIdentity } from "./run-identity.ts";
import { runPool } from "./run-pool.ts";
import { runRounds } from "./run-rounds.ts";
import { type RunSetup, runIdOf, runSetup } from "./run-setup.ts";
import { RunStop } from "./run-stop.ts";
import { RunTally } from "./run-tally.ts";
import type { SimulateOptions } from "./simulate-options.ts";
import type { SimulationReport } from "./simulation-report.ts";
import { SpendingLimit, SpendingStop } from "./spending-limit.ts";
import type { Spent } from "./spent.ts";
import type { StopWord } from "./stop-word.ts";
import { type PlannedTask, rolloutIdFor } from "./task.ts";
import { UsedByAttempt } from "./used-by-attempt.ts";
import { wentWrong } from "./went-wrong.ts";

/** Rollouts at once, where nothing else is said. */
const CONCURRENCY = 32;
/** Tries more for a rollout that was lost. */
const RETRIES = 2;
/** From how many rollouts without a single answer the agent, and not a task, is taken to be broken. */
const DEAD_AGENT = 16;
/** The share of empty replies from which a silence is that. */
const MOSTLY = 0.9;
const FINISH: Readonly<Record<string, string>> = { empty_reply: "empty", content_filter: "content_filter" };

/** A row that has landed, and where it stands in the plan. */
export interface EngineRow extends LandedRow {
  order: number;
}

export interface EngineHooks {
  /** Called as rows land. The engine waits for it: a slow reader slows the run and fills no memory. */
  emit: (row: EngineRow) => void | Promise<void>;
  /** Asked before each rollout; a run that is paused waits here. */
  gate?: () => Promise<void>;
  onProgress?: (progress: Progress) => void;
}

/** What a run leaves beside its rows. */
export interface EngineEnd {
  setup: RunSetup;
  plan: RunPlan;
  report: SimulationReport;
}

/**
 * Plans a run, carries it out and counts what came back.
 *
 * @throws SimulateError of the options, the writer or the journal; `agent_auth_failed`, `agent_quota_exceeded`
 */
export async function runEngine(agent: Agent, options: SimulateOptions, hooks: EngineHooks): Promise<EngineEnd> {
  const engine = new Engine(runSetup(agent, options), hooks);
  return await engine.run();
}

class Engine {
  private readonly tally = new RunTally();
  private readonly stop = new RunStop();
  private readonly landed = new Map<string, Row | null>();
  private readonly setup: RunSetup;
  private readonly hooks: EngineHooks;
  private readonly now: () => number;
  private readonly start: number;
  private readonly spending: SpendingLimit | null;
  private spentUsd = 0;
  private spentBefore: Spent | null = null;
  private word: StopWord | null = null;
  private fatal: SimulateError | null = null;
  private inFlight = 0;
  private finished = 0;
  private answers = 0;
  private plan!: RunPlan;
  private runId = "";
  private search: Search | null = null;
  /** How the search ended by itself. */
  private searchEnd: StopWord | null = null;

  constructor(setup: RunSetup, hooks: EngineHooks) {
    this.setup = setup;
    this.hooks = hooks;
    this.now = setup.options.now ?? (() => performance.now());
    this.start = this.now();
    const { usdBudget } = setup.options;
    this.spending = usdBudget === undefined ? null : new SpendingLimit(usdBudget);
  }

  async run(): Promise<EngineEnd> {
    const { options, warnings } = this.setup;
    const { journal, signal, timeBudgetMs } = options;
    const onAbort = (): void => this.end("aborted");
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = timeBudgetMs === undefined ? undefined : setTimeout(() => this.end("time_budget"), timeBudgetMs);
    try {
      await this.open(journal);
      if (this.search !== null) await this.rounds(this.search);
      const allocator = this.allocator();
      await this.waves(allocator);
      if (this.fatal !== null) throw this.fatal;
      const report = reportOf({
        ...{ setup: this.setup, plan: this.plan, runId: this.runId, tally: this.tally },
        spentBefore: this.spentBefore,
        idCollisions: this.search?.idCollisions ?? this.plan.idCollisions,
        word: this.word ?? this.wholeWord(),
        groups: allocator instanceof SuccessiveAllocator ? allocator.counts() : null,
        allocator: allocator instanceof AdaptiveAllocator ? allocator.counts() : null,
        search: this.search?.report() ?? null,
        warnings: [...warnings, ...this.plan.warnings, ...(this.search?.warnings ?? [])],
        concurrency: options.concurrency ?? CONCURRENCY,
      });
      await journal?.close(report);
      return { setup: this.setup, plan: this.plan, report };
    } catch (error) {
      await journal?.abandon();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** The plan: as it was written down, else made and written down before the first call. */
  private async open(journal: Journal | undefined): Promise<void> {
    const { setup } = this;
    const hooks = { signal: this.stop.signal, meter: this.meter };
    if (journal === undefined) {
      this.plan = await planRun(setup, hooks);
      this.begin([]);
      return;
    }
    const { tasks, rows, spent } = await journal.open(runIdentity(setup));
    if (spent !== undefined) this.takeSpent(spent);
    this.plan = await planRun(setup, { ...hooks, tasks });
    const recorded = this.plan.searches ? roundsOf(tasks ?? []).flat() : [];
    this.begin(recorded);
    // A round of a search that was written down in part was never run, and is chosen again.
    if (tasks === null || (this.plan.searches && recorded.length < tasks.length)) {
      await journal.plan(this.plan.searches ? recorded : this.plan.tasks);
    }
    for await (const row of rows) {
      const id = textOf(row.rollout_id);
      // The first of two wins: it is the one that a reader has seen.
      if (!this.landed.has(id)) this.landed.set(id, row);
    }
  }

  /** A budget is that of the run, and an earlier process of it has used a part. */
  private takeSpent({ usd, tokens }: Spent): void {
    this.spentBefore = { usd, tokens };
    this.tally.tokens += tokens;
    if (usd === null) return;
    this.spending?.add(usd);
    this.spentUsd += usd;
    this.watchBudgets();
  }

  /** Names the run, or sets the search up that finds its tasks. */
  private begin(recorded: readonly PlannedTask[]): void {
    const { setup, plan } = this;
    if (!plan.searches) {
      this.name(plan.tasks);
      return;
    }
    const { topology, budget, tasks: seeds } = plan;
    const faultShare = faultShareOf(setup.options, topology);
    const hooks = { signal: this.stop.signal, meter: this.meter };
    this.search = new Search({ setup, topology, grid: plan.grid!, budget, faultShare, seeds, recorded, ...hooks });
    this.plan = { ...plan, tasks: [] };
  }

  private name(tasks: readonly PlannedTask[]): void {
    this.runId = runIdOf(
      this.setup,
      tasks.map(({ prompt }) => prompt),
    );
  }

  /** A search, round by round: the tasks of each are written down before its first call. */
  private async rounds(search: Search): Promise<void> {
    const { journal, concurrency = CONCURRENCY } = this.setup.options;
    const { topology, budget } = this.plan;
    this.searchEnd = await runRounds(search, {
      ...{ k: topology.k, budget, concurrency },
      isStopped: () => this.word !== null,
      open: async ({ tasks, isRecorded }) => {
        if (!isRecorded) await journal?.extendPlan(tasks);
        if (this.plan.tasks.length === 0) this.name(tasks);
        this.plan = { ...this.plan, tasks: [...this.plan.tasks, ...tasks] };
      },
      rollOut: (key) => this.rollOut(key),
    });
  }

  private allocator(): Allocator {
    const { tasks, topology, probe, budget } = this.plan;
    const { k, policy } = topology;
    if (policy === "adaptive") {
      const scenarioIds = tasks.map(({ scenarioId }) => scenarioId);
      return new AdaptiveAllocator({ scenarioIds, n: topology.n, k, budget, secondsLeft: () => this.secondsLeft() });
    }
    if (policy === "successive") return new SuccessiveAllocator({ nTasks: tasks.length, k, probe, budget });
    // The first run was the search; the others are of the tasks that it found.
    const firstRun = this.search === null ? 0 : 1;
    return allocateFixed({ nTasks: tasks.length, k, firstRun, runs: this.setup.runs, budget });
  }

  /** Of the run's own clock; null without one. */
  private secondsLeft(): number | null {
    const { timeBudgetMs } = this.setup.options;
    return timeBudgetMs === undefined ? null : Math.max(0, timeBudgetMs - (this.now() - this.start)) / 1000;
  }

  private async waves(allocator: Allocator): Promise<void> {
    const looks = allocator instanceof SuccessiveAllocator || allocator instanceof AdaptiveAllocator;
    let landings: Landing[] = [];
    while (this.word === null) {
      const wave = allocator.next(landings);
      if (wave === null) return;
      landings = [];
      await runPool(
        wave,
        this.setup.options.concurrency ?? CONCURRENCY,
        async (key) => {
          const row = await this.rollOut(key);
          if (!looks) return;
          if (row === null) landings.push({ key, label: null });
          else landings.push({ key, label: labelOf(row), wentWrong: wentWrong(row) });
        },
        () => this.word !== null,
      );
    }
  }

  /** One rollout of the plan, tried again while it is lost; its row, or null. */
  private async rollOut(key: AllocatedRollout): Promise<Row | null> {
    const task = this.plan.tasks[key.task]!;
    const id = rolloutIdFor(this.runId, task, key);
    const before = this.landed.get(id);
    if (before) return await this.resume(before, task, key, id);
    await this.hooks.gate?.();
    if (this.word !== null) return null;
    const { journal, retries = RETRIES } = this.setup.options;
    this.inFlight++;
    try {
      for (let attempt = 1; ; attempt++) {
        const used = new UsedByAttempt();
        const meter = (use: ModelUse): void => {
          used.add(use);
          this.meter(use);
        };
        const hooks = { rolloutId: id, attempt, meter, spend: this.spend };
        const result = await attemptRollout(this.setup, task, key, this.stop, hooks);
        this.watchBudgets();
        if (result.outcome === "fatal") {
          this.fatal ??= result.error;
          this.end("agent_failed");
          return null;
        }
        if (result.outcome === "lost") {
          // A run that is stopped gives up what is under way; that is counted as abandoned and not as lost.
          const { reason, detail } = result;
          const isGivenUp = reason === "aborted" || this.word !== null;
          if (!isGivenUp || used.isAny) {
            const record = { rollout_id: id, attempt, outcome: "lost", reason, detail } as const;
            await journal?.attempt({ ...record, ...used.record() });
          }
          if (isGivenUp) return null;
          if (attempt <= retries) {
            this.tally.retried++;
            continue;
          }
          this.tally.addLost(result.reason, task.scenarioId);
          this.finish(result.reason);
          return null;
        }
        const { reply, effects, uses } = result;
        // Nothing came because the provider let nothing through: that is no silence of the agent's.
        const isFiltered = result.failure === "empty_reply" && reply.finish_reason === "content_filter";
        const failure = isFiltered ? "content_filter" : result.failure;
        const finish = FINISH[failure ?? ""] ?? (failure === null ? undefined : "error");
        const input = { setup: this.setup, runId: this.runId, task, key, reply, effects, uses, attempts: attempt };
        const made = rolloutRow({ ...input, isEval: this.setup.runs > 1, ...(finish === undefined ? {} : { finish }) });
        if (failure !== null) this.tally.addAgentFailure(failure, reply.final_text);
        // Before the row: what was paid stays paid when it does not come to be one.
        if (attempt > 1 || used.isAny)
          await journal?.attempt({ rollout_id: id, attempt, outcome: "row", ...used.record() });
        return await this.land(made, task, key, failure);
      }
    } finally {
      this.inFlight--;
    }
  }

  private async land(made: LandedRow, task: PlannedTask, key: AllocatedRollout, failure: string | null): Promise<Row> {
    const { grader, journal } = this.setup.options;
    const { privileged } = made;
    const row = grader === undefined ? made.row : await gradedRow(made.row, grader);
    await journal?.row({ ...row, privileged });
    this.tally.addRow(row, task.scenarioId, key.evalRun);
    await this.hooks.emit({ row, privileged, order: this.orderOf(key) });
    this.finish(failure);
    return row;
  }

  private async resume(found: Row, task: PlannedTask, key: AllocatedRollout, id: string): Promise<Row> {
    const { privileged, ...row } = found;
    // Held no longer than needed: the rest of the run may be long.
    this.landed.set(id, null);
    this.tally.resumed++;
    this.tally.addRow(row, task.scenarioId, key.evalRun);
    await this.hooks.emit({ row, privileged: (privileged ?? {}) as LandedRow["privileged"], order: this.orderOf(key) });
    this.finish(null);
    return row;
  }

  /** After each rollout: progress, and whether the agent is there at all. */
  private finish(failure: string | null): void {
    this.finished++;
    if (failure === null || failure === "tool_markup" || failure === "content_filter") this.answers++;
    if (this.answers === 0 && this.finished >= DEAD_AGENT) this.end(this.silence());
    this.hooks.onProgress?.(this.progress());
    this.setup.options.onProgress?.(this.progress());
  }

  /** What to call a run in which nothing was ever answered. */
  private silence(): StopWord {
    const { empty_reply: empty = 0 } = { ...this.tally.agentFailures, ...this.tally.lostBy };
    return empty >= MOSTLY * this.finished ? "empty_replies" : "agent_failed";
  }

  private readonly meter = (use: ModelUse): void => {
    this.tally.addUse(use);
    if (this.spending === null || use.isReplayed) return;
    const { costUsd = null } = use;
    if (costUsd === null) {
      this.stopForUnknownPrice(use.model);
      return;
    }
    this.spending.add(costUsd);
    this.spentUsd += costUsd;
  };

  /** Looked at between rollouts: what was paid for an answer is not thrown away with it. */
  private watchBudgets(): void {
    const { tokenBudget, usdBudget } = this.setup.options;
    if (tokenBudget !== undefined && this.tally.tokens >= tokenBudget) this.end("token_budget");
    if (usdBudget !== undefined && this.spentUsd >= usdBudget) this.word ??= "cost_budget";
  }

  private readonly spend = async (mostUsd: number | null): Promise<() => void> => {
    if (this.spending === null) return () => {};
    if (mostUsd === null) throw this.stopForUnknownPrice(this.setup.modelVersion);
    const release = await this.spending.hold(mostUsd);
    if (release !== null) return release;
    // Nothing new begins, and what is under way goes on as far as it can pay: an answer that was paid is not thrown away.
    this.word ??= "cost_budget";
    throw new SpendingStop();
  };

  /** A limit that nobody can watch is none. */
  private stopForUnknownPrice(model: string): SimulateError {
    const { usdBudget } = this.setup.options;
    const what = `usdBudget is ${usdBudget}, and no price is known for ${model}.`;
    this.fatal ??= new SimulateError("bad_option", what, "Give the endpoint prices, or leave usdBudget out.");
    this.end("agent_failed");
    return this.fatal;
  }

  private end(word: StopWord): void {
    if (this.word !== null) return;
    this.word = word;
    this.stop.stop(word);
  }

  private wholeWord(): StopWord {
    const { isPinned, situations, budget } = this.plan;
    const { rows } = this.tally;
    if (this.answers === 0 && this.finished > 0) return this.silence();
    if (isPinned) return "tasks_done";
    if (this.searchEnd !== null) return this.searchEnd;
    return situations !== null && rows < budget * this.setup.runs ? "situations_exhausted" : "budget";
  }

  private orderOf({ task, rolloutIndex, evalRun }: AllocatedRollout): number {
    const { tasks, topology } = this.plan;
    return (evalRun * tasks.length + task) * topology.k + rolloutIndex;
  }

  private progress(): Progress {
    const { tasks, topology, budget, searches } = this.plan;
    const { runs } = this.setup;
    const planned = requestedOf(this.plan, runs) ?? Math.min(budget, tasks.length * topology.k) * runs;
    return {
      rows: this.tally.rows,
      cap: searches ? mostOfSearch(this.plan, runs) : planned,
      resumed: this.tally.resumed,
      rerolled: this.tally.retried,
      lost: this.tally.lost,
      lostBy: { ...this.tally.lostBy },
      inFlight: this.inFlight,
      situations: tasks.length,
      elapsedMs: this.now() - this.start,
    };
  }
}

/** What two rollouts of a prompt differ by: their verdicts where there are some, else what was done; null when cut. */
function labelOf(row: Row): string | number | null {
  if (row.finish_reason === "length") return null;
  return binaryReward(row) ?? textOf(row.behavior_signature);
}
