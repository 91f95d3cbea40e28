import { sha256Hex } from "@while/schema";

/** How often each harness is drawn, in the order in which they are walked; weights need not sum to 1. */
export type HarnessMix = readonly (readonly [label: string, weight: number])[];

/** 2^64, of which the first eight bytes of a hash are a share. */
const RANGE = 2n ** 64n;
/** Digits of the share that a double holds. */
const PRECISION = 2n ** 53n;

/**
 * Which harness a task is played in: the same for all rollouts of its group, so that they can be compared, and for every
 * process that asks. The Python side of an exported environment draws the same.
 *
 * @returns A label of the mix; null for an empty one
 */
export function harnessFor(key: string, mix: HarnessMix, { seed = 0 }: { seed?: number } = {}): string | null {
  const total = mix.reduce((sum, [, weight]) => sum + weight, 0);
  const share = shareOf(key, seed);
  let reached = 0;
  for (const [label, weight] of mix) {
    reached += weight / total;
    if (share < reached) return label;
  }
  return mix.at(-1)?.[0] ?? null;
}

/** Where a key falls between 0 and 1. */
export function shareOf(key: string, seed: number): number {
  const first = BigInt(`0x${sha256Hex(`${seed}:${key}`).slice(0, 16)}`);
  return Number((first * PRECISION) / RANGE) / Number(PRECISION);
}
