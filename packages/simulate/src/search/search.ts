import type { ModelUse } from "../agent/model.ts";
import { drawnTask } from "../engine/drawn-task.ts";
import type { RunSetup } from "../engine/run-setup.ts";
import type { PlannedTask } from "../engine/task.ts";
import type { Topology } from "../engine/topology.ts";
import { drawCells } from "../grid/draw-cells.ts";
import type { Grid } from "../grid/grid.ts";
import { type Assignment, ProbeIds, probeId, regionId } from "../grid/region-id.ts";
import type { SimTool } from "../world/tool-schemas.ts";
import { askAbout, templateWriter } from "../writers/template-writer.ts";
import type { Card, Writer } from "../writers/writer.ts";
import { type Arm, pinnedWeights } from "./arms.ts";
import { mutatePrompt } from "./mutate-prompt.ts";
import type { Observation } from "./observation.ts";
import { openProbe } from "./open-probes.ts";
import { type Candidate, pickBatch } from "./pick-batch.ts";
import { familyCap, promptFamily } from "./prompt-family.ts";
import { PromptSpace } from "./prompt-space.ts";
import type { SearchReport } from "./search-report.ts";
import { SearchState } from "./search-state.ts";
import { SituationRoom } from "./situation-room.ts";

/** Why a search ends by itself. */
export type SearchEnd = "budget" | "situations_exhausted" | "saturation" | "ask_exhausted" | "writer_exhausted";

export interface SearchOptions {
  setup: RunSetup;
  topology: Topology;
  grid: Grid;
  /** Most rows. */
  budget: number;
  /** Share of the tasks with a cell whose tool fails. */
  faultShare: number;
  seeds: readonly PlannedTask[];
  /** Complete rounds of an earlier process. */
  recorded: readonly PlannedTask[];
  signal?: AbortSignal;
  meter?: (use: ModelUse) => void;
}

/** The tasks of one round, and whether they were written down before. */
export interface SearchRound {
  tasks: readonly PlannedTask[];
  isRecorded: boolean;
}

/** Rollouts between two looks. A constant, so that the rows are the same at any concurrency. */
const WAVE = 32;
/** Candidates for each place. */
const OVERSAMPLE = 3;
/** Under this mean novelty the writer repeats itself, and is set on another draw. */
const STALE = 0.025;
const [RESTARTS, ROWS_PER_RESTART] = [24, 100];
/** Rounds of draws that a restart leaves out. */
const RESTART_STRIDE = 997;
/** Failing asks and newest asks that a model writer is shown. */
const [SHOWN_FAILING, SHOWN_RECENT] = [10, 8];

/**
 * Finds its tasks while it runs: round by round, each chosen by what the rounds before showed. Everything that a round
 * hangs on is in the tasks and rows before it, so a run that goes on after a kill chooses what it would have chosen.
 */
export class Search {
  readonly tasks: PlannedTask[] = [];
  readonly warnings: Set<string> = new Set();
  private readonly options: SearchOptions;
  private readonly state: SearchState;
  private readonly space = new PromptSpace();
  private readonly ids = new ProbeIds();
  private readonly prompts = new Set<string>();
  private readonly families = new Map<string, number>();
  private readonly situations: SituationRoom;
  /** Cells that were run, the twins among them that the grid does not hold. */
  private readonly used = new Map<string, Assignment>();
  private readonly recorded: PlannedTask[][];
  private readonly toolsByName: ReadonlyMap<string, SimTool>;
  private nCells = 0;
  private nFaulty = 0;
  private nProbes = 0;
  private restarts = 0;

  constructor(options: SearchOptions) {
    this.options = options;
    const { armWeights, situations } = options.setup.options;
    this.state = new SearchState(options.grid, armWeights === undefined ? null : pinnedWeights(armWeights));
    this.situations = new SituationRoom({
      situations: situations === undefined ? null : Math.max(situations, options.seeds.length),
      prompts: options.topology.n,
    });
    this.recorded = roundsOf(options.recorded);
    this.toolsByName = new Map(options.setup.tools.map((tool) => [tool.function.name, tool]));
  }

  get idCollisions(): number {
    return this.ids.collisions;
  }

  /** The next round, by what came of the one before; a word when there is none. */
  async next(observations: readonly Observation[]): Promise<SearchRound | SearchEnd> {
    if (this.tasks.length > 0) this.state.land(this.tasks, observations);
    const recorded = this.recorded.shift();
    if (recorded !== undefined) return { tasks: this.take(recorded), isRecorded: true };
    const { seeds, budget, topology, setup } = this.options;
    if (this.tasks.length === 0 && seeds.length > 0) return { tasks: this.numbered(seeds), isRecorded: false };
    const until = setup.options.until ?? "budget";
    if (until === "saturation" && this.state.isSaturated) return "saturation";
    const left = Math.ceil(budget / topology.k) - this.tasks.length;
    const most = Math.min(left, this.situations.left);
    if (left <= 0) return "budget";
    if (most <= 0) return "situations_exhausted";
    const slots = Math.min(most, Math.max(1, Math.floor(WAVE / topology.k)));
    const mostRestarts = Math.max(RESTARTS, Math.floor(budget / ROWS_PER_RESTART));
    while (true) {
      const { tasks, isStale, isDry } = await this.build(slots);
      const isSpent = this.restarts >= mostRestarts;
      if (isDry && isSpent) return setup.options.writer === undefined ? "writer_exhausted" : "ask_exhausted";
      if (!isStale || isSpent) return { tasks: this.numbered(tasks), isRecorded: false };
      this.restarts++;
    }
  }

  report(): SearchReport {
    return this.state.report(this.options.setup.options.until ?? "budget", this.restarts);
  }

  /**
   * One round of `slots` tasks at most. Stale, when the writer repeats itself or half of the places found nothing; dry,
   * when nothing came of it at all.
   */
  private async build(slots: number): Promise<{ tasks: PlannedTask[]; isStale: boolean; isDry: boolean }> {
    const { state, options } = this;
    const { seed } = options.setup;
    const rare = [...this.mutations(slots), ...this.gaps(slots)];
    const quota = this.quota(slots - rare.length);
    const nCells = (quota.structured ?? 0) + (quota.llm_guided ?? 0);
    const candidates = [...(await this.cellCandidates(quota)), ...this.openCandidates(quota.open_ended ?? 0)];
    const far = this.space.farthestFirst(candidates.map(({ task }) => task.prompt));
    const isCopying = far.reduce((sum, { novelty }) => sum + novelty, 0) < STALE * far.length;
    const picked = pickBatch(candidates, {
      ...{ far, quota, seed, round: state.rounds, families: this.families },
      familyCap: familyCap(options.topology.n),
      hardShare: options.setup.options.hardShare,
      nFaulty: options.setup.options.faultRate === undefined ? this.faultyWanted(nCells) : null,
    });
    // A situation may have been picked twice, or more of them than there is room for.
    const taken: PlannedTask[] = [];
    const room = this.situations.copy();
    for (const task of [...picked, ...rare]) {
      if (!room.isOpen(task.scenarioId)) continue;
      room.add(task.scenarioId);
      taken.push(task);
    }
    const isStale = isCopying || 2 * picked.length < slots - rare.length;
    return { tasks: taken.slice(0, slots), isStale, isDry: picked.length === 0 || taken.length === 0 };
  }

  /** Places by arm. The rare arms have theirs already; without a model writer nobody is guided. */
  private quota(places: number): Partial<Record<Arm, number>> {
    const { weights } = this.state;
    const hasWriter = this.options.setup.options.writer !== undefined;
    const grid = weights.structured + weights.llm_guided;
    const all = grid + weights.open_ended;
    if (places <= 0 || all === 0) return {};
    const open = weights.open_ended === 0 ? 0 : atLeastOne(places * (weights.open_ended / all), places);
    const cells = grid === 0 ? 0 : places - open;
    const guided = hasWriter ? Math.round(cells * (weights.llm_guided / grid)) : 0;
    return { structured: cells - guided, llm_guided: guided, open_ended: grid === 0 ? places : open };
  }

  /** Of the tasks with a cell so far and of the next ones, how many of the next must fail for the share to hold. */
  private faultyWanted(nCells: number): number {
    const wanted = Math.round((this.nCells + nCells) * this.options.faultShare) - this.nFaulty;
    return Math.min(nCells, Math.max(0, wanted));
  }

  private async cellCandidates(quota: Partial<Record<Arm, number>>): Promise<Candidate[]> {
    const { setup, grid, faultShare, topology } = this.options;
    const { options, seed } = setup;
    const [structured, guided] = [quota.structured ?? 0, quota.llm_guided ?? 0];
    const n = OVERSAMPLE * (structured + guided);
    if (n === 0) return [];
    const all = new Map([...grid.rows.map((cell): [string, Assignment] => [regionId(cell), cell]), ...this.used]);
    const open = [...all].flatMap(([id, cell]) => (this.situations.isOpen(id) ? [cell] : []));
    const { hardShare, faultRate } = options;
    const draw = (rows: readonly Assignment[]) =>
      drawCells(rows, n, {
        ...{ seed, tools: this.toolsByName, faultShare: faultRate === undefined ? faultShare : null },
        round: this.state.rounds + RESTART_STRIDE * this.restarts,
        mode: topology.mode,
        knowledgeOf: (cell) => this.state.knowledgeOf(cell),
        ...(hardShare === undefined ? {} : { hardShare }),
      });
    // A search for saturation first gives each situation the rows it wants.
    const lacking = options.until === "saturation" ? draw(this.state.lacking()) : [];
    const drawn = new Map([...lacking, ...draw(open)].map((cell): [string, Assignment] => [regionId(cell), cell]));
    const cells = [...drawn].flatMap(([id, cell]) => (this.situations.isOpen(id) ? [cell] : [])).slice(0, n);
    const cards = cells.map(
      (assignment): Card => ({
        id: regionId(assignment),
        assignment,
        phrasing: this.situations.prompts(regionId(assignment)),
      }),
    );
    // The cards in turn, so that neither arm gets the better ones.
    const share = guided / (structured + guided);
    const isGuided = (at: number): boolean => Math.floor((at + 1) * share) > Math.floor(at * share);
    const writer = options.writer ?? templateWriter;
    const plain = await this.write(
      writer,
      cards.filter((_, at) => !isGuided(at)),
      "structured",
    );
    const shown = await this.write(
      writer,
      cards.filter((_, at) => isGuided(at)),
      "llm_guided",
    );
    return [...plain, ...shown];
  }

  private async write(writer: Writer, cards: readonly Card[], arm: Arm): Promise<Candidate[]> {
    if (cards.length === 0) return [];
    const { setup, signal, meter } = this.options;
    const { tools, systemPrompt, seed, options } = setup;
    const failing = this.state.failing.slice(-SHOWN_FAILING).map(({ task }) => this.tasks[task]!.prompt);
    const { written, warnings } = await writer.write(cards, {
      ...{ tools, policy: systemPrompt, seed, taken: this.prompts },
      round: `${this.state.rounds}.${this.restarts}.${arm}`,
      ...(arm === "llm_guided" ? { failing, recent: this.tasks.slice(-SHOWN_RECENT).map(({ prompt }) => prompt) } : {}),
      ...(signal === undefined ? {} : { signal }),
      ...(meter === undefined ? {} : { meter }),
    });
    for (const warning of warnings) this.warnOnce(warning);
    return written.map((one) => {
      const task = { ...drawnTask(one, writer.name, options.faultRate, seed), arm, selectionReason: "novelty" };
      const { assignment, id } = one.card;
      return { task, arm, family: this.familyOf(task), copies: this.copiesOf(id, assignment) };
    });
  }

  /** Rows that a situation has, and prompts of it that are on their way. */
  private copiesOf(id: string, assignment: Assignment): number {
    return Math.max(this.state.copies(assignment), this.situations.prompts(id));
  }

  private openCandidates(n: number): Candidate[] {
    const { setup } = this.options;
    return Array.from({ length: OVERSAMPLE * n }, (_, i): Candidate => {
      const index = this.nProbes * OVERSAMPLE + i + RESTART_STRIDE * this.restarts;
      const task = probeTask(openProbe(setup.seed, index, setup.tools), "open_ended", "novelty");
      return { task, arm: "open_ended", family: this.familyOf(task), copies: 0 };
    }).filter(({ task }) => !this.prompts.has(task.prompt) && this.situations.isOpen(task.scenarioId));
  }

  /** Failures in other words, the newest first: one a round, or as many as the caller's shares say. */
  private mutations(slots: number): PlannedTask[] {
    const most = this.rareQuota("failure_mutation", slots);
    const tasks: PlannedTask[] = [];
    for (const { task: at, rolloutId } of this.state.openFailures()) {
      if (tasks.length >= most) break;
      const parent = this.tasks[at]!;
      const prompt = mutatePrompt(parent.prompt, rolloutId);
      if (this.prompts.has(prompt)) continue;
      const { faults, worldState, tags } = parent;
      const task = probeTask(prompt, "failure_mutation", "failure");
      tasks.push({ ...task, faults, worldState, tags, parentFailureId: rolloutId });
    }
    return tasks;
  }

  /** Asks for what hardly any rollout has shown: a sequence of tools seen once, else two tools one behind the other. */
  private gaps(slots: number): PlannedTask[] {
    const { setup } = this.options;
    const most = this.rareQuota("behavior_targeted", slots);
    if (most === 0 || this.state.rows === 0) return [];
    const tasks: PlannedTask[] = [];
    for (const { shape, task: at } of this.state.loneShapes()) {
      if (tasks.length >= most) return tasks;
      const parent = this.tasks[at]!;
      const prompt = mutatePrompt(parent.prompt, `shape:${parent.prompt}:${this.state.rounds}`);
      if (this.prompts.has(prompt)) continue;
      const { faults, worldState, tags } = parent;
      const task = probeTask(prompt, "behavior_targeted", "behavior_gap");
      tasks.push({ ...task, faults, worldState, tags, targetShape: shape });
    }
    const names = setup.tools.map((tool) => tool.function.name);
    const followed = new Set([...this.state.shapes.keys()].flatMap(pairsOf));
    for (const first of names) {
      for (const second of names) {
        if (tasks.length >= most) return tasks;
        const pair = `${first} > ${second}`;
        if (first === second || followed.has(pair) || !this.state.isWorthATry(pair)) continue;
        const id = `gap:${setup.seed}:${this.state.rounds}:${first}:${second}`;
        const about = { id, tools: setup.tools, round: 0 };
        const [one, other] = [this.toolsByName.get(first)!, this.toolsByName.get(second)!];
        const prompt = `${askAbout(one, about)} ${askAbout(other, { ...about, axis: "then" })}`;
        if (this.prompts.has(prompt)) continue;
        tasks.push({ ...probeTask(prompt, "behavior_targeted", "behavior_gap"), targetShape: pair });
      }
    }
    return tasks;
  }

  private rareQuota(arm: "failure_mutation" | "behavior_targeted", slots: number): number {
    const { options } = this.options.setup;
    const weight = this.state.weights[arm];
    if (weight === 0) return 0;
    if (options.armWeights !== undefined) return Math.max(1, Math.round(slots * weight));
    const wantsCopies = arm === "behavior_targeted" && options.until === "saturation";
    // With every situation seen often enough, what is left to see is what was seen once.
    if (wantsCopies && this.state.rows > 0 && this.state.lacking().length === 0) return Math.floor(slots / 2);
    // The only place of a round stays with the grid.
    return slots > 1 ? 1 : 0;
  }

  private familyOf({ prompt, assignment }: PlannedTask): string {
    return promptFamily(prompt, assignment?.tool ?? "open", this.options.setup.tools);
  }

  /** Marks a round on its tasks, so that one that was written down in part is known for it. */
  private numbered(tasks: readonly PlannedTask[]): readonly PlannedTask[] {
    const round = { n: this.state.rounds, size: tasks.length, restarts: this.restarts };
    const named = (task: PlannedTask) => (task.assignment === null ? this.ids.idOf(task.prompt) : task.scenarioId);
    return this.take(tasks.map((task) => ({ ...task, scenarioId: named(task), round })));
  }

  /** Takes a round into what was asked so far. */
  private take(tasks: readonly PlannedTask[]): readonly PlannedTask[] {
    for (const task of tasks) {
      const { prompt, scenarioId, assignment, faults, round, arm, selectionReason } = task;
      this.tasks.push(task);
      this.prompts.add(prompt);
      this.space.add(prompt);
      this.restarts = round?.restarts ?? this.restarts;
      this.situations.add(scenarioId);
      const family = this.familyOf(task);
      this.families.set(family, (this.families.get(family) ?? 0) + 1);
      if (assignment === null) this.ids.idOf(prompt);
      else {
        this.used.set(scenarioId, assignment);
        this.nCells++;
        if (faults !== null) this.nFaulty++;
      }
      if (arm === "open_ended" && selectionReason !== "seed") this.nProbes++;
    }
    return tasks;
  }

  /** The same trouble in every round is told once. */
  private warnOnce(warning: string): void {
    const known = [...this.warnings].some((one) => one.replace(/\d+/g, "") === warning.replace(/\d+/g, ""));
    if (!known) this.warnings.add(warning);
  }
}

/** Tasks by round; a last round that was not written down in full is left out: none of it was ever run. */
export function roundsOf(tasks: readonly PlannedTask[]): PlannedTask[][] {
  const rounds: PlannedTask[][] = [];
  for (const task of tasks) {
    const n = task.round?.n ?? 0;
    const last = rounds.at(-1);
    if (last !== undefined && (last[0]!.round?.n ?? 0) === n) last.push(task);
    else rounds.push([task]);
  }
  const last = rounds.at(-1);
  if (last !== undefined && last.length < (last[0]!.round?.size ?? 0)) rounds.pop();
  return rounds;
}

/** A prompt without a cell. Its id is the short one; a collision is settled when the task is taken. */
function probeTask(prompt: string, arm: Arm, selectionReason: string): PlannedTask {
  return {
    ...{ prompt, scenarioId: probeId(prompt), assignment: null, arm, faults: null, worldState: null },
    ...{ tags: {}, writerModel: templateWriter.name, selectionReason },
  };
}

function pairsOf(shape: string): string[] {
  const tools = shape.split(" > ");
  return tools.slice(1).map((tool, at) => `${tools[at]} > ${tool}`);
}

function atLeastOne(wanted: number, most: number): number {
  return Math.min(most > 1 ? most - 1 : 0, Math.max(1, Math.round(wanted)));
}
