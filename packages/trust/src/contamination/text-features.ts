import { longer } from "./longer.ts";
import { NumberSet } from "./number-set.ts";
import { digitsOf } from "./number-words.ts";
import { RunReader } from "./run-table.ts";
import { TokenScanner } from "./token-scanner.ts";
import { VocabularyBuilder } from "./vocabulary.ts";
import { wordStem } from "./word-stem.ts";

/** What a spelling is. */
const SIGN = 0;
const WORD = 1;
const NUMBER = 2;

/** Spellings that are remembered: 400,000 short words, about 15 MB. */
const KNOWN_SPELLINGS = 400_000;
const BLANK = 0x20;

/**
 * The stems, numbers and runs of characters of one text after the other, each once and as a number. A spelling is
 * looked at as a string once, and from then on found by its units.
 */
export class TextFeatures {
  readonly words: NumberSet = new NumberSet();
  readonly numbers: NumberSet = new NumberSet();
  readonly runs: RunReader = new RunReader();
  readonly #known: { stems: readonly string[]; numbers: readonly string[] } | null;
  readonly #scanner = new TokenScanner("v2");
  #stemIds: Map<string, number>;
  #numberIds: Map<string, number>;
  #spellings = new VocabularyBuilder();
  #kinds: Uint16Array = new Uint16Array(1024);
  #ids: Uint32Array = new Uint32Array(1024);
  #chars: Uint16Array = new Uint16Array(1024);
  #length = 0;

  /** @param known The stems and numbers of the evaluation, which keep their places; all others count from there on */
  constructor(known: { stems: readonly string[]; numbers: readonly string[] } | null = null) {
    this.#known = known;
    this.#stemIds = numbered(known?.stems ?? []);
    this.#numberIds = numbered(known?.numbers ?? []);
  }

  get stems(): string[] {
    return [...this.#stemIds.keys()];
  }

  get numberTexts(): string[] {
    return [...this.#numberIds.keys()];
  }

  stemId(stem: string): number | undefined {
    return this.#stemIds.get(stem);
  }

  /** Reads words and numbers. `readRuns` reads the rest, where it is needed. */
  read(text: string): void {
    if (this.#spellings.size > KNOWN_SPELLINGS) this.#forget();
    this.words.clear();
    this.numbers.clear();
    this.#chars[0] = BLANK;
    this.#length = 1;
    this.#scanner.scan(text, this.#take);
  }

  /** The runs of the words of the text that was read, one blank between two words and around all. */
  readRuns(): void {
    this.runs.read(this.#chars, this.#length);
  }

  readonly #take = (hash: number, length: number): void => {
    const { chars } = this.#scanner;
    const { size } = this.#spellings;
    const spelling = this.#spellings.add(hash, chars, length);
    if (spelling === size) this.#learn(spelling, String.fromCharCode(...chars.subarray(0, length)));
    const kind = this.#kinds[spelling]!;
    if (kind === SIGN) return;
    (kind === WORD ? this.words : this.numbers).add(this.#ids[spelling]!);
    const end = this.#length + length;
    if (end >= this.#chars.length) this.#chars = longer(this.#chars, end + 1);
    for (let i = 0; i < length; i++) this.#chars[this.#length + i] = chars[i]!;
    this.#chars[end] = BLANK;
    this.#length = end + 1;
  };

  #learn(spelling: number, token: string): void {
    if (spelling === this.#ids.length) {
      this.#kinds = longer(this.#kinds, spelling + 1);
      this.#ids = longer(this.#ids, spelling + 1);
    }
    const digits = digitsOf(token);
    if (!isWordly(token)) this.#kinds[spelling] = SIGN;
    else if (digits === undefined) {
      this.#kinds[spelling] = WORD;
      this.#ids[spelling] = numberOf(this.#stemIds, wordStem(token));
    } else {
      this.#kinds[spelling] = NUMBER;
      this.#ids[spelling] = numberOf(this.#numberIds, digits);
    }
  }

  #forget(): void {
    this.#spellings = new VocabularyBuilder();
    // Whoever counts the evaluation's own words needs them all.
    if (this.#known === null) return;
    this.#stemIds = numbered(this.#known.stems);
    this.#numberIds = numbered(this.#known.numbers);
  }
}

/** Anything but a sign. */
export function isWordly(token: string): boolean {
  return /[\p{L}\p{N}]/u.test(token);
}

function numbered(texts: readonly string[]): Map<string, number> {
  return new Map(texts.map((text, number) => [text, number]));
}

function numberOf(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}
