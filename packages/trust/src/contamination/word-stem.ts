/**
 * A word without its commonest English endings: `consumes`, `consumed` and `consuming` are one. Shorter than a real
 * stemmer (Porter 1980) and made for comparing alone: what it returns is often no word.
 */
export function wordStem(word: string): string {
  let stem = word;
  if (stem.length > 4) stem = stem.replace(/(?:ies|ied)$/, "y").replace(/sses$/, "ss");
  if (stem.length > 4) stem = stem.replace(/(?:ingly|edly|ation|ment|ing|ers|ed|ly|es|er|s)$/, "");
  if (stem.length > 3) stem = stem.replace(/e$/, "").replace(/([bdgmnprt])\1$/, "$1");
  return stem;
}
