import type { Shingles } from "./token-scanner.ts";

/** Words shown around and inside of what is shared, and what a word counts where characters are shown. */
const CONTEXT_WORDS = 6;
const SHOWN_WORDS = 60;
const CHARS_A_WORD = 5;

/** Words, or characters, one behind the other. */
export function joinedTokens(tokens: readonly string[], shingles: Shingles): string {
  return tokens.join(shingles === "words" ? " " : "");
}

/** The longest stretch of ones, as the positions where it begins and where it has ended. */
export function longestSpan(covered: Uint8Array): [from: number, to: number] {
  let best: [number, number] = [0, 0];
  for (const [from, to] of spans(covered)) if (to - from > best[1] - best[0]) best = [from, to];
  return best;
}

/**
 * The words of a text with those in brackets that are covered: `we ask: [a farmer has twelve cows] and a dog`. Words
 * far from every bracket are left out, and the middle of a long bracket too.
 */
export function markShared(words: readonly string[], covered: Uint8Array, shingles: Shingles = "words"): string {
  const aWord = shingles === "words" ? 1 : CHARS_A_WORD;
  const [context, most] = [CONTEXT_WORDS * aWord, SHOWN_WORDS * aWord];
  const parts: string[] = [];
  let shown = 0;
  let before = 0;
  for (const [from, to] of spans(covered)) {
    if (shown > most) {
      parts.push("…");
      return joinedTokens(parts, shingles);
    }
    const isFirst = before === 0;
    const gap = words.slice(before, from);
    if (gap.length > (isFirst ? 1 : 2) * context) {
      if (!isFirst) parts.push(...gap.slice(0, context));
      parts.push("…", ...gap.slice(-context));
    } else parts.push(...gap);
    parts.push(`[${shortened(words.slice(from, to), shingles, most)}]`);
    shown += to - from;
    before = to;
  }
  const rest = words.slice(before);
  parts.push(...rest.slice(0, context));
  if (rest.length > context) parts.push("…");
  return joinedTokens(parts, shingles);
}

function shortened(words: readonly string[], shingles: Shingles, most: number): string {
  if (words.length <= most) return joinedTokens(words, shingles);
  return joinedTokens([...words.slice(0, most / 2), "…", ...words.slice(-most / 2)], shingles);
}

function* spans(covered: Uint8Array): Generator<[from: number, to: number]> {
  for (let from = covered.indexOf(1); from >= 0; ) {
    const end = covered.indexOf(0, from);
    const to = end < 0 ? covered.length : end;
    yield [from, to];
    from = covered.indexOf(1, to);
  }
}
