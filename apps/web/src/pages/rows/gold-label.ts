/** What a tag or a field says of a row, and whether that is a pass. */
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["1", "true", "pass", "passed", "ok", "yes"].map((word) => [word, true] as const),
  ...["0", "false", "fail", "failed", "no"].map((word) => [word, false] as const),
]);

/** The label that a word stands for; null for a word that is none. */
export function goldLabel(word: string): boolean | null {
  return WORDS.get(word.trim().toLowerCase()) ?? null;
}
