/** A value as a sentence shows it: texts and numbers themselves, cut short, and of lists and objects what they are. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") {
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === undefined) return "missing";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
