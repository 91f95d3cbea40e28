import { SelectError } from "./select-error.ts";

/** Rows that a selection aims at, in either mode. */
export const DEFAULT_TARGET = 1000;

/** A whole number from `least` up, or the error that names the option. */
export function wholeNumber(name: string, value: unknown, least: number): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  throw new SelectError("bad_option", `${name} is ${String(value)}.`, `Pass a whole number from ${least} up.`);
}

/** A finite number from `low` to `high`, or the error that names the option. */
export function numberIn(name: string, value: unknown, low: number, high: number): number {
  if (typeof value === "number" && value >= low && value <= high) return value;
  throw new SelectError("bad_option", `${name} is ${String(value)}.`, `Pass a number from ${low} to ${high}.`);
}

/** One of some words, or the error that lists them. */
export function oneOf<Word extends string>(name: string, value: unknown, words: readonly Word[]): Word {
  if (words.includes(value as Word)) return value as Word;
  throw new SelectError("bad_option", `${name} is ${String(value)}.`, `It must be one of ${words.join(", ")}.`);
}
