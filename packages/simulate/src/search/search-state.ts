import { roundHalfEven } from "@while/schema";
import type { PlannedTask } from "../engine/task.ts";
import { SUCCESS } from "../grid/dimensions.ts";
import type { CellKnowledge } from "../grid/draw-cells.ts";
import type { Grid } from "../grid/grid.ts";
import { isFault } from "../grid/prefer-success.ts";
import { type Assignment, regionId } from "../grid/region-id.ts";
import { ARMS, type Arm, type ArmWeights, reallocateArms, START_WEIGHTS } from "./arms.ts";
import { AIMS, type Aim, type Observation } from "./observation.ts";
import type { AimCount, CurvePoint, SearchReport } from "./search-report.ts";

/** Rows that a situation and a sequence of tools want before a search may be called saturated. */
const COPIES = 2;
/** A round that finds fewer new things for a row than this is flat; so many flat rounds are a plateau. */
const FRESH = 0.05;
const PLATEAU = 3;
/** Times that a sequence seen once is asked for; what does not come again was chance. */
const SHAPE_TRIES = 2;
/** Failures that are kept to be asked again, the newest. */
const MOST_FAILING = 40;
/** Rows of a value from which its behaviours say something, and behaviours that are many. */
const [GAP_ROWS, GAP_RICH] = [3, 3];
const GAP = { stuck: 1, rich: 0.2, unknown: 0.5 } as const;
/** A cell's gap, from that of its tool and that of its condition. */
const [TOOL_PART, CONDITION_PART] = [0.6, 0.4];
/** Novelty of a cell without rows. */
const SMOOTHING = 0.5;
/** Axes whose values are called in when they starve, from how many rows on, and how loudly. */
const WATCHED = ["tool_condition", "history", "world_state"] as const;
const WATCHED_FROM = 12;
const [NEVER_SEEN, SELDOM_SEEN] = [2.5, 1.5];

interface Seen {
  rows: number;
  signatures: Set<string>;
}

/** A failure that can be asked again. */
export interface Failure {
  task: number;
  rolloutId: string;
  aim: Aim;
}

/**
 * What a search knows, built up round by round from its tasks and what came of them, in the order of the plan. It is a
 * function of these alone: a run that goes on after a kill knows what it knew.
 */
export class SearchState {
  weights: ArmWeights;
  rows = 0;
  rounds = 0;
  plateau = 0;
  readonly shapes: Map<string, number> = new Map();
  readonly failing: Failure[] = [];
  private readonly grid: Grid;
  private readonly isPinned: boolean;
  private readonly signatures = new Set<string>();
  private readonly cells = new Map<string, Seen>();
  /** By axis, then by value. */
  private readonly axes = new Map<string, Map<string, Seen>>();
  private readonly armRows: Record<Arm, number>;
  private readonly aims: Record<Aim, AimCount>;
  private readonly aimOf = new Map<string, Aim>();
  private readonly asked = new Set<string>();
  private readonly criteria = new Map<string, number>();
  private readonly curve: CurvePoint[] = [];
  /** The task in which a sequence of tools was first seen, and the tasks that asked for it again. */
  private readonly shapeTask = new Map<string, number>();
  private readonly shapeTries = new Map<string, number>();
  private nFaulty = 0;

  constructor(grid: Grid, pinned: ArmWeights | null) {
    this.grid = grid;
    this.isPinned = pinned !== null;
    this.weights = pinned ?? START_WEIGHTS;
    this.armRows = Object.fromEntries(ARMS.map((arm) => [arm, 0])) as Record<Arm, number>;
    this.aims = Object.fromEntries(AIMS.map((aim) => [aim, { parents: 0, rows: 0 }])) as Record<Aim, AimCount>;
  }

  /** Takes in what came of a round, in the order of its tasks and rollouts. */
  land(tasks: readonly PlannedTask[], observations: readonly Observation[]): void {
    const found = new Map<Arm, { rows: number; fresh: number }>();
    const before = { rows: this.rows, found: this.signatures.size + this.cells.size, shapes: this.shapes.size };
    for (const observation of observations) {
      const task = tasks[observation.task]!;
      const { signatures, cells } = this;
      const known = signatures.size + cells.size;
      this.landOne(task, observation);
      const arm = task.arm as Arm;
      const sum = found.get(arm) ?? { rows: 0, fresh: 0 };
      sum.rows++;
      sum.fresh += signatures.size + cells.size - known;
      found.set(arm, sum);
    }
    this.rounds++;
    const rows = this.rows - before.rows;
    const fresh = this.signatures.size + this.cells.size - before.found + this.shapes.size - before.shapes;
    const freshRate = rows === 0 ? 0 : roundHalfEven(fresh / rows, 4);
    this.plateau = freshRate < FRESH ? this.plateau + 1 : 0;
    this.curve.push({ rows: this.rows, cells: this.cells.size, shapes: this.shapes.size, freshRate });
    if (this.isPinned) return;
    const yields = [...found].map(([arm, sum]): [Arm, number] => [arm, sum.fresh / sum.rows]);
    this.weights = reallocateArms(this.weights, Object.fromEntries(yields));
  }

  /** Everything there is has been seen often enough, and hardly anything new comes up. */
  get isSaturated(): boolean {
    return this.plateau >= PLATEAU && this.lacking().length === 0 && this.loneShapes().length === 0;
  }

  /** Cells of the grid with too few rows. */
  lacking(): Assignment[] {
    return this.grid.rows.filter((cell) => this.copies(cell) < COPIES);
  }

  /** Rows of a cell, or of its twin without a fault, which stands in for it where few faults are asked for. */
  copies(cell: Assignment): number {
    const own = this.rowsOf(regionId(cell));
    return isFault(cell.tool_condition) ? Math.max(own, this.rowsOf(twinId(cell))) : own;
  }

  /** Rows of a situation. */
  rowsOf(id: string): number {
    return this.cells.get(id)?.rows ?? 0;
  }

  /** Sequences of tools with too few rows that are worth another try, and a task that showed each. */
  loneShapes(): { shape: string; task: number }[] {
    return this.rareShapes().flatMap((shape) =>
      this.isWorthATry(shape) ? { shape, task: this.shapeTask.get(shape)! } : [],
    );
  }

  /** Whether a sequence was not asked for in vain already. */
  isWorthATry(shape: string): boolean {
    return (this.shapeTries.get(shape) ?? 0) < SHAPE_TRIES;
  }

  private rareShapes(): string[] {
    return [...this.shapes].flatMap(([shape, rows]) => (shape !== "" && rows < COPIES ? shape : []));
  }

  /** Failures that were not asked again yet: what a judge failed before what a fault made hard, the newest first. */
  openFailures(): Failure[] {
    const open = this.failing.filter(({ rolloutId }) => !this.asked.has(rolloutId)).reverse();
    const isGraded = ({ aim }: Failure): boolean => aim === "graded_failure";
    return [...open.filter(isGraded), ...open.filter((failure) => !isGraded(failure))];
  }

  /** What the draw of cells weighs with. */
  knowledgeOf(cell: Assignment): CellKnowledge {
    const own = this.cells.get(regionId(cell));
    const rows = own?.rows ?? 0;
    return {
      count: this.copies(cell),
      novelty: ((own?.signatures.size ?? 0) + SMOOTHING) / (rows + 1),
      gap:
        TOOL_PART * this.gapOf("tool", cell.tool) + CONDITION_PART * this.gapOf("tool_condition", cell.tool_condition),
      urgency: WATCHED.reduce((most, axis) => Math.max(most, this.urgencyOf(axis, cell[axis])), 1),
    };
  }

  report(until: SearchReport["until"], restarts: number): SearchReport {
    const copies = this.grid.rows.map((cell) => this.copies(cell));
    const gaps = (["tool", "tool_condition"] as const).flatMap((axis) =>
      (this.grid.dimensions[axis] ?? []).map((value): [string, number] => [
        `${axis}=${value}`,
        this.gapOf(axis, value),
      ]),
    );
    const underexplored = Object.entries(this.grid.dimensions).flatMap(([axis, values]) =>
      values.filter((value) => this.urgencyOf(axis, value) > 1).map((value) => `${axis}=${value}`),
    );
    return {
      until,
      rounds: this.rounds,
      armWeights: this.weights,
      armRows: { ...this.armRows },
      nSignatures: this.signatures.size,
      nShapes: this.shapes.size,
      nCells: this.cells.size,
      cellCounts: new Map([...this.cells].map(([id, { rows }]) => [id, rows])),
      shapeCounts: new Map(this.shapes),
      copiesNeeded: COPIES,
      minCellCopies: copies.length === 0 ? 0 : copies.reduce((least, n) => Math.min(least, n)),
      copyDeficit: copies.reduce((sum, n) => sum + Math.max(0, COPIES - n), 0),
      uncoveredShapes: this.rareShapes(),
      underexplored,
      axisGaps: new Map(gaps),
      plateauBatches: this.plateau,
      restarts,
      mutationAims: this.aims,
      failureCriteria: new Map([...this.criteria].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
      curve: [...this.curve],
    };
  }

  private landOne(
    task: PlannedTask,
    { task: at, rolloutId, signature, shape, aim, failedCriteria }: Observation,
  ): void {
    this.rows++;
    this.armRows[task.arm as Arm]++;
    this.signatures.add(signature);
    this.shapes.set(shape, (this.shapes.get(shape) ?? 0) + 1);
    if (!this.shapeTask.has(shape)) this.shapeTask.set(shape, at);
    // A prompt without a cell is no situation of the grid, and stands for none of its values.
    if (task.assignment !== null) {
      if (isFault(task.assignment.tool_condition)) this.nFaulty++;
      bump(this.cells, task.scenarioId, signature);
      for (const [axis, value] of Object.entries(task.assignment)) {
        const values = this.axes.get(axis) ?? new Map<string, Seen>();
        this.axes.set(axis, values);
        bump(values, value, signature);
      }
    }
    const { parentFailureId: parent, targetShape: target } = task;
    if (target !== undefined) this.shapeTries.set(target, (this.shapeTries.get(target) ?? 0) + 1);
    if (parent !== undefined) {
      const aimed = this.aims[this.aimOf.get(parent) ?? "unattributed"];
      if (!this.asked.has(parent)) aimed.parents++;
      aimed.rows++;
      this.asked.add(parent);
    }
    for (const criterion of failedCriteria) this.criteria.set(criterion, (this.criteria.get(criterion) ?? 0) + 1);
    // Words around words around an ask would lead away from it: one generation is asked again, and no second.
    if (aim === null || parent !== undefined || target !== undefined) return;
    this.aimOf.set(rolloutId, aim);
    this.failing.push({ task: at, rolloutId, aim });
    if (this.failing.length > MOST_FAILING) this.failing.shift();
  }

  private gapOf(axis: string, value: string | undefined): number {
    const seen = this.axes.get(axis)?.get(value ?? "");
    if (seen === undefined || seen.rows < GAP_ROWS) return GAP.unknown;
    if (seen.signatures.size >= GAP_RICH) return GAP.rich;
    return seen.signatures.size === 1 ? GAP.stuck : GAP.unknown;
  }

  /** How much a value is called in: never seen, seldom seen, or as often as it should be. */
  private urgencyOf(axis: string, value: string | undefined): number {
    const values = this.axes.get(axis);
    if (values === undefined || value === undefined) return 1;
    let rows = 0;
    for (const seen of values.values()) rows += seen.rows;
    if (rows < WATCHED_FROM) return 1;
    const own = values.get(value)?.rows ?? 0;
    if (own === 0) return NEVER_SEEN;
    return own < this.fairShare(axis, value, rows) / 2 ? SELDOM_SEEN : 1;
  }

  /** Rows that a value would have if rows were spread as the grid is; faults are held to a share, and spread among them. */
  private fairShare(axis: string, value: string, rows: number): number {
    const isCondition = axis === "tool_condition";
    if (isCondition && !isFault(value)) return 0;
    const among = this.grid.rows.filter((cell) => !isCondition || isFault(cell.tool_condition));
    const having = among.filter((cell) => cell[axis] === value).length;
    return ((isCondition ? this.nFaulty : rows) * having) / Math.max(1, among.length);
  }
}

function bump(counts: Map<string, Seen>, key: string, signature: string): void {
  const seen = counts.get(key) ?? { rows: 0, signatures: new Set() };
  counts.set(key, seen);
  seen.rows++;
  seen.signatures.add(signature);
}

function twinId(cell: Assignment): string {
  return regionId({ ...cell, tool_condition: SUCCESS });
}
