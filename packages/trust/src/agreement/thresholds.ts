/** Labels under which a share of agreement is coarse: its interval is some twenty points wide. */
export const MIN_GOLD = 50;
/** Most labels that a report asks for; a judge that needs more of them to pass needs a better prompt. */
export const MAX_GOLD_ASK = 200;
/** Where the search for a number of labels ends. */
export const LABEL_SEARCH_MAX = 1000;
/** Floor for the lower bound of agreement with gold. */
export const MIN_AGREEMENT = 0.8;
/** Floor for kappa. */
export const MIN_KAPPA = 0.6;
/** Under it a judge agrees about as often as a coin of its own bias. */
export const GUESSING_KAPPA = 0.2;
/** Share of bad work passed from which those rows train the failure. */
export const LEAK_THRESHOLD = 0.1;
/** Floor, by the strict rule, for the lower bounds of the right passes and the right fails. */
export const MIN_CLASS_RATE = 0.7;
/** Labels of each class without which the strict rule says nothing. */
export const MIN_PER_CLASS = 10;
/** Kappa and AC1 this far apart: the correction for chance is that of a rare class. */
export const SKEW_GAP = 0.2;
/** Share of labeled rows with a reward between 0 and 1 over which what is left is no sample of them. */
export const MAX_SKIPPED_SHARE = 0.1;
/** Share of labeled rows without a verdict over which the strict rule says nothing: long and hard ones go missing. */
export const MAX_UNJUDGED_SHARE = 0.05;
/** Long replies passed this much more often than short ones of the same gold label. */
export const LENGTH_GAP_FLAG = 0.15;
export const LENGTH_MIN_ROWS_PER_LABEL = 6;
/** The same over both labels at once, where it is told from noise by one test. */
export const LENGTH_POOLED_FLAG = 0.05;
/** Agreement on the two halves of the tasks this far apart. */
export const HALVES_GAP_FLAG = 0.15;
export const HALVES_MIN_ROWS = 10;
