import type { RunRow, SeedPool, StoredScore, VersionScore } from "@while/platform-client/contract";
import {
  type Difference,
  difference,
  halfInterval,
  type Missing,
  missingOf,
  sameTest,
} from "@while/platform-client/rules";

/** A run as its row in the table shows it. */
export interface RunView {
  run: RunRow;
  /** Newest score on the picked behavior. */
  score: StoredScore | null;
  half: number | null;
  /** What several seeds of its version say together on that behavior. */
  pooled: SeedPool | null;
  /** Against the served version's newest score; null for itself, without a score, and on another test. */
  toServed: Difference | null;
  otherTest: boolean;
  /** Whose score it is read against. */
  isServed: boolean;
  missing: Missing;
  seed: number | null;
  harnessHash: string | null;
  model: string | null;
}

export interface RunViewOptions {
  behavior: string | null;
  served: VersionScore | null;
  /** By version. */
  pools?: ReadonlyMap<string, SeedPool>;
}

export function runView(run: RunRow, { behavior, served, pools }: RunViewOptions): RunView {
  const score = newestScore(run, behavior);
  const asVersion = score === null ? null : { ...score, v: run.version };
  const isServed = served !== null && run.id === served.run;
  const comparable = asVersion !== null && served !== null && !isServed;
  const otherTest = comparable && !sameTest(asVersion, served);
  const { record } = run;
  return {
    run,
    score,
    half: asVersion === null ? null : halfInterval(asVersion),
    pooled: score === null || record?.optimizer?.seed == null ? null : (pools?.get(run.version) ?? null),
    toServed: comparable && !otherTest ? difference(asVersion, served) : null,
    otherTest,
    isServed,
    missing: missingOf(run),
    seed: record?.optimizer?.seed ?? null,
    harnessHash: record?.provenance?.pins?.harness ?? null,
    model: record?.provenance?.pins?.model ?? run.base ?? null,
  };
}

/** Of the scores of a run on a behavior the one that was made last. */
export function newestScore({ evals }: Pick<RunRow, "evals">, behavior: string | null): StoredScore | null {
  const scores = evals.filter((score) => score.behavior === behavior);
  return scores.reduce<StoredScore | null>(
    (newest, score) => (newest === null || score.createdAt > newest.createdAt ? score : newest),
    null,
  );
}

/** The change is a claim where it clears its interval and the band. */
export function isBeyond({ toServed }: Pick<RunView, "toServed">, floor: number | null): boolean {
  return toServed?.excludesZero === true && Math.abs(toServed.delta) > (floor ?? 0);
}
