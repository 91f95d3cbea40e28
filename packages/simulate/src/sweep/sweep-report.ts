import type { HarnessAttribution } from "../attribute/attribute-harness.ts";
import type { JudgeLabels } from "./sweep-sink.ts";

/** A score in points, 0 to 100. */
export interface SweepScored {
  score: number;
  /** Half of the 95% interval; 0 where there is none. */
  ci: number;
  /** Tasks behind it. */
  n: number;
}

export interface SweptVariant {
  label: string;
  model: string | null;
  hash: string;
  /** Of its run, where it was posted. */
  run: string | null;
  gradedRows: number;
  /** The behavior swept for, and each marker with enough tasks. */
  scores: ReadonlyMap<string, SweepScored>;
}

/** Several setups of an agent on one set of asks. */
export interface SweepReport {
  behavior: string;
  testVersion: string;
  nAsks: number;
  k: number;
  /** What two scorings of one setup can differ by, in points; null where it was not measured. */
  noiseFloor: number | null;
  /** As a rate. */
  runStd: number | null;
  noiseRuns: number;
  judge: JudgeLabels | null;
  /** The variant that clears all others; null when none does. */
  best: string | null;
  /** Where the variants are every harness (label up to its `@`) with every model; null otherwise. */
  attribution: HarnessAttribution | null;
  /** Best first. */
  variants: SweptVariant[];
  warnings: string[];
}

/** Whether a score is above another one: over the same asks, by more than both intervals and more than the floor. */
export function sweepClears(a: SweepScored, b: SweepScored, noiseFloor: number | null): boolean {
  if (a.n !== b.n) return false;
  const delta = a.score - b.score;
  return delta > Math.hypot(a.ci, b.ci) && delta > (noiseFloor ?? 0);
}
