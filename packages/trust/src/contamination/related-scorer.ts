import { roundHalfEven } from "@while/schema";
import { evenlySpaced } from "./false-alarms.ts";
import { NumberSet } from "./number-set.ts";
import { digitsOf } from "./number-words.ts";
import { buildRelatedIndex, type FeatureTable, type RelatedIndex } from "./related-index.ts";
import { type RunTable, runId } from "./run-table.ts";
import { isWordly, TextFeatures } from "./text-features.ts";
import { wordTokens } from "./token-scanner.ts";
import { wordStem } from "./word-stem.ts";

/** What the parts of the score weigh: shared words, shared runs of five characters, shared numbers. */
const WORDS = 0.4;
const RUNS = 0.4;
const NUMBERS = 0.2;

/** Prompts from which on it can be told which words of them are rare. */
const MIN_PROMPTS = 20;
/** With fewer prompts their 99th percentile is their largest value, and no threshold goes by it alone. */
const FULL_PROMPTS = 100;
const FLOOR = 0.3;
const FLOOR_OF_FEW = 0.6;
/** Prompts that are this alike to one another cannot be told apart by words: a template set. */
const SAME_PROMPTS = 0.9;
const PERCENTILE = 0.99;
/** Prompts that are compared in full, those that share most of the row's rare words. */
const CANDIDATES = 20;
/** Below this no prompt is compared in full: a row that shares a tenth of the weight of its words is reworded from none. */
const MIN_SHARED = 0.1;
/** Prompts that a text's words may name before the rest of them, the commonest, are not asked any more. */
const MIN_NAMED = 2000;
const NAMED_SHARE = 0.25;
const SHOWN_WORDS = 12;

/** One text against the prompt of the evaluation that it shares most with. */
export interface RelatedScore {
  prompt: number;
  /** 0 to 1: how much of the weight of rare words, characters and numbers is shared. */
  score: number;
  /** By how much it leads the prompt that comes second. */
  lead: number;
}

/** One prompt of an evaluation, with its task ids. */
interface Prompt {
  text: string;
  ids: readonly string[];
}

/**
 * How much a text reads like a prompt of the evaluation in other words, without a model: the cosine of rare words by
 * their stems (0.4), of rare runs of five characters (0.4) and of numbers, digits or spelled out (0.2); a word is as rare as
 * prompts that have it are few. What counts is that score and its lead over the second prompt: a question of the same
 * domain is a little like many prompts, a reworded one like one of them.
 *
 * It is blind to a translation, to code whose names were changed, and to a question inside a long text.
 */
export class RelatedScorer {
  readonly index: RelatedIndex;
  readonly #prompts: readonly Prompt[];
  readonly #read: TextFeatures;
  readonly #runs = new NumberSet();
  /** Prompts that a text is not held against: itself, and those of its task. */
  readonly #left = new NumberSet();
  readonly #shared: Float64Array;
  readonly #touched: Uint32Array;
  #promptsOf: Map<string, number[]> | null = null;
  #ranks: Uint32Array = new Uint32Array(256);
  readonly #candidates = new Uint32Array(CANDIDATES);
  readonly #shares = new Float64Array(CANDIDATES);

  /** @param index Of the same prompts, where another thread has built it */
  constructor(prompts: readonly Prompt[], index: RelatedIndex = buildRelatedIndex(prompts)) {
    this.index = index;
    this.#prompts = prompts;
    this.#read = new TextFeatures({ stems: index.stems, numbers: index.numberTexts });
    this.#shared = new Float64Array(prompts.length);
    this.#touched = new Uint32Array(prompts.length);
  }

  /** The prompt that a text shares most with; null where it shares next to nothing with any. */
  score(text: string): RelatedScore | null {
    this.#left.clear();
    return this.#score(text);
  }

  /**
   * Score and lead together from which a text is called reworded: what 1 in 100 of the evaluation's own prompts reaches
   * against those of other tasks.
   *
   * @returns The threshold, or why there is none
   */
  calibrate(): { threshold: number | null; skipped: string | null } {
    const n = this.#prompts.length;
    if (n < MIN_PROMPTS) {
      return { threshold: null, skipped: `${n} evaluation prompts are too few to tell which of their words are rare` };
    }
    const sums: number[] = [];
    const scores: number[] = [];
    for (const prompt of evenlySpaced(n)) {
      const found = this.scoreOfPrompt(prompt);
      sums.push(found === null ? 0 : found.score + found.lead);
      scores.push(found?.score ?? 0);
    }
    if (quantile(scores) >= SAME_PROMPTS) {
      return { threshold: null, skipped: "the evaluation prompts are so alike that words do not tell them apart" };
    }
    const floor = n < FULL_PROMPTS ? FLOOR_OF_FEW : FLOOR;
    return { threshold: roundHalfEven(Math.max(floor, quantile(sums)), 4), skipped: null };
  }

  /** A prompt of the evaluation against those of other tasks. */
  scoreOfPrompt(prompt: number): RelatedScore | null {
    this.#promptsOf ??= this.#promptsOfIds();
    const { text, ids } = this.#prompts[prompt]!;
    this.#left.clear();
    this.#left.add(prompt);
    for (const id of ids) for (const other of this.#promptsOf.get(id)!) this.#left.add(other);
    return this.#score(text);
  }

  /** The rarest words and the numbers that a text and a prompt share, as the prompt spells them. */
  sharedWords(text: string, prompt: number): string {
    const own = spellingsOf(text);
    const theirs = spellingsOf(this.#prompts[prompt]!.text);
    // A word of every fourth prompt explains nothing.
    const least = Math.log(4) ** 2;
    const words = [...theirs.words]
      .map(([stem, word]) => ({ stem, word, weight: this.index.words.weights[this.#read.stemId(stem)!]! }))
      .filter(({ stem, weight }) => own.words.has(stem) && weight >= least)
      .sort((a, b) => b.weight - a.weight)
      .map(({ word }) => word);
    const numbers = [...theirs.numbers].filter(([number]) => own.numbers.has(number)).map(([, spelled]) => spelled);
    return [...words.slice(0, SHOWN_WORDS), ...numbers.slice(0, SHOWN_WORDS)].join(", ");
  }

  #promptsOfIds(): Map<string, number[]> {
    const promptsOf = new Map<string, number[]>();
    for (const [prompt, { ids }] of this.#prompts.entries()) {
      for (const id of ids) {
        const same = promptsOf.get(id);
        if (same === undefined) promptsOf.set(id, [prompt]);
        else same.push(prompt);
      }
    }
    return promptsOf;
  }

  #score(text: string): RelatedScore | null {
    const read = this.#read;
    const { words, numbers, runs, runTable } = this.index;
    read.read(text);
    const wordNorm = normOf(words, read.words.values, read.words.size);
    const nCandidates = this.#findCandidates(wordNorm);
    if (nCandidates === 0) return null;
    const numberNorm = normOf(numbers, read.numbers.values, read.numbers.size);
    const runNorm = this.#readRuns(runs, runTable);
    let best: RelatedScore | null = null;
    let second = 0;
    for (let i = 0; i < nCandidates; i++) {
      const prompt = this.#candidates[i]!;
      const score =
        WORDS * cosine(words, read.words, wordNorm, prompt) +
        RUNS * cosine(runs, this.#runs, runNorm, prompt) +
        NUMBERS * cosine(numbers, read.numbers, numberNorm, prompt);
      if (best === null || score > best.score || (score === best.score && prompt < best.prompt)) {
        second = best?.score ?? 0;
        best = { prompt, score, lead: 0 };
      } else if (score > second) second = score;
    }
    return best === null ? null : { ...best, lead: best.score - second };
  }

  /** Keeps the runs that some prompt has, and returns the norm of all. */
  #readRuns({ weights, unknown }: FeatureTable, table: RunTable): number {
    this.#read.readRuns();
    this.#runs.clear();
    const { hashes, size } = this.#read.runs;
    let sum = 0;
    for (let i = 0; i < size; i++) {
      const id = runId(table, hashes[i]!);
      sum += id < 0 ? unknown : weights[id]!;
      if (id >= 0) this.#runs.add(id);
    }
    return Math.sqrt(sum);
  }

  /**
   * The prompts that share most of the weight of the text's words, found by the rarer ones, the best first.
   *
   * @returns How many of `#candidates` they are
   */
  #findCandidates(norm: number): number {
    if (norm === 0) return 0;
    const { words, postings, postingStarts, rarestFirst } = this.index;
    const [shared, touched, left] = [this.#shared, this.#touched, this.#left];
    const nKnown = this.#rankWords();
    let budget = Math.max(MIN_NAMED, NAMED_SHARE * this.#prompts.length);
    let nTouched = 0;
    for (let i = 0; i < nKnown; i++) {
      const stem = rarestFirst[this.#ranks[i]!]!;
      const weight = words.weights[stem]!;
      if (weight === 0) continue;
      const [from, to] = [postingStarts[stem]!, postingStarts[stem + 1]!];
      budget -= to - from;
      if (budget < 0) break;
      for (let at = from; at < to; at++) {
        const prompt = postings[at]!;
        const before = shared[prompt]!;
        if (before === 0) touched[nTouched++] = prompt;
        shared[prompt] = before + weight;
      }
    }
    let size = 0;
    // A product is a tenth of a division's time, and turns away nearly all; what is near the border is divided.
    let border = 0;
    for (let i = 0; i < nTouched; i++) {
      const prompt = touched[i]!;
      const weight = shared[prompt]!;
      shared[prompt] = 0;
      if (weight < border * words.norms[prompt]! || left.has(prompt)) continue;
      size = this.#insert(size, prompt, weight / (norm * words.norms[prompt]!));
      if (size === CANDIDATES) border = this.#shares[CANDIDATES - 1]! * norm * (1 - 1e-9);
    }
    return size > 0 && this.#shares[0]! >= MIN_SHARED ? size : 0;
  }

  /** The places of the text's known stems, the rarest first. */
  #rankWords(): number {
    const { values, size } = this.#read.words;
    const { rank } = this.index;
    if (size > this.#ranks.length) this.#ranks = new Uint32Array(2 * size);
    let nKnown = 0;
    for (let i = 0; i < size; i++) if (values[i]! < rank.length) this.#ranks[nKnown++] = rank[values[i]!]!;
    this.#ranks.subarray(0, nKnown).sort();
    return nKnown;
  }

  /** Takes a prompt among the candidates where it is better than the last of them: more shared, or as much and earlier. */
  #insert(size: number, prompt: number, share: number): number {
    const [shares, prompts] = [this.#shares, this.#candidates];
    let at = Math.min(size, CANDIDATES);
    for (; at > 0; at--) {
      const other = shares[at - 1]!;
      if (share < other || (share === other && prompt > prompts[at - 1]!)) break;
      if (at === CANDIDATES) continue;
      shares[at] = other;
      prompts[at] = prompts[at - 1]!;
    }
    if (at === CANDIDATES) return size;
    shares[at] = share;
    prompts[at] = prompt;
    return Math.min(size + 1, CANDIDATES);
  }
}

/** Of features that some prompt has, and of those that none has. */
function normOf({ weights, unknown }: FeatureTable, values: Uint32Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += values[i]! < weights.length ? weights[values[i]!]! : unknown;
  return Math.sqrt(sum);
}

function cosine(
  { weights, starts, features, norms }: FeatureTable,
  own: NumberSet,
  norm: number,
  prompt: number,
): number {
  const other = norms[prompt]!;
  if (norm === 0 || other === 0) return 0;
  let shared = 0;
  for (let i = starts[prompt]!; i < starts[prompt + 1]!; i++) {
    if (own.has(features[i]!)) shared += weights[features[i]!]!;
  }
  return shared / (norm * other);
}

function quantile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[roundHalfEven(PERCENTILE * (sorted.length - 1), 0)]!;
}

/** Words under their stems, numbers under their digits, both as they were spelled last. */
function spellingsOf(text: string): { words: Map<string, string>; numbers: Map<string, string> } {
  const words = new Map<string, string>();
  const numbers = new Map<string, string>();
  for (const token of wordTokens(text)) {
    if (!isWordly(token)) continue;
    const number = digitsOf(token);
    if (number !== undefined) numbers.set(number, token);
    else words.set(wordStem(token), token);
  }
  return { words, numbers };
}
