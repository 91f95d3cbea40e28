import { type Asks, asksOf } from "./asks.ts";
import { centredFeature, withinRho } from "./centred-feature.ts";
import { type Column, moved } from "./column.ts";
import { isAboveFloor, permutationFloor } from "./permutation-floor.ts";
import type { PaidFeature } from "./scan-report.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

/** Distinct values of an endorsed column up to which each is a level of its own; above it, thirds. */
const MAX_LEVELS = 4;
const NAMED = 5;

/**
 * What the reward pays for among rollouts that are alike in what is endorsed: the rewards are shuffled inside cells of
 * ask and endorsed level, so that the endorsed behaviour explains nothing there. The test of a judge that passes the
 * behaviour or a shortcut, where the behaviour stays on top of the plain ranking. Exact for endorsed columns of 0 and 1.
 */
export function paysAlso(
  columns: readonly Column[],
  endorsed: readonly Column[],
  asks: Asks,
  { nPerm, alpha, seed }: { nPerm: number; alpha: number; seed: number },
): PaidFeature[] {
  const levels = endorsed.map((column) => levelsOf(column, asks.n));
  const level = Array.from({ length: asks.n }, (_, i) => levels.map((of) => of[i]).join(","));
  const order = Int32Array.from({ length: asks.n }, (_, i) => i).sort(
    (a, b) => asks.groupOf[a]! - asks.groupOf[b]! || (level[a]! < level[b]! ? -1 : Number(level[a]! > level[b]!)),
  );
  const to = new Int32Array(asks.n);
  const sizes: number[] = [];
  for (const [place, row] of order.entries()) {
    to[row] = place;
    const before = order[place - 1];
    const same = before !== undefined && asks.groupOf[before] === asks.groupOf[row] && level[before] === level[row];
    if (same) sizes[sizes.length - 1]!++;
    else sizes.push(1);
  }
  const cells = asksOf(
    Float64Array.from(order, (row) => asks.reward[row]!),
    sizes,
  );
  if (cells.ss <= 0) return [];
  const features = columns.map((column) => centredFeature(moved(column, to), cells)).filter(({ ss }) => ss > 1e-9);
  const rewards = rewardsOf(cells);
  const rhos = features.map((feature) => withinRho(feature, rewards, cells.ss));
  const top = rhos.reduce((most, rho) => Math.max(most, Math.abs(rho)), 0);
  const floor = permutationFloor(features, rhos, cells, { nPerm, alpha, seed, search: null, valid: true }, top);
  return features
    .map(({ column }, i) => ({
      name: column.name,
      rho: rhos[i]!,
      share: (rhos[i]! ** 2 * cells.ss) / asks.ss,
    }))
    .filter(({ rho }) => isAboveFloor(floor, rho))
    .sort((a, b) => Math.abs(b.rho) - Math.abs(a.rho))
    .slice(0, NAMED);
}

function levelsOf({ at, values }: Column, n: number): Float64Array {
  const level = new Float64Array(n);
  for (const [i, place] of at.entries()) level[place] = values === null ? 1 : values[i]!;
  const distinct = [...new Set(level)].sort((a, b) => a - b);
  if (distinct.length <= MAX_LEVELS) return level;
  const sorted = Float64Array.from(level).sort();
  const [low, high] = [sorted[Math.floor(n / 3)]!, sorted[Math.floor((2 * n) / 3)]!];
  return level.map((value) => (value < low ? 0 : value < high ? 1 : 2));
}
