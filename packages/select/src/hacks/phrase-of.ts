const TERM = "contains:";
/** Past the end of a sentence another one follows in every row, and it is none of this. */
const END = /^[.!?]$/;

/**
 * The words that a feature stands for, put together from its names: pairs of neighbours that are one column are pieces of
 * one phrase. The longest, without signs at its ends; null under three words, which a name says by itself.
 */
export function phraseOf(names: readonly string[]): string | null {
  const pairs = names
    .filter((name) => name.startsWith(TERM))
    .map((name) => name.slice(TERM.length).split(" "))
    .filter((words): words is [string, string] => words.length === 2 && !words.some((word) => END.test(word)));
  let longest: string[] = [];
  for (const start of pairs) {
    const left = new Set(pairs);
    const words = [...start];
    for (let pair: [string, string] | undefined = start; pair !== undefined; ) {
      left.delete(pair);
      const end: string = words.at(-1)!;
      pair = [...left].find(([first]) => first === end);
      if (pair !== undefined) words.push(pair[1]);
    }
    if (words.length > longest.length) longest = words;
  }
  const isSign = (word: string | undefined): boolean => /^[\p{P}\p{S}]$/u.test(word ?? "");
  while (isSign(longest[0])) longest.shift();
  while (isSign(longest.at(-1))) longest.pop();
  return longest.length < 3 ? null : longest.join(" ");
}
