/** A feature over the scanned rows: the places where it is neither 0 nor missing, ascending, and its values there. */
export interface Column {
  name: string;
  /** Other names of the same column. */
  aliases: string[];
  at: Int32Array;
  /** null when every one of them is 1. */
  values: Float64Array | null;
  /** Rows that have it, of all that were scanned; fewer than places where missing values were filled in. */
  nObs: number;
  tier: "hand" | "auto" | "pair";
}

/** The column with its places moved; `to[i]` is where place i goes, and -1 leaves it out. */
export function moved(column: Column, to: Int32Array): Column {
  const { at, values } = column;
  const n = at.length;
  // One number a place, the new place before the old, because an array of numbers sorts without a function.
  const keys = new Float64Array(n);
  let kept = 0;
  let ascending = true;
  for (let i = 0; i < n; i++) {
    const place = to[at[i]!]!;
    if (place < 0) continue;
    keys[kept] = place * n + i;
    if (kept > 0 && keys[kept]! < keys[kept - 1]!) ascending = false;
    kept++;
  }
  const sorted = keys.subarray(0, kept);
  if (!ascending) sorted.sort();
  const movedAt = new Int32Array(kept);
  const movedValues = values === null ? null : new Float64Array(kept);
  for (let i = 0; i < kept; i++) {
    const key = sorted[i]!;
    movedAt[i] = Math.floor(key / n);
    if (movedValues !== null) movedValues[i] = values![key % n]!;
  }
  return { ...column, at: movedAt, values: movedValues };
}

/** The places that two columns of ones share. */
export function both(one: Column, other: Column): Column {
  const inOther = new Set(other.at);
  const at = one.at.filter((place) => inOther.has(place));
  return { name: `${one.name} AND ${other.name}`, aliases: [], at, values: null, nObs: at.length, tier: "pair" };
}

/** One column of each set that is the same to the last entry, the first in order; the others become its aliases. */
export function withoutCopies(columns: readonly Column[]): Column[] {
  const kept: Column[] = [];
  const byHash = new Map<string, Column[]>();
  for (const column of columns) {
    const key = `${column.at.length}:${hashOf(column)}`;
    const alike = byHash.get(key) ?? [];
    const first = alike.find((other) => isSame(column, other));
    if (first !== undefined) {
      first.aliases.push(column.name);
      continue;
    }
    const own = { ...column, aliases: [...column.aliases] };
    kept.push(own);
    byHash.set(key, [...alike, own]);
  }
  return kept;
}

function hashOf({ at, values }: Column): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < at.length; i++) {
    hash = Math.imul(hash ^ at[i]!, 0x01000193);
    if (values !== null) hash = Math.imul(hash ^ Math.trunc(values[i]! * 1024), 0x01000193);
  }
  return hash >>> 0;
}

function isSame(a: Column, b: Column): boolean {
  if (a.at.length !== b.at.length || (a.values === null) !== (b.values === null)) return false;
  for (let i = 0; i < a.at.length; i++) {
    if (a.at[i] !== b.at[i] || (a.values !== null && a.values[i] !== b.values![i])) return false;
  }
  return true;
}
