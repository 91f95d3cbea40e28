/** Longer texts are compared by words, whose number keeps the table small. */
const MAX_CHARACTERS = 4000;

/**
 * Whether two texts are at least this alike: 1 less the edits that turn one into the other, over the length of the
 * longer (Levenshtein 1966). Only paths along the diagonal are followed that can still reach it (Ukkonen 1985), so that
 * texts with little in common cost next to nothing.
 *
 * @param atLeast A similarity from 0 to 1
 */
export function areAlike(one: string, other: string, atLeast: number): boolean {
  const isLong = Math.max(one.length, other.length) > MAX_CHARACTERS;
  const [a, b] = [one, other].map((text) => (isLong ? text.split(/(?<=\s)/) : [...text])) as [string[], string[]];
  const longest = Math.max(a.length, b.length);
  if (longest === 0) return true;
  const allowed = Math.floor((1 - atLeast) * longest + 1e-9);
  return editsWithin(a, b, allowed);
}

function editsWithin(a: readonly string[], b: readonly string[], allowed: number): boolean {
  if (Math.abs(a.length - b.length) > allowed) return false;
  const none = allowed + 1;
  let above = new Int32Array(b.length + 1).fill(none);
  for (let j = 0; j <= Math.min(b.length, allowed); j++) above[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const row = new Int32Array(b.length + 1).fill(none);
    const from = Math.max(0, i - allowed);
    const to = Math.min(b.length, i + allowed);
    let least = none;
    for (let j = from; j <= to; j++) {
      const changed = j === 0 ? none : above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const dropped = above[j]! + 1;
      const added = j === 0 ? none : row[j - 1]! + 1;
      row[j] = j === 0 ? i : Math.min(changed, dropped, added, none);
      if (row[j]! < least) least = row[j]!;
    }
    if (least > allowed) return false;
    above = row;
  }
  return above[b.length]! <= allowed;
}
