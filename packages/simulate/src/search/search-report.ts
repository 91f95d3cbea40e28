import type { Arm, ArmWeights } from "./arms.ts";
import type { Aim } from "./observation.ts";

/** Failures that were asked again, and the rows that came of it. */
export interface AimCount {
  parents: number;
  rows: number;
}

/** Where a search stood after a round. */
export interface CurvePoint {
  rows: number;
  /** Situations that some row stands for. */
  cells: number;
  /** Sequences of tools that some row shows. */
  shapes: number;
  /** New behaviours, situations and sequences for a row of the round. */
  freshRate: number;
}

/** How a search went. */
export interface SearchReport {
  until: "budget" | "saturation";
  rounds: number;
  /** The shares that the next round would have had. */
  armWeights: ArmWeights;
  armRows: Readonly<Record<Arm, number>>;
  nSignatures: number;
  nShapes: number;
  nCells: number;
  /** Rows by situation, and by sequence of tools. */
  cellCounts: ReadonlyMap<string, number>;
  shapeCounts: ReadonlyMap<string, number>;
  /** Rows that a situation and a sequence want. */
  copiesNeeded: number;
  /** The fewest rows that a situation of the grid has, itself or as its twin without a fault. */
  minCellCopies: number;
  /** Rows that the situations of the grid lack. */
  copyDeficit: number;
  /** Sequences with fewer rows than they want. */
  uncoveredShapes: string[];
  /** Values of the grid's axes that no row has, or under half of their fair share. */
  underexplored: string[];
  /** By tool and by tool condition: 1 where the agent always does the same, 0.2 where it does many things, 0.5 between. */
  axisGaps: ReadonlyMap<string, number>;
  /** Rounds in a row that found hardly anything new. */
  plateauBatches: number;
  /** Times that the writer was set on another draw because its words repeated themselves. */
  restarts: number;
  mutationAims: Readonly<Record<Aim, AimCount>>;
  failureCriteria: ReadonlyMap<string, number>;
  curve: readonly CurvePoint[];
}
