import { foldText, isAscii } from "./fold-text.ts";

/** How texts are cut and compared: `v1` as the Python SDK does, `v2` with folding and in every script. */
export const RULE_SETS = ["v1", "v2"] as const;

export type RuleSet = (typeof RULE_SETS)[number];

/** What a text is cut into: characters, or words. */
export const SHINGLES = ["chars", "words"] as const;

export type Shingles = (typeof SHINGLES)[number];

/** Kinds of UTF-16 units. */
const SEPARATOR = 0;
const LETTER = 1;
const DIGIT = 2;
/** A character of a script that is written without blanks: a token of its own. */
const ALONE = 3;
const OPERATOR = 4;
const DASH = 5;
const APOSTROPHE = 6;
/** First half of a pair: what it is, the whole character says. */
const PAIR = 7;

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]/u;
const WORDLY = /[\p{L}\p{N}\p{M}]/u;

const kindsOf: Record<RuleSet, () => Uint8Array> = { v1: once(asciiKinds), v2: once(unicodeKinds) };

/** Told of every token: its hash, its length in the scanner's `chars`, and the kind of its first unit. */
export type Emit = (hash: number, length: number, isNumber: boolean) => void;

/** Whatever cuts a text into tokens. While `emit` runs, the token stands in `chars`. */
export interface Scanner {
  readonly chars: Uint16Array;
  scan(text: string, emit: Emit): void;
}

/**
 * Cuts texts into tokens without making a string of any of them. While `emit` runs, the token stands in `chars`.
 *
 * v1: runs of `a`-`z` and `0`-`9` in the lower-cased text. v2, in the folded text: a number with inner points and commas
 * (the commas dropped), one character of a script written without blanks, a run of letters and digits of any other,
 * one of `+ * / = < > ^ %`, and `-` where it is a minus: between digits, or before one and behind a blank. Operators are
 * tokens because "3 + 4" and "3 * 4" are two questions.
 */
export class TokenScanner implements Scanner {
  chars: Uint16Array = new Uint16Array(64);
  readonly #rules: RuleSet;
  readonly #unit: Shingles;
  readonly #kinds: Uint8Array;
  #length = 0;
  #hash = 0;

  /** @param unit `chars` makes every character of the folded text a token, blanks in a row one of them */
  constructor(rules: RuleSet, unit: Shingles = "words") {
    this.#rules = rules;
    this.#unit = unit;
    this.#kinds = kindsOf[rules]();
  }

  scan(text: string, emit: Emit): void {
    const folded = isAscii(text) ? text : this.#rules === "v2" ? foldText(text) : text.toLowerCase();
    if (this.#unit === "chars") {
      this.#characters(folded, emit);
      return;
    }
    const kinds = this.#kinds;
    const end = folded.length;
    let at = 0;
    while (at < end) {
      const unit = folded.charCodeAt(at);
      const kind = kinds[unit]!;
      if (kind === SEPARATOR || kind === APOSTROPHE) {
        at++;
        continue;
      }
      this.#length = 0;
      this.#hash = FNV_START;
      if (kind === LETTER) at = this.#word(folded, at);
      else if (kind === DIGIT) at = this.#number(folded, at);
      else if (kind === PAIR) at = this.#pair(folded, at);
      else if (kind !== DASH || this.#isMinus(folded, at)) {
        this.#push(unit);
        at++;
      } else at++;
      if (this.#length > 0) emit(this.#hash, this.#length, kind === DIGIT);
    }
  }

  #characters(folded: string, emit: Emit): void {
    const text = folded.replace(/\s+/g, " ").trim();
    // Signs alone are nothing to be found by, as in words.
    if (!WORDLY.test(text)) return;
    for (let at = 0; at < text.length; ) {
      this.#length = 0;
      this.#hash = FNV_START;
      const unit = text.charCodeAt(at++);
      this.#push(unit);
      if (this.#kinds[unit] === PAIR && at < text.length) this.#push(text.charCodeAt(at++));
      emit(this.#hash, this.#length, false);
    }
  }

  #word(text: string, start: number): number {
    let at = start;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      const kind = this.#kinds[unit]!;
      if (kind === LETTER || kind === DIGIT) this.#push(unit);
      else if (kind === PAIR && this.#isWordly(String.fromCodePoint(text.codePointAt(at)!))) {
        this.#push(unit);
        this.#push(text.charCodeAt(++at));
      } else if (kind === APOSTROPHE && at > start && this.#endsLetter(text, at) && this.#beginsLetter(text, at + 1))
        continue;
      else break;
    }
    return at;
  }

  #number(text: string, start: number): number {
    let at = start;
    let isPlain = true;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (this.#kinds[unit] === DIGIT) this.#push(unit);
      else if ((unit === 0x2c || unit === 0x2e) && this.#isDigit(text, at + 1)) {
        isPlain = false;
        if (unit === 0x2e) this.#push(unit);
      } else break;
    }
    // "2nd" and "60mile" are one run of letters and digits; "3.5kg" is a number and a word.
    return isPlain && this.#isLetter(text, at) ? this.#word(text, at) : at;
  }

  /** A character outside the basic plane: a token of its own in Han, a letter of a word, or nothing. */
  #pair(text: string, start: number): number {
    const character = String.fromCodePoint(text.codePointAt(start)!);
    if (!UNSPACED.test(character))
      return this.#isWordly(character) ? this.#word(text, start) : start + character.length;
    this.#push(character.charCodeAt(0));
    this.#push(character.charCodeAt(1));
    return start + 2;
  }

  #isWordly(character: string): boolean {
    return character.length === 2 && WORDLY.test(character) && !UNSPACED.test(character);
  }

  #isMinus(text: string, at: number): boolean {
    if (!this.#isDigit(text, at + 1)) return false;
    return at === 0 || this.#isDigit(text, at - 1) || /\s/.test(text.charAt(at - 1));
  }

  #isLetter(text: string, at: number): boolean {
    return at < text.length && this.#kinds[text.charCodeAt(at)] === LETTER;
  }

  /** Whether a letter begins here, outside the basic plane too. */
  #beginsLetter(text: string, at: number): boolean {
    if (this.#isLetter(text, at)) return true;
    return this.#kinds[text.charCodeAt(at)] === PAIR && this.#isWordly(String.fromCodePoint(text.codePointAt(at)!));
  }

  /** Whether a letter ends before this place. */
  #endsLetter(text: string, at: number): boolean {
    if (this.#isLetter(text, at - 1)) return true;
    return at > 1 && this.#kinds[text.charCodeAt(at - 2)] === PAIR && this.#beginsLetter(text, at - 2);
  }

  #isDigit(text: string, at: number): boolean {
    return at < text.length && this.#kinds[text.charCodeAt(at)] === DIGIT;
  }

  #push(unit: number): void {
    if (this.#length === this.chars.length) {
      const longer = new Uint16Array(2 * this.#length);
      longer.set(this.chars);
      this.chars = longer;
    }
    // Folded text of ASCII alone is not lower-cased yet: that is done here, where each unit is looked at anyway.
    const lower = unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit;
    this.chars[this.#length++] = lower;
    this.#hash = Math.imul(this.#hash ^ lower, FNV_PRIME);
  }
}

const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** The tokens of a text as strings. */
export function wordTokens(text: string, rules: RuleSet = "v2", unit: Shingles = "words"): string[] {
  const scanner = new TokenScanner(rules, unit);
  const tokens: string[] = [];
  scanner.scan(text, (_, length) => tokens.push(String.fromCharCode(...scanner.chars.subarray(0, length))));
  return tokens;
}

/** In v1 a digit is a letter like any other: nothing is known of numbers. */
function asciiKinds(): Uint8Array {
  const kinds = new Uint8Array(2 ** 16);
  for (const [from, to] of ["09", "az", "AZ"]) kinds.fill(LETTER, from!.charCodeAt(0), to!.charCodeAt(0) + 1);
  return kinds;
}

function unicodeKinds(): Uint8Array {
  const kinds = new Uint8Array(2 ** 16);
  for (let unit = 0; unit < kinds.length; unit++) {
    const character = String.fromCharCode(unit);
    if (unit >= 0xd800 && unit <= 0xdbff) kinds[unit] = PAIR;
    else if (unit >= 0x30 && unit <= 0x39) kinds[unit] = DIGIT;
    else if (UNSPACED.test(character)) kinds[unit] = ALONE;
    else if (WORDLY.test(character)) kinds[unit] = LETTER;
  }
  for (const operator of "+*/=<>^%") kinds[operator.charCodeAt(0)] = OPERATOR;
  kinds[0x2d] = DASH;
  kinds[0x27] = APOSTROPHE;
  kinds[0x60] = APOSTROPHE;
  return kinds;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
