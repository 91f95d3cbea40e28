import { compareCodePoints } from "@while/schema";
import type { Behavior } from "../contract/behaviors.ts";
import type { Delta } from "../contract/dashboard.ts";
import { difference, type Rules } from "./difference.ts";
import { newestScores, type ScoredRun } from "./newest-scores.ts";

/** Per behavior with both scores, candidate minus served: what the run claims to move first, then the deepest drop. */
export function deltasOf(
  behaviors: readonly Pick<Behavior, "name">[],
  runs: readonly ScoredRun[],
  { candidate, serving, rules = "strict" }: { candidate: string | null; serving: string | null; rules?: Rules },
): Delta[] {
  const targets = new Set(runs.find(({ version, archived }) => version === candidate && archived !== true)?.targets);
  const deltas = behaviors.flatMap(({ name }): Delta[] => {
    const scores = newestScores(runs, name);
    const [ours, theirs] = [scores.find(({ v }) => v === candidate), scores.find(({ v }) => v === serving)];
    if (ours === undefined || theirs === undefined) return [];
    const { delta, halfWidth } = difference(ours, theirs, rules);
    return [{ name, candidate: ours.score, serving: theirs.score, delta, halfWidth, target: targets.has(name) }];
  });
  return deltas.sort(
    (a, b) => Number(b.target) - Number(a.target) || a.delta! - b.delta! || compareCodePoints(a.name, b.name),
  );
}
