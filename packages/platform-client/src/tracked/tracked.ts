import { checkBehaviorName, type Row } from "@while/schema";
import { evalVariance, type Metric } from "@while/stats";
import {
  type Deleted,
  deleteAgent,
  type Promoted,
  promote,
  type TrackAgent,
  type TrackedInfo,
  upsertAgent,
} from "../contract/agents.ts";
import {
  type Behavior,
  type BehaviorFields,
  behaviorFieldsSchema,
  listBehaviors,
  putBehavior,
} from "../contract/behaviors.ts";
import { type Dashboard, getDashboard } from "../contract/dashboard.ts";
import { type Experiment, experimentSchema, getExperiment, putExperiment } from "../contract/experiment.ts";
import { type Figure, listFigures, putFigure } from "../contract/figures.ts";
import { type LiveDay, liveDaySchema, postLive } from "../contract/live.ts";
import { checkValue } from "../contract/parse-body.ts";
import {
  deleteRun as deleteRunRoute,
  getRun,
  listRuns,
  openRun,
  patchRun,
  type RunDetail,
  type RunRow,
  type RunSpec,
  runSpecSchema,
} from "../contract/runs.ts";
import type { Brief, EvalHealth, Verdict } from "../contract/verdict.ts";
import { PlatformError } from "../platform-error.ts";
import { briefOf } from "../rules/brief.ts";
import type { Rules } from "../rules/difference.ts";
import { evalHealth } from "../rules/eval-health.ts";
import { formatBrief } from "../rules/format-brief.ts";
import { newestScores } from "../rules/newest-scores.ts";
import { type NoiseFloor, noiseFloorOf } from "../rules/noise-floor.ts";
import { roundPoints } from "../rules/number-format.ts";
import { resolveVerdict } from "../rules/verdict.ts";
import { type FigureLike, type FigureOptions, figureBody } from "../runs/figure-body.ts";
import { Run, type RunWork } from "../runs/run.ts";
import { given } from "../transport/given.ts";
import { harnessRecord, pinnedRun, runSpecOf } from "./pinned-run.ts";
import { readDashboard } from "./read-dashboard.ts";
import type { RunOptions, TrackedAgent } from "./run-options.ts";

export interface TrackedWork extends RunWork {
  /** Where the brief is told after `finish`; null tells nobody. */
  out: ((text: string) => void) | null;
  /** Runs that are open: the client closes them. */
  opened: { add(run: Run): unknown };
}

export interface ReadOptions {
  /** `strict` by default; `compat` concludes what the Python SDK concludes. */
  rules?: Rules | undefined;
}

/** A handle to one agent as the platform knows it, and not the agent itself. */
export class Tracked {
  readonly agent: TrackedAgent;
  readonly #work: TrackedWork;
  /** What this process declared: a platform that drops the field does not lose it here. */
  readonly #gradedBy = new Map<string, "program" | "judge">();

  constructor(work: TrackedWork, agent: TrackedAgent) {
    this.#work = work;
    this.agent = agent;
  }

  get id(): string {
    return this.agent.id;
  }

  /** Page of the agent. */
  get url(): string {
    return `${this.#work.transport.baseUrl}/platform/runs?agent=${encodeURIComponent(this.id)}`;
  }

  /** Tells the platform of the agent; safe on every run. */
  register(): Promise<TrackedInfo> {
    const { id, name, model, harness, toolsHash, frontier } = this.agent;
    const body: TrackAgent = given({
      ...{ id, name, model: model ?? undefined },
      harness: harness === null ? undefined : harnessRecord(harness, toolsHash),
      frontier: frontier ?? undefined,
    });
    return this.#call(upsertAgent, { body });
  }

  /**
   * Declares a behavior or changes the fields given; the others stay, and null clears.
   *
   * @throws SchemaError `bad_value` for a name that is none; PlatformError `bad_value` for a field
   */
  async behavior(nameOrBehavior: string | Behavior, fields: BehaviorFields = {}): Promise<Behavior> {
    const { name, ...rest } =
      typeof nameOrBehavior === "string" ? { name: nameOrBehavior, ...fields } : { ...nameOrBehavior, ...fields };
    checkBehaviorName(name, "tracked.behavior");
    const body = checkValue(behaviorFieldsSchema, given(rest), `the behavior ${name}`);
    if (body.rewardIsJudge === true) {
      const message = `the training reward of ${name} is its judge, which cannot see the reward gamed: score with another model or a verifier`;
      this.#work.warn({ code: "reward_is_judge", message });
    }
    if (body.gradedBy) this.#gradedBy.set(name, body.gradedBy);
    return this.#withGrader(await this.#call(putBehavior, { params: { name }, body }));
  }

  async behaviors(): Promise<Behavior[]> {
    const { behaviors = [] } = await this.#call(listBehaviors, {});
    return behaviors.map((behavior) => this.#withGrader(behavior));
  }

  #withGrader(behavior: Behavior): Behavior {
    const gradedBy = behavior.gradedBy ?? this.#gradedBy.get(behavior.name);
    return gradedBy === undefined ? behavior : { ...behavior, gradedBy };
  }

  /**
   * Measures what a score moves by itself, from re-runs of one version on the same test, and declares it.
   *
   * @param reruns Rows of each re-run
   * @throws PlatformError `bad_value` under two re-runs with scores
   */
  async noiseFloor(
    behavior: string,
    reruns: readonly (readonly Row[])[],
    { metric = "pass_at_1" }: { metric?: Metric } = {},
  ): Promise<NoiseFloor> {
    if (reruns.length < 2) {
      const what = `noiseFloor got ${reruns.length} of the two or more re-runs that it takes.`;
      throw new PlatformError("bad_value", what, "One run is one draw: run the same eval on the same version again.");
    }
    const floor = noiseFloorOf(behavior, evalVariance(reruns, { metric }));
    for (const note of floor.notes) this.#work.warn({ code: "few_reruns", message: `${behavior}: ${note}` });
    const mean = floor.means.reduce((sum, one) => sum + one, 0) / floor.means.length;
    await this.behavior(behavior, { noiseFloor: floor.noiseFloor, noiseFloorAt: roundPoints(100 * mean) });
    return floor;
  }

  /** The experiment; null when none was posted. */
  experiment(): Promise<Experiment | null>;
  /** Replaces it: a question, and what would answer it, written before the runs. */
  experiment(fields: Experiment): Promise<Experiment>;
  async experiment(fields?: Experiment): Promise<Experiment | null> {
    if (fields !== undefined) {
      return this.#call(putExperiment, { body: checkValue(experimentSchema, given(fields), "the experiment") });
    }
    try {
      return await this.#call(getExperiment, {});
    } catch (error) {
      if (error instanceof PlatformError && error.status === 404) return null;
      throw error;
    }
  }

  /**
   * Puts a Plotly figure on the page, in the place of the one of that name.
   *
   * @throws PlatformError `bad_value` before any call
   */
  figure(name: string, figure: FigureLike, options: FigureOptions = {}): Promise<Figure> {
    return this.#call(putFigure, { params: { name }, body: figureBody(name, figure, options) });
  }

  async figures(): Promise<Figure[]> {
    return (await this.#call(listFigures, {})).figures;
  }

  /**
   * Opens a run of a version.
   *
   * @throws PlatformError `bad_value` before any call; the platform's refusals
   */
  async run(version: string, options: RunOptions = {}): Promise<Run> {
    const { base = this.agent.model ?? undefined, method, targets = [], trainedOn = [], gpu, id } = options;
    const pinned = pinnedRun(this.agent, options);
    const spec = checkValue(
      runSpecSchema,
      given({
        ...{ agent: this.id, version, base, method, targets: [...targets], trainedOn: [...trainedOn] },
        ...{ harness: pinned.label, gpu, record: pinned.record, id },
      }) satisfies RunSpec,
      `the run of ${version}`,
    );
    const opened = await this.#work.transport.call(openRun, { body: spec });
    if (opened.overwrote === true) {
      const message = `the run ${opened.id} was there before: its points, scores and rows are gone`;
      this.#work.warn({ code: "overwrote", message });
    }
    return this.#handle(spec, opened, options);
  }

  /**
   * Opens a run for the time of `work`. An exception ends it as failed and is thrown on; otherwise the points are sent
   * and the run stays open, for scores that come later.
   */
  async withRun<T>(version: string, options: RunOptions, work: (run: Run) => Promise<T>): Promise<T> {
    const run = await this.run(version, options);
    try {
      return await work(run);
    } catch (error) {
      if (run.status === "running") await run.fail(error);
      throw error;
    } finally {
      await run.flush();
    }
  }

  /** Runs, newest first. */
  async runs({ archived = false }: { archived?: boolean } = {}): Promise<RunRow[]> {
    const { runs = [] } = await this.#work.transport.call(listRuns, { query: { agent: this.id } });
    return archived ? runs : runs.filter((run) => run.archived !== true);
  }

  /**
   * Binds a run that is there: reads it, and opens nothing.
   *
   * @throws PlatformError `not_found`; `bad_value` for a run of another agent
   */
  async open(runId: string): Promise<Run> {
    const row = await this.#found(runId);
    if (row.agent && row.agent.toLowerCase() !== this.id.toLowerCase()) {
      const what = `The run ${runId} is of the agent ${row.agent}, not of ${this.id}.`;
      throw new PlatformError("bad_value", what, `Open it by track(${JSON.stringify(row.agent)}).`);
    }
    const steps = (row.train ?? row.series ?? []).map(({ step }) => step);
    const step = steps.reduce((a, b) => Math.max(a, b), 0);
    return this.#handle(runSpecOf(row, this.id), { ...row, totalSteps: row.steps ?? row.totalSteps ?? null }, { step });
  }

  async #found(runId: string): Promise<RunDetail> {
    try {
      return await this.#work.transport.call(getRun, { params: { id: runId } });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status !== 404) throw error;
      const what = `There is no run ${runId} under this key.`;
      throw new PlatformError("not_found", what, "List them with tracked.runs({ archived: true }).", error);
    }
  }

  #handle(spec: RunSpec, row: Partial<RunRow> & { id: string }, options: RunOptions & { step?: number }): Run {
    const run = new Run(this.#work, {
      id: row.id,
      spec,
      status: row.status ?? "running",
      notes: row.notes ?? null,
      step: options.step ?? 0,
      totalSteps: row.totalSteps ?? null,
      scores: (row.evals ?? []).filter(({ behavior, score }) => Boolean(behavior) && typeof score === "number"),
      url: this.url,
      brief: async () => formatBrief(await this.brief()),
      out: this.#work.out,
      ...given({ flushEvery: options.flushEvery, flushSeconds: options.flushSeconds }),
    });
    this.#work.opened.add(run);
    return run;
  }

  /** Takes a run out of plots, deltas and the candidate's place. */
  archive(runId: string, { archived = true }: { archived?: boolean } = {}): Promise<RunRow> {
    return this.#work.transport.call(patchRun, { params: { id: runId }, body: { archived } });
  }

  unarchive(runId: string): Promise<RunRow> {
    return this.archive(runId, { archived: false });
  }

  /**
   * Deletes a run with its points, scores and rows. To take it off the page alone, archive it.
   *
   * @throws PlatformError `not_found`; when it is the version of a run, the sentence names the run's id
   */
  async deleteRun(runId: string): Promise<Deleted> {
    try {
      return await this.#work.transport.call(deleteRunRoute, { params: { id: runId } });
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status !== 404) throw error;
      const named = (await this.runs({ archived: true })).filter(({ version }) => version === runId);
      if (named.length === 0) throw error;
      const ids = named.map(({ id }) => id).join(", ");
      throw new PlatformError("not_found", `${runId} is a version and no run id.`, `Its runs: ${ids}.`, error);
    }
  }

  /** Deletes the agent with everything under it, for good: for one that was posted by mistake. */
  delete(): Promise<Deleted> {
    return this.#call(deleteAgent, {});
  }

  /** This version serves from now on. Usually a person's button. */
  promote(version: string, { reason }: { reason?: string } = {}): Promise<Promoted> {
    return this.#call(promote, { body: given({ version, reason }) });
  }

  /**
   * Posts a day of traffic of one version; the same day and version again replaces it.
   *
   * @param day `YYYY-MM-DD`, or an instant whose day in UTC is meant
   * @throws PlatformError `bad_value` before any call
   */
  async live(day: string | Date, fields: Omit<LiveDay, "day">): Promise<{ days: number }> {
    const date = day instanceof Date ? day.toISOString().slice(0, 10) : day;
    const posted = checkValue(liveDaySchema, given({ agent: this.id, day: date, ...fields }), `the day ${date}`);
    return this.#work.transport.call(postLive, { body: [posted] });
  }

  /** The Runs page as data. */
  async dashboard(behavior?: string): Promise<Dashboard> {
    const answer = await this.#call(getDashboard, { query: given({ behavior }) });
    const dashboard = readDashboard(answer);
    return dashboard.behavior === null ? dashboard : { ...dashboard, behavior: this.#withGrader(dashboard.behavior) };
  }

  /**
   * The line before Promote, by the rules that page and server use.
   *
   * @throws PlatformError `bad_value` for a `version` without a score
   */
  async verdict(behavior?: string, { version, rules }: ReadOptions & { version?: string } = {}): Promise<Verdict> {
    const [dashboard, behaviors, runs] = await this.#reads(behavior);
    return resolveVerdict(dashboard, behaviors, runs, given({ version, rules }));
  }

  /** What happened, what it means, what to do next. */
  async brief(behavior?: string, { rules }: ReadOptions = {}): Promise<Brief> {
    const [dashboard, behaviors, runs] = await this.#reads(behavior);
    return briefOf(dashboard.agent, behaviors, runs, { url: this.url, dashboard, ...given({ rules }) });
  }

  /** Eight checks of each behavior's test. */
  async evals({ rules }: ReadOptions = {}): Promise<EvalHealth[]> {
    const [dashboard, behaviors, runs] = await this.#reads(undefined);
    const options = { serving: dashboard.agent.serving ?? null, ...given({ rules }) };
    return behaviors.map((behavior) => evalHealth(behavior, newestScores(runs, behavior.name), options));
  }

  #reads(behavior: string | undefined): Promise<[Dashboard, Behavior[], RunRow[]]> {
    return Promise.all([this.dashboard(behavior), this.behaviors(), this.runs()]);
  }

  #call: RunWork["transport"]["call"] = (route, options = {}) =>
    this.#work.transport.call(route, { ...options, params: { id: this.id, ...options.params } });
}
