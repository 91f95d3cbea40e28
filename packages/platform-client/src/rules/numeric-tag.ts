const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number that a tag's value is; null for words, dates, versions and what is too large. Tags are texts on the wire. */
export function numericTag(value: string): number | null {
  const text = value.trim();
  if (!NUMBER.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
