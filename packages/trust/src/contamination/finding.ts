/** Which rule dropped a row, in the order in which they are tried. */
export const DROP_RULES = ["same_task", "exact", "near", "contains", "near_duplicate", "semantic", "judge"] as const;

export type DropRule = (typeof DROP_RULES)[number];

/** Rules that list a row and drop none. */
export type ListRule =
  | "contains"
  | "near_duplicate"
  | "related"
  | "semantic"
  | "short"
  | "background"
  | "number_swap"
  | "code";

/** A training row that holds something of the evaluation. */
export interface Hit {
  /** Of the row among the training rows. */
  index: number;
  rule: DropRule | ListRule;
  /** The field it was found in, `task` for an id. */
  field: string;
  /** What matched: the rule's name, or the first run of words that is shared. */
  match: string;
  /** Share of the row's words that the evaluation text explains; null where words were not what was compared. */
  coverage: number | null;
  /** Share of the evaluation text's words that the row holds. */
  evalCoverage: number | null;
  /** Cosine, for `near_duplicate` the Jaccard similarity, for `related` the score of what is shared; null for the other rules. */
  similarity: number | null;
  /** For `related`, by how much that score leads the second evaluation prompt; null for the other rules. */
  lead: number | null;
  /** The evaluation's task, by its name; several tasks may have one wording, and this is the first. */
  evalTask: string;
  /** Which of the evaluation's texts, in the order in which they were first seen; null where an id matched. */
  evalTextId: number | null;
  /**
   * Words of the longest run that both have, when up to four words in it may differ; null unless `longestMatch` asks for it, and for
   * rules that look at no runs.
   */
  longestMatch: number | null;
  /** Whether the caller's judge calls both one question; null where it was not asked, or gave no answer. */
  judged: boolean | null;
  /** How the evaluation asks it, its first 120 code points; null where an id matched. */
  evalPrompt: string | null;
  /**
   * The row's words with those in brackets that the evaluation text has too; null where none had to be looked at. For `related` the rare words and
   * numbers that both have.
   */
  shared: string | null;
}

/** What was found about one row, before it is known which of the training rows it is. */
export interface RowFinding {
  /** What it is dropped for. */
  hit: Omit<Hit, "index"> | null;
  /** What it is only listed for. */
  listed: Omit<Hit, "index">[];
  hasTaskId: boolean;
  /** It has text under the fields, and no word in it. */
  isUnreadable: boolean;
  /** It holds an answer so short that it would match anything, and is kept. */
  isSpared: boolean;
  /** Tasks of the evaluation that the hit stands for. */
  items: number[];
  /** The longest run of words that is shared, for the rules that look at runs. */
  span: string | null;
  /** Evaluation texts that lie in the row by the share that counts as no longer clean, where a published rule has one. */
  marks: [text: number, share: number][];
  /** For a shared id: the row's words are none of those of the evaluation's rows of that id. */
  isUnlike: boolean;
}
