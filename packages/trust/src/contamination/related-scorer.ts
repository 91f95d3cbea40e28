import { roundHalfEven } from "@while/schema";
import { wordTokens } from "./token-scanner.ts";
import { wordStem } from "./word-stem.ts";

/** What the parts of the score weigh: shared words, shared runs of five characters, shared numbers. */
const WORDS = 0.4;
const RUNS = 0.4;
const NUMBERS = 0.2;
const RUN_CHARS = 5;

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
/** Spellings whose stems are remembered: 400,000 short words, about 40 MB. */
const KNOWN_SPELLINGS = 400_000;
const NO_WORD = Number.MIN_SAFE_INTEGER;
/** Prompts the threshold is read off at most, evenly spaced. */
const CALIBRATION_PROMPTS = 2000;

/** One text against the prompt of the evaluation that it shares most with. */
export interface RelatedScore {
  prompt: number;
  /** 0 to 1: how much of the weight of rare words, characters and numbers is shared. */
  score: number;
  /** By how much it leads the prompt that comes second. */
  lead: number;
}

interface Features {
  /** By stem, as spelled last. */
  words: Map<string, string>;
  /** By digits, as spelled last. */
  numbers: Map<string, string>;
  tokens: string[];
}

/** Features of one text. */
interface Known {
  known: Set<number>;
  norm: number;
}

/** One kind of feature over all prompts: which prompt has which, and what each weighs. */
class FeatureSpace<Key extends string | number> {
  readonly ids = new Map<Key, number>();
  readonly weights: Float64Array;
  /** What a feature weighs that no prompt has. */
  readonly unknown: number;
  readonly ofPrompt: Uint32Array[];
  readonly norms: Float64Array;
  /** Prompts by feature; kept where candidates are looked for by it. */
  readonly postings: number[][] = [];

  constructor(prompts: readonly Iterable<Key>[], { hasPostings = false }: { hasPostings?: boolean } = {}) {
    const counts: number[] = [];
    this.ofPrompt = prompts.map((features, prompt) => {
      const own: number[] = [];
      for (const feature of features) {
        let id = this.ids.get(feature);
        if (id === undefined) {
          id = this.ids.size;
          this.ids.set(feature, id);
          counts.push(0);
          if (hasPostings) this.postings.push([]);
        }
        counts[id]!++;
        if (hasPostings) this.postings[id]!.push(prompt);
        own.push(id);
      }
      return Uint32Array.from(own);
    });
    const n = prompts.length;
    // Squared inverse document frequency (Spärck Jones 1972): each shared feature counts twice, once a side.
    this.weights = Float64Array.from(counts, (count) => Math.log((n + 1) / (count + 1)) ** 2);
    this.unknown = Math.log(n + 1) ** 2;
    this.norms = Float64Array.from(this.ofPrompt, (ids) => {
      return Math.sqrt(ids.reduce((sum, id) => sum + this.weights[id]!, 0));
    });
  }

  /** The features that some prompt has, by number, and what all of them weigh together with those that none has. */
  read(features: Iterable<Key>): Known {
    const known = new Set<number>();
    let sum = 0;
    for (const feature of features) {
      const id = this.ids.get(feature);
      if (id === undefined) sum += this.unknown;
      else if (!known.has(id)) {
        known.add(id);
        sum += this.weights[id]!;
      }
    }
    return { known, norm: Math.sqrt(sum) };
  }

  cosine({ known, norm }: Known, prompt: number): number {
    const other = this.norms[prompt]!;
    if (norm === 0 || other === 0) return 0;
    let shared = 0;
    for (const id of this.ofPrompt[prompt]!) if (known.has(id)) shared += this.weights[id]!;
    return shared / (norm * other);
  }
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
  readonly #words: FeatureSpace<string>;
  readonly #numbers: FeatureSpace<string>;
  readonly #runs: FeatureSpace<number>;
  readonly #ids: (readonly string[])[];
  readonly #shared: Float64Array;
  readonly #texts: string[];
  readonly #stems = new Map<string, number>();
  readonly #strangers = new Map<string, number>();

  constructor(prompts: readonly { text: string; ids: readonly string[] }[]) {
    this.#texts = prompts.map(({ text }) => text);
    const features = prompts.map(({ text }) => featuresOf(text));
    this.#ids = prompts.map(({ ids }) => ids);
    this.#words = new FeatureSpace(
      features.map(({ words }) => words.keys()),
      { hasPostings: true },
    );
    this.#numbers = new FeatureSpace(features.map(({ numbers }) => numbers.keys()));
    this.#runs = new FeatureSpace(features.map(({ tokens }) => runsOf(tokens)));
    this.#shared = new Float64Array(prompts.length);
  }

  /** The prompt that a text shares most with; null where it shares next to nothing with any. */
  score(text: string): RelatedScore | null {
    return this.#score(text, () => false);
  }

  /**
   * Score and lead together from which a text is called reworded: what 1 in 100 of the evaluation's own prompts reaches
   * against those of other tasks.
   *
   * @returns The threshold, or why there is none
   */
  calibrate(): { threshold: number | null; skipped: string | null } {
    const n = this.#texts.length;
    if (n < MIN_PROMPTS) {
      return { threshold: null, skipped: `${n} evaluation prompts are too few to tell which of their words are rare` };
    }
    const step = Math.max(1, n / CALIBRATION_PROMPTS);
    const sums: number[] = [];
    const scores: number[] = [];
    for (let at = 0; at < n; at += step) {
      const prompt = Math.floor(at);
      const own = this.#ids[prompt]!;
      const isSame = (other: number) => other === prompt || this.#ids[other]!.some((id) => own.includes(id));
      const found = this.#score(this.#texts[prompt]!, isSame);
      sums.push(found === null ? 0 : found.score + found.lead);
      scores.push(found?.score ?? 0);
    }
    if (quantile(scores) >= SAME_PROMPTS) {
      return { threshold: null, skipped: "the evaluation prompts are so alike that words do not tell them apart" };
    }
    const floor = n < FULL_PROMPTS ? FLOOR_OF_FEW : FLOOR;
    return { threshold: roundHalfEven(Math.max(floor, quantile(sums)), 4), skipped: null };
  }

  /** The rarest words and the numbers that a text and a prompt share, as the prompt spells them. */
  sharedWords(text: string, prompt: number): string {
    const own = featuresOf(text);
    const theirs = featuresOf(this.#texts[prompt]!);
    const weightOf = (space: FeatureSpace<string>, key: string) => space.weights[space.ids.get(key)!]!;
    // A word of every fourth prompt explains nothing.
    const least = Math.log(4) ** 2;
    const words = [...theirs.words].filter(([stem]) => own.words.has(stem) && weightOf(this.#words, stem) >= least);
    words.sort(([a], [b]) => weightOf(this.#words, b) - weightOf(this.#words, a));
    const numbers = [...theirs.numbers].filter(([number]) => own.numbers.has(number)).map(([, spelled]) => spelled);
    return [...words.slice(0, SHOWN_WORDS).map(([, word]) => word), ...numbers.slice(0, SHOWN_WORDS)].join(", ");
  }

  #score(text: string, isSame: (prompt: number) => boolean): RelatedScore | null {
    const tokens = wordTokens(text);
    const words = this.#wordsOf(tokens);
    const candidates = this.#candidates(words, isSame);
    if (candidates.length === 0) return null;
    const numbers = this.#numbers.read(featuresOf(text).numbers.keys());
    const runs = this.#runs.read(runsOf(tokens.filter(isWordly)));
    let best: RelatedScore | null = null;
    let second = 0;
    for (const prompt of candidates) {
      const score =
        WORDS * this.#words.cosine(words, prompt) +
        RUNS * this.#runs.cosine(runs, prompt) +
        NUMBERS * this.#numbers.cosine(numbers, prompt);
      if (best === null || score > best.score || (score === best.score && prompt < best.prompt)) {
        second = best?.score ?? 0;
        best = { prompt, score, lead: 0 };
      } else if (score > second) second = score;
    }
    return best === null ? null : { ...best, lead: best.score - second };
  }

  /** As `read` of the words' stems, which are looked up once for a spelling and not once for a text. */
  #wordsOf(tokens: readonly string[]): Known {
    if (this.#stems.size > KNOWN_SPELLINGS) {
      this.#stems.clear();
      this.#strangers.clear();
    }
    const known = new Set<number>();
    const strangers = new Set<number>();
    let sum = 0;
    for (const token of tokens) {
      let id = this.#stems.get(token);
      if (id === undefined) {
        id = this.#stemId(token);
        this.#stems.set(token, id);
      }
      if (id === NO_WORD) continue;
      const seen = id >= 0 ? known : strangers;
      if (seen.has(id)) continue;
      seen.add(id);
      sum += id >= 0 ? this.#words.weights[id]! : this.#words.unknown;
    }
    return { known, norm: Math.sqrt(sum) };
  }

  /** A stem that some prompt has by its number; another one by a number below 0. */
  #stemId(token: string): number {
    if (!isWordly(token) || isNumber(token)) return NO_WORD;
    const stem = wordStem(token);
    const id = this.#words.ids.get(stem);
    if (id !== undefined) return id;
    const stranger = this.#strangers.get(stem) ?? -1 - this.#strangers.size;
    this.#strangers.set(stem, stranger);
    return stranger;
  }

  /** Prompts that share most of the weight of the text's words, found by the rarer ones. */
  #candidates({ known, norm }: Known, isSame: (prompt: number) => boolean): number[] {
    if (norm === 0) return [];
    const { postings } = this.#words;
    const rarestFirst = [...known].sort((a, b) => postings[a]!.length - postings[b]!.length || a - b);
    let left = Math.max(MIN_NAMED, NAMED_SHARE * this.#texts.length);
    const touched: number[] = [];
    for (const id of rarestFirst) {
      const weight = this.#words.weights[id]!;
      if (weight === 0) continue;
      left -= postings[id]!.length;
      if (left < 0) break;
      for (const prompt of postings[id]!) {
        if (this.#shared[prompt] === 0) touched.push(prompt);
        this.#shared[prompt]! += weight;
      }
    }
    let most = 0;
    for (const prompt of touched) {
      const share = this.#shared[prompt]! / (norm * this.#words.norms[prompt]!);
      if (share > most && !isSame(prompt)) most = share;
    }
    const eligible: { prompt: number; share: number }[] = [];
    for (const prompt of touched) {
      const share = this.#shared[prompt]! / (norm * this.#words.norms[prompt]!);
      this.#shared[prompt] = 0;
      if (most >= MIN_SHARED && !isSame(prompt)) eligible.push({ prompt, share });
    }
    eligible.sort((a, b) => b.share - a.share || a.prompt - b.prompt);
    return eligible.slice(0, CANDIDATES).map(({ prompt }) => prompt);
  }
}

/** Anything but a sign. */
function isWordly(token: string): boolean {
  return /[\p{L}\p{N}]/u.test(token);
}

function isNumber(token: string): boolean {
  return /^\d/.test(token) || SPELLED.has(token);
}

function quantile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[roundHalfEven(PERCENTILE * (sorted.length - 1), 0)]!;
}

/** Words under their stems, numbers under their digits, both as they were spelled; runs of characters by their hash. */
function featuresOf(text: string): Features {
  const words = new Map<string, string>();
  const numbers = new Map<string, string>();
  const tokens = wordTokens(text).filter(isWordly);
  for (const token of tokens) {
    const number = /^\d/.test(token) ? token.replace(/\.0+$/, "") : SPELLED.get(token);
    if (number !== undefined) numbers.set(number, token);
    else words.set(wordStem(token), token);
  }
  return { words, numbers, tokens };
}

/** A collision of two hashes shares a run that is none: one in millions, in a score that only lists. */
function runsOf(tokens: readonly string[]): Set<number> {
  const text = ` ${tokens.join(" ")} `;
  const runs = new Set<number>();
  for (let at = 0; at + RUN_CHARS <= text.length; at++) {
    let hash = 0x811c9dc5 | 0;
    for (let i = at; i < at + RUN_CHARS; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    runs.add(hash);
  }
  return runs;
}

const SPELLED: ReadonlyMap<string, string> = new Map(
  [
    ...[
      "zero",
      "one",
      "two",
      "three",
      "four",
      "five",
      "six",
      "seven",
      "eight",
      "nine",
      "ten",
      "eleven",
      "twelve",
    ].entries(),
    ...([
      [13, "thirteen"],
      [14, "fourteen"],
      [15, "fifteen"],
      [16, "sixteen"],
      [17, "seventeen"],
      [18, "eighteen"],
    ] as const),
    ...([
      [19, "nineteen"],
      [20, "twenty"],
      [30, "thirty"],
      [40, "forty"],
      [50, "fifty"],
      [60, "sixty"],
    ] as const),
    ...([
      [70, "seventy"],
      [80, "eighty"],
      [90, "ninety"],
      [100, "hundred"],
      [1000, "thousand"],
      [12, "dozen"],
    ] as const),
    ...([
      [2, "twice"],
      [2, "double"],
      [1, "once"],
    ] as const),
  ].map(([value, word]) => [word, String(value)]),
);
