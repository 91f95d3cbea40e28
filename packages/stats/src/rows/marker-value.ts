import { compareCodePoints, isObject, type Row } from "@while/schema";
import { readNumber } from "./read-number.ts";

/** A number beyond this measured nothing: a sentinel, or bytes read as a double. Its fourth power is still a number. */
const MAX_MARKER = 1e70;

/**
 * The value of one marker: a number, text that reads as one, or a boolean as 1 or 0 (a boolean reward is none). null
 * when the row has no such marker or it is no finite number up to 1e70; the Python SDK lets a NaN through and the mean is NaN.
 */
export function markerValue(row: Row, name: string): number | null {
  const value = rawMarker(row, name);
  const number = typeof value === "boolean" ? Number(value) : readNumber(value);
  return number !== null && Math.abs(number) <= MAX_MARKER ? number : null;
}

/** The marker holds NaN, an infinity or a number beyond 1e70: it was measured, and there is no number to use. */
export function isNonFiniteMarker(row: Row, name: string): boolean {
  const value = rawMarker(row, name);
  return typeof value === "number" && !(Math.abs(value) <= MAX_MARKER);
}

function rawMarker({ markers }: Row, name: string): unknown {
  return isObject(markers) && Object.hasOwn(markers, name) ? markers[name] : null;
}

/** Every marker name that some row carries, in code-point order; not the empty one, which no metric can ask for. */
export function markerNames(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    if (isObject(row) && isObject(row.markers)) for (const name of Object.keys(row.markers)) names.add(name);
  }
  names.delete("");
  return [...names].sort(compareCodePoints);
}
