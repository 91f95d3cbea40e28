import type { Phrase } from "../phrase.ts";

/** Phrases that tell one habit of speech. To change what counts, change the lists; the examples are run as tests. */
export interface PhraseFamily {
  /** The marker on a row: 1 when no phrase is there. */
  marker: string;
  /** What reports of shortcuts call it, where 1 is present; null where none reads it. */
  feature: string | null;
  /** What a reward that pays for it teaches. */
  tic: string;
  /** What the Python SDK looks for, as letters. */
  v1: readonly string[];
  v2: readonly Phrase[];
  /** Replies of which each must count, and replies of which none may. */
  examples: { fires: readonly string[]; holds: readonly string[] };
}
