import { nearestName } from "@while/schema";
import { CliError } from "./cli-error.ts";
import type { Flag, ReadFlag } from "./flag.ts";

const refuse = (flag: string, text: string, wanted: string): CliError =>
  new CliError("bad_flag", `${flag} got "${text}".`, `Give ${flag} ${wanted}.`);

/** A finite number. Empty text is not 0. */
function numberOf(text: string): number | null {
  const value = Number(text);
  return text.trim() === "" || !Number.isFinite(value) ? null : value;
}

/** `4`: 1 or more, without a fraction. */
export const wholeNumber: ReadFlag = (text, flag) => {
  const value = numberOf(text);
  if (value === null || !Number.isSafeInteger(value) || value < 1) {
    throw refuse(flag, text, "a whole number of 1 or more");
  }
  return value;
};

/** `0`: 0 or more, without a fraction. */
export const zeroOrMore: ReadFlag = (text, flag) => {
  const value = numberOf(text);
  if (value === null || !Number.isSafeInteger(value) || value < 0) {
    throw refuse(flag, text, "a whole number of 0 or more");
  }
  return value;
};

/** `0.7`: 0 or more, and at most `most`. */
export function zeroOrMoreUpTo(most: number): ReadFlag {
  return (text, flag) => {
    const value = numberOf(text);
    if (value === null || value < 0 || value > most) throw refuse(flag, text, `a number from 0 to ${most}`);
    return value;
  };
}

/** `0.5`: a share between 0 and 1. */
export const share: ReadFlag = (text, flag) => {
  const value = numberOf(text);
  if (value === null || value < 0 || value > 1) throw refuse(flag, text, "a share between 0 and 1");
  return value;
};

/** `4`, `-1.5` */
export const anyNumber: ReadFlag = (text, flag) => {
  const value = numberOf(text);
  if (value === null) throw refuse(flag, text, "a number");
  return value;
};

/** `name=true,other=3`: truth values and numbers are such, anything else is text. */
export const settings: ReadFlag = (text, flag) => {
  const pairs = text.split(",").map((pair): [string, unknown] => {
    const at = pair.indexOf("=");
    const name = pair.slice(0, at).trim();
    if (at < 0 || name === "") throw refuse(flag, text, "settings as name=value, with a comma between two");
    const value = pair.slice(at + 1).trim();
    return [name, value === "true" || value === "false" ? value === "true" : (numberOf(value) ?? value)];
  });
  return Object.fromEntries(pairs);
};

/** `0.5`: more than 0. */
export const positive: ReadFlag = (text, flag) => {
  const value = numberOf(text);
  if (value === null || value <= 0) throw refuse(flag, text, "a number above 0");
  return value;
};

/** `1,10`: two numbers, the lower first. */
export const range: ReadFlag = (text, flag) => {
  const [low, high, ...rest] = text.split(",").map(numberOf);
  if (low == null || high == null || rest.length > 0 || low >= high) {
    throw refuse(flag, text, "two numbers with a comma between them, the lower first: 1,10");
  }
  return [low, high];
};

/** `0.2,0.8`: two shares, the lower first. */
export const band: ReadFlag = (text, flag) => {
  const [low, high, ...rest] = text.split(",").map(numberOf);
  if (low == null || high == null || rest.length > 0 || low < 0 || high > 1 || low > high) {
    throw refuse(flag, text, "two shares with a comma between them, the lower first: 0.2,0.8");
  }
  return [low, high];
};

/** `a,b`: names, blanks around them ignored. */
export const list: ReadFlag = (text) => text.split(",").flatMap((name) => name.trim() || []);

/** One of a few words. */
export function oneOf(words: readonly string[]): ReadFlag {
  return (text, flag) => {
    if (words.includes(text)) return text;
    const near = nearestName(text, words);
    throw refuse(flag, text, `one of ${words.join(", ")}${near === null ? "" : ` (nearest: ${near})`}`);
  };
}

/** A flag that takes one of a few words. */
export function choice(spec: string, choices: readonly string[], about: string): Flag {
  return { spec, about, choices, read: oneOf(choices) };
}
