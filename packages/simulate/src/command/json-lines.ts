import { isObject } from "@while/schema";

/** The objects of a stream of JSON lines; other lines (a note, a torn end) are none. */
export function jsonLines(text: string): Record<string, unknown>[] {
  return text.split("\n").flatMap((line) => {
    if (!line.trimStart().startsWith("{")) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? [value] : [];
    } catch {
      return []; // A program that was ended in the middle of a line.
    }
  });
}
