import type { Search } from "./vector-search.ts";

/** What an embedder brought to light, and whether it could. */
export interface SemanticReading {
  similarity: number;
  /** What two different tasks reach, over how many prompts; null with fewer than two pairs of ids. */
  distinct: { value: number; nPrompts: number; isSampled: boolean } | null;
  nPrompts: number;
  /** Whether a row is compared with every prompt, or with those of the nearest clusters. */
  search: Search;
  /** What probing finds, on rows drawn from those that were searched for; null where every prompt was compared. */
  recall: SearchRecall | null;
}

/** Probed against exact search on a sample of rows. */
export interface SearchRecall {
  /** Texts of rows that were searched for both ways, up to 200. */
  n: number;
  /** Those for which both find the same prompt, or one as near. */
  nSameNearest: number;
  /** Those that reach the threshold by exact search, and by probing. */
  nHits: number;
  nHitsFound: number;
}
