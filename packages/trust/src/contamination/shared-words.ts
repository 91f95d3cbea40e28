/** Words shown around and inside of what is shared. */
const CONTEXT_WORDS = 6;
const SHOWN_WORDS = 60;

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
export function markShared(words: readonly string[], covered: Uint8Array): string {
  const parts: string[] = [];
  let shown = 0;
  let before = 0;
  for (const [from, to] of spans(covered)) {
    if (shown > SHOWN_WORDS) {
      parts.push("…");
      return parts.join(" ");
    }
    const isFirst = before === 0;
    const gap = words.slice(before, from);
    if (gap.length > (isFirst ? 1 : 2) * CONTEXT_WORDS) {
      if (!isFirst) parts.push(...gap.slice(0, CONTEXT_WORDS));
      parts.push("…", ...gap.slice(-CONTEXT_WORDS));
    } else parts.push(...gap);
    parts.push(`[${shortened(words.slice(from, to))}]`);
    shown += to - from;
    before = to;
  }
  const rest = words.slice(before);
  parts.push(...rest.slice(0, CONTEXT_WORDS));
  if (rest.length > CONTEXT_WORDS) parts.push("…");
  return parts.join(" ");
}

function shortened(words: readonly string[]): string {
  if (words.length <= SHOWN_WORDS) return words.join(" ");
  return [...words.slice(0, SHOWN_WORDS / 2), "…", ...words.slice(-SHOWN_WORDS / 2)].join(" ");
}

function* spans(covered: Uint8Array): Generator<[from: number, to: number]> {
  for (let from = covered.indexOf(1); from >= 0; ) {
    const end = covered.indexOf(0, from);
    const to = end < 0 ? covered.length : end;
    yield [from, to];
    from = covered.indexOf(1, to);
  }
}
