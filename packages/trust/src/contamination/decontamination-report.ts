import type { FalseAlarms } from "./false-alarms.ts";
import type { DropRule, Hit } from "./finding.ts";
import type { ProfileName } from "./profiles.ts";
import type { JudgeReading } from "./question-judge.ts";
import type { SearchRecall } from "./semantic-reading.ts";
import type { RuleSet, Shingles } from "./token-scanner.ts";
import type { Search } from "./vector-search.ts";

/** One run of words that explains several hits: a template, or one question that was copied again and again. */
export interface SharedSpan {
  /** The words, their first 300 code points. */
  text: string;
  /** Words, or characters where runs are of these. */
  nTokens: number;
  /** Hits of `near` and `contains` whose shared words hold this run. */
  nHits: number;
}

/** How much of each evaluation text one training row holds, by the marks of a published rule; every text is in one of the three. */
export interface EvalMarks {
  /** Less than the lower mark: 20% by Llama 2. */
  clean: number;
  between: number;
  /** The upper mark or more: 80% by Llama 2. */
  dirty: number;
}

/** What of a training set an evaluation already holds, by which rule, and which rules could not run. */
export interface DecontaminationReport {
  /** Rows that are objects. */
  n: number;
  nKept: number;
  /** Rows dropped. A row counts once, under the first rule that caught it. */
  nContaminated: number;
  /** Dropped of n; 0 where there are no rows. */
  contaminationRate: number;
  nSameTask: number;
  nExact: number;
  nNear: number;
  /** Rows that hold a whole evaluation text; among the dropped ones unless `containsAction` is report. */
  nContains: number;
  /** Near duplicates of an evaluation prompt as sets; among the dropped ones where `jaccardAction` is drop. */
  nNearDuplicate: number;
  nSemantic: number;
  /** Rows that were only listed, and that the judge calls an evaluation question. */
  nJudge: number;
  /** Rows that are kept and listed: reworded questions, short ones with a word changed, and what shares a template alone. */
  nRelated: number;
  /** Of these, the short ones: all words of the one but for one word stand in the other. */
  nShort: number;
  /** Rows whose program is one of the evaluation's but for its names, listed and kept; 0 unless asked for. */
  nCode: number;
  /** Rows, near copies among them, that ask an evaluation question with other numbers; 0 unless asked for. */
  nNumberSwap: number;
  /** Rows kept although they hold a short answer word for word. */
  nSpared: number;
  /** Training rows and evaluation rows that have text and no word in it. */
  nUnreadable: number;
  nEvalRows: number;
  nEvalTexts: number;
  rules: RuleSet;
  profile: ProfileName;
  /** What a run is made of, and of how many. */
  shingles: Shingles;
  ngram: number;
  overlap: number;
  evalOverlap: number;
  /** Words of a shared run that may differ. */
  skip: number;
  /** null where near duplicates were not looked for. */
  jaccard: number | null;
  /** null without an embedder. */
  similarity: number | null;
  /** Whether rows were compared with every evaluation prompt, or with those of the nearest clusters; null without an embedder. */
  semanticSearch: Search | null;
  /** What the nearest clusters miss, on a sample; null where every prompt was compared. */
  searchRecall: SearchRecall | null;
  /** Score and lead together from which a row reads as reworded; null where that rule did not run. */
  relatedThreshold: number | null;
  evalBackground: number;
  rowBackground: number | null;
  fields: readonly string[];
  /** Hits by field; shared ids are under `task`. */
  byField: Map<string, number>;
  /** The first 20 rows that were dropped. */
  examples: Hit[];
  /** Of the rows that are only listed, the first 20. */
  relatedExamples: Hit[];
  /** What several hits share, most hits first; the first five. */
  sharedSpans: SharedSpan[];
  /** Training rows by the evaluation's task that they hit, the 100 tasks with most. */
  evalHitRows: Map<string, number>;
  /** Every task of the evaluation that a dropped row hit, sorted by its place in the evaluation. */
  hitTasks: string[];
  /** What the caller's judge was asked; null without one. */
  judge: JudgeReading | null;
  /** Evaluation texts by how much of them a row holds; null for profiles without such marks. */
  evalMarks: EvalMarks | null;
  /** What each rule says, at these thresholds, of texts that hold nothing of the evaluation. */
  falseAlarms: FalseAlarms;
  /** What two different tasks of the evaluation reach with this embedder; null without one, or without two ids. */
  distinctTaskSimilarity: number | null;
  /** Rules that could not run, and why. */
  rulesSkipped: Map<DropRule | "related", string>;
  notes: string[];
  warnings: string[];
}
