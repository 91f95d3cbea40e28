import { isObject } from "@while/schema";

const FENCE = "```";

/** The one JSON object that a text is as a whole, a code fence around it aside; null for any other text. */
export function wholeObject(text: string): Record<string, unknown> | null {
  const bare = withoutFence(text.trim());
  return bare.startsWith("{") && bare.endsWith("}") ? parsedObject(bare) : null;
}

/** What stands inside of a code fence around the whole of a trimmed text; the text itself where there is none. */
export function withoutFence(text: string): string {
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE)) return text;
  const start = text.indexOf("\n");
  return start < 0 ? text : text.slice(start, -FENCE.length).trim();
}

/** null for text that is no JSON object. */
export function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // Prose is what most of these texts are; that it is no object is the answer.
  }
}
