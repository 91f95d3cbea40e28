import { compareCodePoints } from "@while/schema";

const TOKEN = /[a-z_]{2,}|[0-9]+|[^a-z\s]/gu;

/**
 * Tokens of a text, lower-cased: runs of two or more letters a to z or `_`, runs of digits, and every other sign that
 * is no blank by itself. Single letters a to z are none.
 */
export function scanTokens(text: string): string[] {
  return text.toLowerCase().match(TOKEN) ?? [];
}

/** The distinct tokens of a text and its distinct neighbours, joined by a blank. */
export function termsOf(text: string): Set<string> {
  const tokens = scanTokens(text);
  const terms = new Set(tokens);
  for (let i = 1; i < tokens.length; i++) terms.add(`${tokens[i - 1]} ${tokens[i]}`);
  return terms;
}

/**
 * The terms that tell texts apart: those of at least `minObs` texts, and missing from at least `minMissing`; the
 * commonest `topK`, ties by term.
 */
export function autoTerms(
  texts: readonly string[],
  { topK, minObs, minMissing = 1 }: { topK: number; minObs: number; minMissing?: number },
): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= minObs && texts.length - count >= minMissing)
    .sort(([a, x], [b, y]) => y - x || compareCodePoints(a, b))
    .slice(0, topK)
    .map(([term]) => term);
}
