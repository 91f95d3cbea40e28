import { cutCodePoints } from "./code-points.ts";

const MAX_KEYS = 6;

/** Longer ones are told apart by their beginning. */
const MAX_NAME_CHARS = 80;

/** A value as a sentence shows it: texts and numbers themselves, cut short, and of lists and objects what they are. */
export function shownValue(value: unknown): string {
  if (typeof value === "string") {
    return `the text ${JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)}`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === undefined) return "missing";
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** A name or an id of a file as a sentence shows it: in quotes, and cut short, since it may be anything. */
export function shownName(name: string): string {
  const short = cutCodePoints(name, MAX_NAME_CHARS);
  return JSON.stringify(short === name ? name : `${short}…`);
}

/** What a record has, for the sentence that says it is not what it should be. */
export function shownKeys(record: object): string {
  const keys = Object.keys(record);
  const shown = keys.slice(0, MAX_KEYS).map(shownName);
  if (keys.length > MAX_KEYS) shown.push(`${keys.length - MAX_KEYS} more`);
  return shown.join(", ") || "none";
}
