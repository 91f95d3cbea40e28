/** Tags that a figure's text may carry: they change how it looks and nothing else. */
const KEPT = new Set(["b", "i", "br", "sub", "sup"]);

/**
 * A text of a posted figure without markup but for b, i, br, sub and sup, and those without attributes: the plotting
 * library would make links and styles of the rest.
 */
export function plotlyText(text: string): string {
  return text.replace(/<(\/?)([a-zA-Z][a-zA-Z0-9]*)(?:[^>]*)>/g, (_, slash: string, name: string) => {
    const tag = name.toLowerCase();
    return KEPT.has(tag) ? `<${slash}${tag}>` : "";
  });
}

/** Every text in a posted value, however deep, cleaned. Keys that would reach a prototype are left out. */
export function plotlyTexts<Value>(value: Value): Value {
  if (typeof value === "string") return plotlyText(value) as Value;
  if (Array.isArray(value)) return value.map(plotlyTexts) as Value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => key !== "__proto__" && key !== "constructor");
  return Object.fromEntries(entries.map(([key, inner]) => [key, plotlyTexts(inner)])) as Value;
}
