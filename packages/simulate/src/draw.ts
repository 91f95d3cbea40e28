import { sha256Hex } from "@while/schema";

/*
 * Every random choice of this package is a hash of what it is about. There is no stream whose order could matter, so a
 * plan is the same on every machine and in any order of completion. The spellings are those of the Python SDK.
 */

/** A number strictly between 0 and 1, from the first 48 bits of the text's SHA-256. */
export function unitDraw(text: string): number {
  return (Number.parseInt(sha256Hex(text).slice(0, 12), 16) + 1) / (2 ** 48 + 2);
}

/** A whole number from 0 to 2^32 - 1. */
export function wordDraw(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 8), 16);
}

/** `wordDraw` as a number strictly between 0 and 1. */
export function unitOfWord(word: number): number {
  return (word + 1) / (2 ** 32 + 2);
}

/** A whole number from 0 to 2^64 - 1, of a key in a round; `salt` says what is drawn. */
export function roundDraw(seed: number, round: number, key: string, salt: string): bigint {
  return BigInt(`0x${sha256Hex(`${seed}:${round}:${key}:${salt}`).slice(0, 16)}`);
}
