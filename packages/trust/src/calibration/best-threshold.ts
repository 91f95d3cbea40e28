/**
 * The score from which on calling a row a pass agrees most often with what came of it; of several the one nearest to the
 * middle of those scores. Halfway between two scores that were seen, so that neither stands on the edge.
 *
 * @param scores One or more
 */
export function bestThreshold(scores: readonly number[], came: readonly (0 | 1)[]): number {
  const counts = new Map<number, [failed: number, passed: number]>();
  for (const [i, score] of scores.entries()) {
    const own = counts.get(score) ?? [0, 0];
    own[came[i]!]++;
    counts.set(score, own);
  }
  const levels = [...counts].sort(([a], [b]) => a - b);
  const middle = (levels[0]![0] + levels.at(-1)![0]) / 2;
  // From the lowest score on all rows pass; each step fails one more score.
  let right = came.filter((outcome) => outcome === 1).length;
  let best = { at: levels[0]![0], right };
  for (const [place, [score, [failed, passed]]] of levels.entries()) {
    right += failed - passed;
    const next = levels[place + 1]?.[0];
    if (next === undefined) break;
    const at = (score + next) / 2;
    if (right > best.right || (right === best.right && Math.abs(at - middle) < Math.abs(best.at - middle))) {
      best = { at, right };
    }
  }
  return best.at;
}
