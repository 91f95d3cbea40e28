/** How far a judge agrees with people, measured once; posted as it is given. */
export interface JudgeLabels {
  agreement: number;
  /** Labels by people behind it. */
  humanN: number;
}

export interface SweepBehavior {
  testVersion: string;
  n: number;
  gradedBy?: "program" | "judge";
  judge?: JudgeLabels;
  noiseFloor?: number;
}

export interface SweepRunSpec {
  method: "eval";
  targets: readonly string[];
  /** The variant's version. */
  harness: string;
  base?: string;
  record: {
    data: { holdout: string; nHoldout: number };
    eval: { metric: "pass@1"; k: number; runStd?: number; runStdRuns?: number; reader?: string };
    provenance: { pins: Record<string, string> };
  };
}

/** One graded row behind a score, for a person who wants to read what failed. */
export interface SweepExample {
  ok: boolean;
  prompt: string;
  reply: string;
  score: number;
  why?: string;
  tags: Record<string, string>;
}

export interface SweepScore {
  ci: number;
  n: number;
  testVersion: string;
  /** Of the behavior that is swept for. */
  rows?: readonly SweepExample[];
}

/** One run where its scores are kept. */
export interface SweepRun {
  id?: string | null;
  score(behavior: string, score: number, options: SweepScore): unknown;
  finish(status: "evaluated", options: { say: boolean }): unknown;
}

/** Where the runs of a sweep are posted: a tracked agent of the platform's client is one. */
export interface SweepSink {
  behavior(name: string, fields: SweepBehavior): unknown;
  run(version: string, spec: SweepRunSpec): SweepRun | Promise<SweepRun>;
}
