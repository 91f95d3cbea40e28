/** Words of a rubric that say nothing of what it asks for. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "about after again against before being below between could every might other should since their there these those through under until where which while would reply response answer assistant".split(
    " ",
  ),
);
const MOST_WORDS = 8;
const MIN_LETTERS = 5;
/** Scripts that write words without blanks: a run of their letters is a sentence, so that pairs of letters stand for words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]/u;

/**
 * The words that a keyword stuffer would take from a rubric: the most frequent, then by alphabet, eight at most. Letters
 * of every script; the Python SDK knows those of ASCII, so that a rubric in another language has no words there.
 */
export function rubricWords(rubric: string): string[] {
  const counts = new Map<string, number>();
  const count = (word: string) => counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [run] of rubric.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu)) {
    const letters = [...run];
    if (UNSPACED.test(run)) for (let i = 0; i + 1 < letters.length; i++) count(letters.slice(i, i + 2).join(""));
    else if (letters.length >= MIN_LETTERS && !STOP_WORDS.has(run)) count(run);
  }
  return [...counts]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MOST_WORDS)
    .map(([word]) => word);
}
