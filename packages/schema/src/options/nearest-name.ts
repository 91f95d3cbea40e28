/**
 * The known name that a mistyped one most likely meant, or null when none is near. Case, `-` and `_` do not count,
 * so `min_k` finds `minK`; beyond that at most a third of the letters may differ, and one must
 * agree. Among equally near names the first wins.
 */
export function nearestName(word: string, known: readonly string[]): string | null {
  const wanted = letters(word);
  let nearest: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const candidate = letters(name);
    const distance = editDistance(wanted, candidate);
    const length = Math.max(wanted.length, candidate.length);
    const allowed = Math.max(1, Math.floor(length / 3));
    if (distance <= allowed && distance < length && distance < least) {
      nearest = name;
      least = distance;
    }
  }
  return nearest;
}

function letters(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let distance = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforeLast[j - 2]! + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
