import { cutCodePoints, type Row, roundHalfEven } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { dot, type Embedder, type EmbedOptions, embedOf, embedTexts, type UnitVectors } from "./embedder.ts";
import type { EvalIndex } from "./eval-index.ts";
import { evenlySpaced, type FalseAlarmRate, falseAlarmRate } from "./false-alarms.ts";
import type { RowFinding } from "./finding.ts";
import { DISTINCT_TASK_PERCENTILE, SEMANTIC_SIMILARITY, type Settings } from "./options.ts";
import { rowTexts, taskIdsOf } from "./row-texts.ts";
import type { SearchRecall, SemanticReading } from "./semantic-reading.ts";
import { type Nearest, SEARCHES, type Search, VectorSearch } from "./vector-search.ts";

const PROMPT_CHARS = 120;
/** Prompts up to which all pairs are compared, and pairs that are drawn beyond. */
const ALL_PAIRS_PROMPTS = 2000;
const SAMPLED_PAIRS = 2_000_000;
/** Prompts up to which each row is compared with all of them. */
const EXACT_PROMPTS = 20_000;
/** Texts that are embedded before they are searched for: their vectors are all that is in memory of them. */
const CHUNK = 1024;
/** Prompts of the evaluation that are held against the others at most. */
const FALSE_ALARM_PROMPTS = 500;
/** Texts that probing is held against exact search on. */
const RECALL_SAMPLE = 200;

export interface SemanticOptions extends EmbedOptions {
  /** Anything that turns texts into vectors; no model is part of this package. */
  embedder?: Embedder;
  /** Cosine from which a row is dropped. The default was read off a BGE model and carries over to no other. */
  similarity?: number;
  /**
   * `exact` compares each row with every evaluation prompt; `probed` with those of the nearest clusters, and measures what
   * that misses. Left out, it is exact up to 20,000 prompts.
   */
  semanticSearch?: Search;
}

export const SEMANTIC_NAMES = ["embedder", "similarity", "semanticSearch", "embedBatch", "embedConcurrency"] as const;

/** Whether a row that no other rule caught asks what an evaluation prompt asks, by a caller's embedder. */
export class SemanticMatcher {
  readonly #index: EvalIndex;
  readonly #settings: Settings;
  readonly #options: SemanticOptions & { embedder: Embedder };
  readonly #dimensions: number;
  readonly #prompts: UnitVectors;
  readonly #search: VectorSearch;
  readonly #reading: Omit<SemanticReading, "recall">;
  readonly #promptsOfId = new Map<string, number[]>();
  readonly #sample: SearchedText[] = [];
  readonly #rng = new MersenneTwister(0);
  #nSearched = 0;

  private constructor(
    index: EvalIndex,
    settings: Settings,
    options: SemanticOptions & { embedder: Embedder },
    prompts: UnitVectors,
  ) {
    this.#index = index;
    this.#settings = settings;
    this.#options = options;
    this.#dimensions = prompts.dimensions;
    this.#prompts = prompts;
    const nPrompts = index.prompts.length;
    const { similarity = SEMANTIC_SIMILARITY } = options;
    const { semanticSearch: search = nPrompts > EXACT_PROMPTS ? "probed" : "exact" } = options;
    this.#search = new VectorSearch(prompts, nPrompts, search);
    this.#reading = { similarity, distinct: distinctTasks(index, prompts), nPrompts, search };
    for (const [prompt, { ids }] of index.prompts.entries()) {
      for (const id of ids) {
        const same = this.#promptsOfId.get(id);
        if (same === undefined) this.#promptsOfId.set(id, [prompt]);
        else same.push(prompt);
      }
    }
  }

  /** Embeds the evaluation's prompts. @throws TrustError `bad_option`, `bad_vectors` */
  static async open(
    index: EvalIndex,
    settings: Settings,
    options: SemanticOptions & { embedder: Embedder },
  ): Promise<SemanticMatcher> {
    const { embedder, similarity = SEMANTIC_SIMILARITY, semanticSearch } = options;
    embedOf(embedder);
    if (typeof similarity !== "number" || !(similarity >= 0 && similarity <= 1)) {
      throw new TrustError(
        "bad_option",
        `similarity is ${String(similarity)}.`,
        "Pass a cosine between 0 and 1; the default is 0.85.",
      );
    }
    if (semanticSearch !== undefined && !SEARCHES.includes(semanticSearch)) {
      throw new TrustError(
        "bad_option",
        `semanticSearch is ${JSON.stringify(semanticSearch)}.`,
        "Pass exact or probed, or leave it out.",
      );
    }
    const prompts = await embedTexts(
      embedder,
      index.prompts.map(({ text }) => text),
      options,
    );
    return new SemanticMatcher(index, settings, options, prompts);
  }

  /** What it ran with; probing is held against exact search on a sample of what was searched for so far. */
  reading(): SemanticReading {
    return { ...this.#reading, recall: this.#reading.search === "exact" ? null : this.#recall() };
  }

  /** Evaluation prompts that reach the threshold against one of another task: known negatives. null with fewer than two. */
  falseAlarms(): FalseAlarmRate | null {
    const { prompts } = this.#index;
    if (prompts.length < 2) return null;
    const tried = evenlySpaced(prompts.length, FALSE_ALARM_PROMPTS);
    const dimensions = this.#dimensions;
    const values = new Float32Array(tried.length * dimensions);
    const leftOut = tried.map((prompt, i) => {
      const from = prompt * dimensions;
      values.set(this.#prompts.values.subarray(from, from + dimensions), i * dimensions);
      return new Set([prompt, ...prompts[prompt]!.ids.flatMap((id) => this.#promptsOfId.get(id)!)]);
    });
    const nearest = this.#search.nearest({ values, dimensions }, leftOut);
    const nHits = nearest.filter(({ cosine }) => cosine >= this.#reading.similarity).length;
    return falseAlarmRate("semantic", nHits, tried.length);
  }

  /**
   * Puts hits on the findings of rows that have none.
   *
   * @param isSampled Whether probing is held against exact search on these rows too
   */
  async match(
    rows: readonly Row[],
    findings: readonly RowFinding[],
    { isSampled = true }: { isSampled?: boolean } = {},
  ): Promise<void> {
    if (this.#index.prompts.length === 0) return;
    let waiting: Candidate[] = [];
    for (const [at, row] of rows.entries()) {
      const finding = findings[at]!;
      if (finding.hit !== null) continue;
      const texts = rowTexts(row, this.#settings.fields).filter(({ text }) => text.trim() !== "");
      if (texts.length === 0) continue;
      const leftOut = this.#leftOut(row);
      for (const { field, text } of texts) waiting.push({ finding, field, text, leftOut });
      // Only between rows: a row that was hit by one text is not searched for by the next.
      if (waiting.length < CHUNK) continue;
      await this.#matchTexts(waiting, isSampled);
      waiting = [];
    }
    if (waiting.length > 0) await this.#matchTexts(waiting, isSampled);
  }

  async #matchTexts(candidates: readonly Candidate[], isSampled: boolean): Promise<void> {
    const texts = candidates.map(({ text }) => text);
    const vectors = await embedTexts(this.#options.embedder, texts, this.#options);
    if (vectors.dimensions !== this.#dimensions) {
      throw new TrustError(
        "bad_vectors",
        `The embedder gave ${this.#dimensions} values for evaluation prompts and ${vectors.dimensions} for rows.`,
        "Use one model for both.",
      );
    }
    const nearest = this.#search.nearest(
      vectors,
      candidates.map(({ leftOut }) => leftOut),
    );
    for (const [k, { finding, field, leftOut }] of candidates.entries()) {
      const found = nearest[k]!;
      if (isSampled && this.#reading.search === "probed") this.#draw(vectors, k, leftOut, found);
      if (finding.hit !== null || found.at < 0 || found.cosine < this.#reading.similarity) continue;
      const { text, item } = this.#index.prompts[found.at]!;
      finding.items = [item];
      finding.hit = {
        ...{ rule: "semantic", field, match: "semantic", coverage: null, evalCoverage: null },
        similarity: roundHalfEven(Math.min(1, found.cosine), 4),
        lead: null,
        longestMatch: null,
        judged: null,
        ...{ evalTask: this.#index.items[item]!, evalTextId: null, evalPrompt: cutCodePoints(text, PROMPT_CHARS) },
        shared: null,
      };
    }
  }

  /** Prompts of the row's own tasks: what an id says is not for words to say again. */
  #leftOut(row: Row): ReadonlySet<number> {
    return new Set(taskIdsOf(row, this.#settings.rules).flatMap((id) => this.#promptsOfId.get(id) ?? []));
  }

  /** Keeps a uniform sample of what was searched for, however much that becomes (Vitter 1985, algorithm R). */
  #draw(vectors: UnitVectors, k: number, leftOut: ReadonlySet<number>, found: Nearest): void {
    const place =
      this.#sample.length < RECALL_SAMPLE
        ? this.#sample.length
        : Math.floor(this.#rng.random() * (this.#nSearched + 1));
    this.#nSearched++;
    if (place >= RECALL_SAMPLE) return;
    const { dimensions } = vectors;
    const vector = vectors.values.slice(k * dimensions, (k + 1) * dimensions);
    this.#sample[place] = { vector, leftOut, cosine: found.cosine };
  }

  #recall(): SearchRecall {
    const n = this.#sample.length;
    const values = new Float32Array(n * this.#dimensions);
    for (const [i, { vector }] of this.#sample.entries()) values.set(vector, i * this.#dimensions);
    const exact = this.#search.exact(
      { values, dimensions: this.#dimensions },
      this.#sample.map(({ leftOut }) => leftOut),
    );
    const recall: SearchRecall = { n, nSameNearest: 0, nHits: 0, nHitsFound: 0 };
    for (const [i, { cosine }] of this.#sample.entries()) {
      if (cosine === exact[i]!.cosine) recall.nSameNearest++;
      if (exact[i]!.cosine >= this.#reading.similarity) recall.nHits++;
      if (cosine >= this.#reading.similarity) recall.nHitsFound++;
    }
    return recall;
  }
}

/** One text of a row, on its way to be searched for. */
interface Candidate {
  finding: RowFinding;
  field: string;
  text: string;
  leftOut: ReadonlySet<number>;
}

/** One text that was searched for by probing. */
interface SearchedText {
  vector: Float32Array;
  leftOut: ReadonlySet<number>;
  cosine: number;
}

/** How alike two prompts of different tasks read to the embedder: what it calls similar without a reason. */
function distinctTasks({ prompts }: Pick<EvalIndex, "prompts">, vectors: UnitVectors): SemanticReading["distinct"] {
  const withIds = prompts.flatMap(({ ids }, i) => (ids.length === 0 ? [] : [{ ids, i }]));
  const isSampled = withIds.length > ALL_PAIRS_PROMPTS;
  const cosines: number[] = [];
  const compare = (a: { ids: string[]; i: number }, b: { ids: string[]; i: number }): void => {
    if (a.ids.some((id) => b.ids.includes(id))) return;
    cosines.push(dot(vectors, a.i, vectors, b.i));
  };
  if (isSampled) {
    const rng = new MersenneTwister(0);
    for (let pair = 0; pair < SAMPLED_PAIRS; pair++) {
      const a = Math.floor(rng.random() * withIds.length);
      const b = Math.floor(rng.random() * withIds.length);
      if (a !== b) compare(withIds[a]!, withIds[b]!);
    }
  } else {
    for (let a = 0; a < withIds.length; a++) {
      for (let b = a + 1; b < withIds.length; b++) compare(withIds[a]!, withIds[b]!);
    }
  }
  if (cosines.length < 2) return null;
  const sorted = Float64Array.from(cosines).sort();
  const value = sorted[roundHalfEven(DISTINCT_TASK_PERCENTILE * (sorted.length - 1), 0)]!;
  return { value: Math.min(1, value), nPrompts: withIds.length, isSampled };
}
