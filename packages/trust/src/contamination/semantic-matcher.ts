import { cutCodePoints, type Row, roundHalfEven } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { dot, type Embedder, type EmbedOptions, embedOf, embedTexts, type UnitVectors } from "./embedder.ts";
import type { EvalIndex } from "./eval-index.ts";
import type { RowFinding } from "./finding.ts";
import { DISTINCT_TASK_PERCENTILE, SEMANTIC_SIMILARITY, type Settings } from "./options.ts";
import { rowTexts, taskIdsOf } from "./row-texts.ts";
import type { SemanticReading } from "./semantic-reading.ts";

const PROMPT_CHARS = 120;
/** Prompts up to which all pairs are compared, and pairs that are drawn beyond. */
const ALL_PAIRS_PROMPTS = 2000;
const SAMPLED_PAIRS = 2_000_000;

export interface SemanticOptions extends EmbedOptions {
  /** Anything that turns texts into vectors; no model is part of this package. */
  embedder?: Embedder;
  /** Cosine from which a row is dropped. The default was read off a BGE model and carries over to no other. */
  similarity?: number;
}

export const SEMANTIC_NAMES = ["embedder", "similarity", "embedBatch", "embedConcurrency"] as const;

/** Whether a row that no other rule caught asks what an evaluation prompt asks, by a caller's embedder. */
export class SemanticMatcher {
  readonly reading: SemanticReading;
  readonly #index: EvalIndex;
  readonly #settings: Settings;
  readonly #options: SemanticOptions & { embedder: Embedder };
  readonly #prompts: UnitVectors;

  private constructor(
    index: EvalIndex,
    settings: Settings,
    options: SemanticOptions & { embedder: Embedder },
    prompts: UnitVectors,
  ) {
    this.#index = index;
    this.#settings = settings;
    this.#options = options;
    this.#prompts = prompts;
    const similarity = options.similarity ?? SEMANTIC_SIMILARITY;
    this.reading = { similarity, distinct: distinctTasks(index, prompts), nPrompts: index.prompts.length };
  }

  /** Embeds the evaluation's prompts. @throws TrustError `bad_option`, `bad_vectors` */
  static async open(
    index: EvalIndex,
    settings: Settings,
    options: SemanticOptions & { embedder: Embedder },
  ): Promise<SemanticMatcher> {
    const { embedder, similarity = SEMANTIC_SIMILARITY } = options;
    embedOf(embedder);
    if (typeof similarity !== "number" || !(similarity >= 0 && similarity <= 1)) {
      throw new TrustError(
        "bad_option",
        `similarity is ${String(similarity)}.`,
        "Pass a cosine between 0 and 1; the default is 0.85.",
      );
    }
    const prompts = await embedTexts(
      embedder,
      index.prompts.map(({ text }) => text),
      options,
    );
    return new SemanticMatcher(index, settings, options, prompts);
  }

  /** Puts hits on the findings of rows that have none. */
  async match(rows: readonly Row[], findings: readonly RowFinding[]): Promise<void> {
    if (this.#index.prompts.length === 0) return;
    const candidates: { at: number; field: string; text: string }[] = [];
    for (const [at, row] of rows.entries()) {
      if (findings[at]!.hit !== null) continue;
      for (const { field, text } of rowTexts(row, this.#settings.fields)) {
        if (text.trim() !== "") candidates.push({ at, field, text });
      }
    }
    const vectors = await embedTexts(
      this.#options.embedder,
      candidates.map(({ text }) => text),
      this.#options,
    );
    if (candidates.length > 0 && vectors.dimensions !== this.#prompts.dimensions) {
      throw new TrustError(
        "bad_vectors",
        `The embedder gave ${this.#prompts.dimensions} values for evaluation prompts and ${vectors.dimensions} for rows.`,
        "Use one model for both.",
      );
    }
    for (const [k, { at, field }] of candidates.entries()) {
      const finding = findings[at]!;
      if (finding.hit !== null) continue;
      const ids = taskIdsOf(rows[at]!, this.#settings.rules);
      let best = -1;
      let value = Number.NEGATIVE_INFINITY;
      for (const [j, prompt] of this.#index.prompts.entries()) {
        if (prompt.ids.some((id) => ids.includes(id))) continue;
        const cosine = dot(vectors, k, this.#prompts, j);
        if (cosine <= value) continue;
        best = j;
        value = cosine;
      }
      if (best < 0 || value < this.reading.similarity) continue;
      const { text, item } = this.#index.prompts[best]!;
      finding.items = [item];
      finding.hit = {
        ...{ rule: "semantic", field, match: "semantic", coverage: null, evalCoverage: null },
        similarity: roundHalfEven(Math.min(1, value), 4),
        lead: null,
        ...{ evalTask: this.#index.items[item]!, evalTextId: null, evalPrompt: cutCodePoints(text, PROMPT_CHARS) },
        shared: null,
      };
    }
  }
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
