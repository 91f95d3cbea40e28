import { StatsError } from "../stats-error.ts";
import { sha512 } from "./sha512.ts";

const WORDS = 624;
const MIDDLE = 397;

/**
 * The generator of CPython's `random.Random(seed)`, word for word, so that a resampled interval, a shuffle or a
 * trim is the same in both SDKs. MT19937: Matsumoto and Nishimura 1998.
 *
 * An integer seed is read by absolute value; a string seed is its UTF-8 bytes followed by their SHA-512, as one
 * integer. Statistics only: never a source of secrets.
 *
 * @throws StatsError `bad_seed` for a fraction, a negative zero or an integer above 2^53
 */
export class MersenneTwister {
  private readonly state = new Uint32Array(WORDS);
  private next = WORDS;

  constructor(seed: number | string) {
    seedState(this.state, typeof seed === "string" ? stringKey(seed) : integerKey(seed));
  }

  /** The next 32 random bits. */
  word(): number {
    if (this.next === WORDS) {
      twist(this.state);
      this.next = 0;
    }
    return tempered(this.state[this.next++]!) >>> 0;
  }

  /** A share in [0, 1) with 53 random bits. */
  random(): number {
    const high = this.word() >>> 5;
    const low = this.word() >>> 6;
    return (high * 2 ** 26 + low) / 2 ** 53;
  }

  /**
   * A whole number from 0 to n - 1. Draws as many bits as n has (n, not n - 1: `below(1)` draws until a zero bit)
   * and rejects what is too large, as CPython does.
   *
   * @throws StatsError `bad_count` when n is not a whole number from 1 to 2^53
   */
  below(n: number): number {
    if (!Number.isSafeInteger(n) || n < 1) {
      throw new StatsError("bad_count", `below got ${n}.`, "Pass a whole number from 1 up.");
    }
    if (n < 2 ** 32) {
      const shift = Math.clz32(n);
      let draw: number;
      do draw = this.word() >>> shift;
      while (draw >= n);
      return draw;
    }
    const bits = Math.floor(Math.log2(n)) + 1;
    let draw: number;
    do {
      const low = this.word();
      draw = (this.word() >>> (64 - bits)) * 2 ** 32 + low;
    } while (draw >= n);
    return draw;
  }

  /** The list in random order, as a new list. */
  shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
    }
    return shuffled;
  }
}

/** @throws StatsError `bad_seed` for a fraction, a negative zero or an integer above 2^53 */
export function checkSeed(seed: number): void {
  if (Number.isSafeInteger(seed) && !Object.is(seed, -0)) return;
  const shown = Object.is(seed, -0) ? "-0" : String(seed);
  throw new StatsError("bad_seed", `The seed is ${shown}.`, "Pass a whole number below 2^53, or a string.");
}

/** 32-bit words of |seed|, least significant first; zero is one word. */
function integerKey(seed: number): number[] {
  checkSeed(seed);
  const high = Math.floor(Math.abs(seed) / 2 ** 32);
  const low = Math.abs(seed) >>> 0;
  return high > 0 ? [low, high] : [low];
}

function stringKey(seed: string): number[] {
  const text = new TextEncoder().encode(seed);
  const digest = sha512(text);
  const bytes = new Uint8Array(text.length + digest.length);
  bytes.set(text);
  bytes.set(digest, text.length);
  const words: number[] = [];
  for (let end = bytes.length; end > 0; end -= 4) {
    let word = 0;
    for (let i = Math.max(0, end - 4); i < end; i++) word = word * 256 + bytes[i]!;
    words.push(word);
  }
  while (words.length > 1 && words.at(-1) === 0) words.pop();
  return words;
}

/** `init_by_array` of the reference implementation. */
function seedState(state: Uint32Array, key: readonly number[]): void {
  state[0] = 19650218;
  for (let i = 1; i < WORDS; i++) state[i] = Math.imul(mixed(state, i - 1), 1812433253) + i;
  let i = 1;
  let j = 0;
  for (let left = Math.max(WORDS, key.length); left > 0; left--) {
    state[i] = (state[i]! ^ Math.imul(mixed(state, i - 1), 1664525)) + key[j]! + j;
    i = nextIndex(state, i);
    j = (j + 1) % key.length;
  }
  for (let left = WORDS - 1; left > 0; left--) {
    state[i] = (state[i]! ^ Math.imul(mixed(state, i - 1), 1566083941)) - i;
    i = nextIndex(state, i);
  }
  state[0] = 0x80000000;
}

function mixed(state: Uint32Array, i: number): number {
  return state[i]! ^ (state[i]! >>> 30);
}

function nextIndex(state: Uint32Array, i: number): number {
  if (i < WORDS - 1) return i + 1;
  state[0] = state[WORDS - 1]!;
  return 1;
}

/** Three loops in place of one with two remainders, which took most of the time of a draw. */
function twist(state: Uint32Array): void {
  for (let i = 0; i < WORDS - MIDDLE; i++) state[i] = state[i + MIDDLE]! ^ twisted(state[i]!, state[i + 1]!);
  for (let i = WORDS - MIDDLE; i < WORDS - 1; i++) {
    state[i] = state[i + MIDDLE - WORDS]! ^ twisted(state[i]!, state[i + 1]!);
  }
  state[WORDS - 1] = state[MIDDLE - 1]! ^ twisted(state[WORDS - 1]!, state[0]!);
}

function twisted(word: number, following: number): number {
  const y = (word & 0x80000000) | (following & 0x7fffffff);
  return (y >>> 1) ^ (-(y & 1) & 0x9908b0df);
}

function tempered(word: number): number {
  let y = word;
  y ^= y >>> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >>> 18);
}
