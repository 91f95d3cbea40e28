import { sha1Hex } from "@while/schema";

/** Where a task falls between 0 and 1: the first 8 hex digits of the SHA-1 of its scenario, or else its prompt. */
export function taskShare(key: string): number {
  return Number.parseInt(sha1Hex(key).slice(0, 8), 16) / 0xffffffff;
}

/** What has its place in a split. */
export interface Placed {
  /** Scenario or prompt: all phrasings of a scenario fall on one side. */
  key: string;
  passRate: number | null;
}

/**
 * The held-out keys by their share of the hash: `hash` holds out a key when its own number is below the fraction, so
 * that a key never moves but the share is a matter of luck; `stratified` holds out the fraction of each third of the
 * pass rates (unmeasured ones apart), those with the smallest numbers.
 */
export function heldOutKeys(placed: readonly Placed[], fraction: number, split: "hash" | "stratified"): Set<string> {
  if (split === "hash") return new Set(placed.flatMap(({ key }) => (taskShare(key) < fraction ? [key] : [])));
  const held = new Set<string>();
  for (const stratum of strata(placed)) {
    const keys = [...stratum].sort((a, b) => taskShare(a) - taskShare(b));
    for (const key of keys.slice(0, Math.ceil(fraction * keys.length))) held.add(key);
  }
  return held;
}

/** Keys by thirds of the pass rate, the mean over a key's tasks; unmeasured keys are a stratum of their own. */
function strata(placed: readonly Placed[]): Set<string>[] {
  const rates = new Map<string, number[]>();
  for (const { key, passRate } of placed) {
    const known = rates.get(key) ?? [];
    rates.set(key, passRate === null ? known : [...known, passRate]);
  }
  const groups = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [key, known] of rates) {
    const mean = known.reduce((sum, rate) => sum + rate / known.length, 0);
    groups[known.length === 0 ? 3 : Math.min(2, Math.floor(mean * 3))]!.add(key);
  }
  return groups;
}
