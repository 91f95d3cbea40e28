import { longer } from "./longer.ts";
import { addRun, emptyRunTable, type RunTable } from "./run-table.ts";
import { TextFeatures } from "./text-features.ts";

/** One kind of feature over all prompts: which prompt has which, and what each weighs. */
export interface FeatureTable {
  weights: Float64Array;
  /** What a feature weighs that no prompt has. */
  unknown: number;
  /** Where the features of each prompt begin in `features`; one more than there are prompts. */
  starts: Uint32Array;
  features: Uint32Array;
  norms: Float64Array;
}

/** What the prompts of an evaluation weigh, word by word. Plain data of typed arrays, so that threads share it. */
export interface RelatedIndex {
  stems: readonly string[];
  numberTexts: readonly string[];
  words: FeatureTable;
  numbers: FeatureTable;
  runs: FeatureTable;
  runTable: RunTable;
  /** The prompts that have a stem, ascending, and where those of each begin; one more than there are stems. */
  postings: Uint32Array;
  postingStarts: Uint32Array;
  /** Stems from the rarest to the commonest, and the place of each of them. */
  rarestFirst: Uint32Array;
  rank: Uint32Array;
}

export function buildRelatedIndex(prompts: readonly { text: string }[]): RelatedIndex {
  const reader = new TextFeatures();
  const [words, numbers, runs] = [new FeatureLists(), new FeatureLists(), new FeatureLists()];
  const runTable = emptyRunTable(1000);
  for (const { text } of prompts) {
    reader.read(text);
    reader.readRuns();
    words.add(reader.words.values, reader.words.size);
    numbers.add(reader.numbers.values, reader.numbers.size);
    const ids = reader.runs.hashes.subarray(0, reader.runs.size).map((hash) => addRun(runTable, hash));
    runs.add(ids, ids.length);
  }
  const stems = reader.stems;
  const wordTable = words.table(stems.length);
  return {
    ...{ stems, numberTexts: reader.numberTexts, words: wordTable },
    numbers: numbers.table(reader.numberTexts.length),
    runs: runs.table(runTable.size),
    runTable,
    ...invert(wordTable, stems.length),
  };
}

/** The features of one prompt after the other, as they are read. */
class FeatureLists {
  readonly #starts: number[] = [0];
  #features: Uint32Array = new Uint32Array(1024);

  add(features: Uint32Array | Int32Array, size: number): void {
    const from = this.#starts.at(-1)!;
    if (from + size > this.#features.length) this.#features = longer(this.#features, from + size);
    this.#features.set(features.subarray(0, size), from);
    this.#starts.push(from + size);
  }

  table(nFeatures: number): FeatureTable {
    const starts = Uint32Array.from(this.#starts);
    const n = starts.length - 1;
    const features = this.#features.slice(0, starts[n]);
    const counts = new Uint32Array(nFeatures);
    for (const feature of features) counts[feature]!++;
    // Squared inverse document frequency (Spärck Jones 1972): each shared feature counts twice, once a side.
    const weights = Float64Array.from(counts, (count) => Math.log((n + 1) / (count + 1)) ** 2);
    const norms = new Float64Array(n);
    for (let prompt = 0; prompt < n; prompt++) {
      let sum = 0;
      for (let i = starts[prompt]!; i < starts[prompt + 1]!; i++) sum += weights[features[i]!]!;
      norms[prompt] = Math.sqrt(sum);
    }
    return { weights, unknown: Math.log(n + 1) ** 2, starts, features, norms };
  }
}

/** From stems to prompts. */
function invert(
  { starts, features }: FeatureTable,
  nStems: number,
): Pick<RelatedIndex, "postings" | "postingStarts" | "rarestFirst" | "rank"> {
  const postingStarts = new Uint32Array(nStems + 1);
  for (const stem of features) postingStarts[stem + 1]!++;
  for (let stem = 0; stem < nStems; stem++) postingStarts[stem + 1]! += postingStarts[stem]!;
  const next = postingStarts.slice();
  const postings = new Uint32Array(features.length);
  for (let prompt = 0; prompt + 1 < starts.length; prompt++) {
    for (let i = starts[prompt]!; i < starts[prompt + 1]!; i++) postings[next[features[i]!]!++] = prompt;
  }
  const count = (stem: number) => postingStarts[stem + 1]! - postingStarts[stem]!;
  const rarestFirst = Uint32Array.from({ length: nStems }, (_, stem) => stem);
  rarestFirst.sort((a, b) => count(a) - count(b) || a - b);
  const rank = new Uint32Array(nStems);
  for (const [place, stem] of rarestFirst.entries()) rank[stem] = place;
  return { postings, postingStarts, rarestFirst, rank };
}
