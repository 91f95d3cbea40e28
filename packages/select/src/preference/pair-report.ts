import type { PrivilegedLeaksReport } from "../rows/drop-privileged-leaks.ts";
import type { PairMatching } from "./pair-options.ts";

export interface PairReport {
  pairs: number;
  /** Prompts with a graded row. */
  promptsSeen: number;
  /** Prompts that gave a pair. */
  promptsWithContrast: number;
  matching: PairMatching;
  minMargin: number;
  meanMargin: number | null;
  /** Pairs in which a score is neither 0 nor 1. */
  partialScorePairs: number;
  firstTurnIdentical: number;
  /** Pairs that a trainer of first turns can use. */
  trainerPairs: number;
  samePolicyPairs: number;
  mixedPolicyPairs: number;
  /** Pairs with a row that an evaluation scored. */
  evalSourced: number;
  /** Pairs refused because both replies are the same to the letter: the label is noise there. */
  identicalReplies: number;
  /** Rows without a usable score, by why. */
  unscored: { notOk: number; noReward: number; outOfRange: number; noPrompt: number; notRows: number };
  /** Rows that quote their own privileged block, dropped before anything else. */
  privilegedLeaks: PrivilegedLeaksReport;
  length: {
    /** Upper median of `length_delta`; null without pairs. */
    medianDelta: number | null;
    chosenLonger: number;
    chosenLongerFrac: number | null;
    /**
     * Mean margin of the pairs in which the chosen reply is not the longer one: what is preferred beyond length. null
     * without such pairs.
     */
    marginAgainstLength: number | null;
  };
  warnings: string[];
  /** Why there are no pairs; null when there are. */
  note: string | null;
}
