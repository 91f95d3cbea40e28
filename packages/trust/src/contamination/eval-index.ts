import { isObject, normText, type Row, taskKey, textOf } from "@while/schema";
import { CODE_NGRAM, CodeScanner, splitCode } from "./code-tokens.ts";
import { buildGramTable, type GramTable, type TokenTexts } from "./gram-table.ts";
import type { Settings } from "./options.ts";
import { taskIdsOf, valueAt } from "./row-texts.ts";
import { type RuleSet, type Scanner, type Shingles, TokenScanner } from "./token-scanner.ts";
import { type Vocabulary, VocabularyBuilder } from "./vocabulary.ts";

/** A run that fewer texts than this have is nobody's template. */
const MIN_BACKGROUND_TEXTS = 10;

/** The words of texts and their runs. */
export interface TextIndex {
  vocabulary: Vocabulary;
  texts: TokenTexts;
  /** Of each word of `texts.tokens`, its text. */
  textAt: Uint32Array;
  grams: GramTable;
}

/** An evaluation, ready to be found in training rows. Plain data: made by `buildEvalIndex`, saved by `saveEvalIndex`. */
export interface EvalIndex extends TextIndex {
  kind: "eval-index";
  rules: RuleSet;
  n: number;
  shingles: Shingles;
  evalFields: readonly string[];
  numbersAs: "0" | null;
  nRows: number;
  /** Rows with a `scenario_id` or `task_id`. */
  nWithTaskId: number;
  /** Rows none of whose texts has a word. */
  nUnreadable: number;
  /** Sources that gave no row, by name. */
  emptySources: string[];
  /** Names of the evaluation's tasks, each once. */
  items: string[];
  /** Of each text: 1 where it is the prompt of a row, 0 where it is an answer alone. */
  isQuestion: Uint8Array;
  /** Of each text, the tasks that have it. */
  textItems: number[][];
  /** Task ids, and of each the tasks and the texts of its rows. */
  ids: string[];
  idItems: number[][];
  idTexts: number[][];
  /**
   * Prompts, each wording once, with the task ids of the first row that had it. Of a program, where those are looked at,
   * what its comments and docstrings say.
   */
  prompts: { text: string; ids: string[]; item: number; prose: string | null }[];
  /** v1: how each text is spelled when only case and blanks are made one. Empty in v2, where the words are it. */
  exactKeys: string[];
  /** The same texts with every number made one. */
  numberless: TextIndex | null;
  /** The programs of the rows, a row a text, with their names taken away; and the task of each. null unless asked for. */
  code: (TextIndex & { items: number[] }) | null;
}

/** The index over rows. Which rows those are is `buildEvalIndex`'s to find out. */
export function indexRows(rows: readonly unknown[], settings: Settings, emptySources: string[] = []): EvalIndex {
  const { rules, n, shingles, evalFields, numbersAs, code } = settings;
  const builder = new TextBuilder(rules, { shingles });
  const programs = code ? new ProgramBuilder() : null;
  const textOfKey = new Map<string, number>();
  const itemOf = new Map<string, number>();
  const idOf = new Map<string, number>();
  const promptKeys = new Set<string>();
  const texts: string[] = [];
  const isQuestion: number[] = [];
  const textItems: number[][] = [];
  const idItems: number[][] = [];
  const idTexts: number[][] = [];
  const prompts: EvalIndex["prompts"] = [];
  let nRows = 0;
  let nWithTaskId = 0;
  let nUnreadable = 0;
  for (const row of rows) {
    if (!isObject(row)) continue;
    nRows++;
    const ids = taskIdsOf(row as Row, rules);
    if (ids.length > 0) nWithTaskId++;
    const item = numbered(itemOf, taskKey(row as Row) || `row ${nRows}`);
    const idNumbers = ids.map((id) => numbered(idOf, id));
    for (const id of idNumbers) {
      idItems[id] ??= [];
      idTexts[id] ??= [];
      add(idItems[id], item);
    }
    let isReadable = false;
    for (const field of ["prompt", ...evalFields]) {
      const value = valueAt(row as Row, field);
      const text = field === "prompt" ? textOf(value) : textOf(isEmpty(value) ? "" : value);
      const tokens = builder.tokens(text);
      const key = rules === "v1" ? normText(text) : tokens.join(" ");
      if (field === "prompt" && text.trim() !== "" && !promptKeys.has(key === "" ? text : key)) {
        promptKeys.add(key === "" ? text : key);
        prompts.push({ text, ids, item, prose: (code && splitCode(text)?.prose) || null });
      }
      if (tokens.length === 0) continue;
      isReadable = true;
      let number = textOfKey.get(key);
      if (number === undefined) {
        number = textOfKey.size;
        textOfKey.set(key, number);
        builder.add(tokens);
        texts.push(text);
        isQuestion.push(0);
        textItems.push([]);
      }
      if (field === "prompt") isQuestion[number] = 1;
      add(textItems[number]!, item);
      for (const id of idNumbers) add(idTexts[id]!, number);
    }
    if (!isReadable) nUnreadable++;
    programs?.add(row as Row, evalFields, item);
  }
  return {
    ...builder.build(n),
    ...{
      kind: "eval-index",
      rules,
      n,
      shingles,
      evalFields: [...evalFields],
      numbersAs,
      nRows,
      nWithTaskId,
      nUnreadable,
    },
    emptySources,
    items: [...itemOf.keys()],
    isQuestion: Uint8Array.from(isQuestion),
    ...{ textItems, ids: [...idOf.keys()], idItems, idTexts, prompts },
    exactKeys: rules === "v1" ? [...textOfKey.keys()] : [],
    numberless: numbersAs === null ? null : numberlessIndex(texts, settings),
    code: programs?.build() ?? null,
  };
}

function numberlessIndex(texts: readonly string[], { rules, n }: Settings): TextIndex {
  const builder = new TextBuilder(rules, { numberless: true });
  for (const text of texts) builder.add(builder.tokens(text));
  return builder.build(n);
}

/** Programs without their names, a row a text: what a prompt begins its reference ends. */
class ProgramBuilder {
  readonly #builder = new TextBuilder("v2", { scanner: new CodeScanner() });
  readonly #items: number[] = [];

  add(row: Row, evalFields: readonly string[], item: number): void {
    const texts = ["prompt", ...evalFields].map((field) => valueAt(row, field)).filter((value) => !isEmpty(value));
    const program = splitCode(texts.map(textOf).join("\n"));
    const tokens = program === null ? [] : this.#builder.tokens(program.code);
    if (tokens.length < CODE_NGRAM) return;
    this.#builder.add(tokens);
    this.#items.push(item);
  }

  build(): TextIndex & { items: number[] } {
    return { ...this.#builder.build(CODE_NGRAM), items: this.#items };
  }
}

/** Texts to words, words to numbers. */
class TextBuilder {
  readonly #scanner: Scanner;
  readonly #vocabulary = new VocabularyBuilder();
  readonly #numberless: boolean;
  readonly #all: number[] = [];
  readonly #starts: number[] = [0];

  constructor(
    rules: RuleSet,
    {
      numberless = false,
      shingles = "words",
      scanner = new TokenScanner(rules, shingles),
    }: { numberless?: boolean; shingles?: Shingles; scanner?: Scanner } = {},
  ) {
    this.#scanner = scanner;
    this.#numberless = numberless;
  }

  tokens(text: string): number[] {
    const tokens: number[] = [];
    this.#scanner.scan(text, (hash, length, isNumber) => {
      const { chars } = this.#scanner;
      if (this.#numberless && (isNumber || isDigits(chars, length))) {
        tokens.push(this.#vocabulary.add(ZERO_HASH, ZERO, 1));
      } else tokens.push(this.#vocabulary.add(hash, chars, length));
    });
    return tokens;
  }

  add(tokens: readonly number[]): void {
    for (const token of tokens) this.#all.push(token);
    this.#starts.push(this.#all.length);
  }

  build(n: number): TextIndex {
    const texts: TokenTexts = { tokens: Int32Array.from(this.#all), starts: Uint32Array.from(this.#starts) };
    const textAt = new Uint32Array(this.#all.length);
    for (let text = 0; text + 1 < this.#starts.length; text++) {
      textAt.fill(text, this.#starts[text], this.#starts[text + 1]);
    }
    return { vocabulary: this.#vocabulary.build(), texts, textAt, grams: buildGramTable(texts, n) };
  }
}

/** The word that stands for every number. */
export const ZERO: Uint16Array = Uint16Array.of(0x30);
export const ZERO_HASH: number = Math.imul((0x811c9dc5 | 0) ^ 0x30, 0x01000193);

export function isDigits(chars: Uint16Array, length: number): boolean {
  for (let i = 0; i < length; i++) if (chars[i]! < 0x30 || chars[i]! > 0x39) return false;
  return true;
}

/** 1 for the runs that more than `share` of the texts have, and 10 of them at least; null where there is none. */
export function backgroundGrams({ grams, textAt, texts }: TextIndex, share: number): Uint8Array | null {
  const least = Math.max(MIN_BACKGROUND_TEXTS, Math.floor(share * (texts.starts.length - 1)) + 1);
  const { starts, places } = grams;
  const background = new Uint8Array(starts.length - 1);
  let found = false;
  for (let gram = 0; gram < background.length; gram++) {
    if (starts[gram + 1]! - starts[gram]! < least) continue;
    let nTexts = 0;
    let last = -1;
    for (let i = starts[gram]!; i < starts[gram + 1]!; i++) {
      const text = textAt[places[i]!]!;
      if (text !== last) nTexts++;
      last = text;
    }
    if (nTexts < least) continue;
    background[gram] = 1;
    found = true;
  }
  return found ? background : null;
}

function numbered(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, numbers.size);
  return numbers.size - 1;
}

/** Rows of one task follow each other or are few; the last is the one to look at. */
function add(list: number[], value: number): void {
  if (!list.includes(value)) list.push(value);
}

/** What Python calls false: no answer is no text. */
function isEmpty(value: unknown): boolean {
  if (!value) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
