import type { UnsafeIntegers } from "../json/json-text.ts";

export interface ReadOptions {
  /** `auto` finds out from the first 20 records of each file; a name forces one format on all. */
  format?: string;
  /** `error` names the first five bad rows and their count; `skip` leaves them out and counts them. */
  onBadRow?: "error" | "skip";
  /**
   * Forgive a last line that is not JSON, which a crash leaves behind when rows are appended. By default only in formats
   * whose writer appends (verifiers).
   */
  tolerateTail?: boolean;
  /** Integers too large for a double: exact text of ids, of all, or of none. */
  unsafeIntegers?: UnsafeIntegers;
  invalidUtf8?: "refuse" | "replace";
  /** Two rows with one `rollout_id` are refused unless they are kept on purpose. */
  duplicates?: "refuse" | "keep";
  /**
   * Column or columns that hold the verdict, first readable one wins. Of loose rows, and of evaluations that measure
   * several things: there it is the name of a metric.
   */
  rewardKey?: string | readonly string[];
  /** Range of the file's scores, mapped linearly onto [0, 1]; the score itself stays in `judge_meta.rating`. */
  scale?: readonly [low: number, high: number];
  /** Scores at or above it are 1, others 0. In the file's own units. */
  threshold?: number;
  /** Keep a reward between 0 and 1 as partial credit. By default only where it stands under `reward`. */
  keepFractional?: boolean;
  /** Keep rollouts that ended in an infrastructure error, ungraded. */
  keepErrors?: boolean;
  /** Written to `lineage.source` instead of the format's own word (`eval` for evaluations). */
  source?: string;
  /** Preference records: two rows of one task, or one row with `chosen` and `rejected`. */
  as?: "rows" | "pairs";
  /** The environment or task that the ids of an evaluation belong to, where its files do not name it. */
  env?: string;
  /** lm-evaluation-harness: the filter whose answers are wanted, where they went through several. */
  filter?: string;
  /** Inspect: the scorer whose score is the reward; the first one listed by default. */
  scorer?: string;
  /** Inspect: the key of the reward where a scorer gives several numbers. */
  scoreKey?: string;
  /** A folder of tau2-bench whose index and simulations do not match is refused, unless it is read as it is. */
  allowPartial?: boolean;
  /** CSV: the character between cells; found from the header by default. */
  delimiter?: string;
  /**
   * Told of each JSON record with the text it stood in, before a row is made of it: only the text has every digit of
   * its numbers.
   */
  onRecord?: (record: Record<string, unknown>, text: string) => void;
}
