// Numbers that carry a decision. Each is used by name; the reason stands beside it.

/** Confidence of every `ci95`. */
export const CI_LEVEL = 0.95;

/** False alarms a test allows, in both directions together or in the one it asks about. */
export const ALPHA = 0.05;

/** 1.96 and not 1.959964, so that a printed band can be checked by hand. */
export const Z_95 = 1.96;

/** Resamples of a drawn interval. */
export const BOOTSTRAP_DRAWS = 2000;

/** Fewest tasks an interval is read from: with two, a resample is one of three means. */
export const MIN_CI_TASKS = 3;

/** Shared tasks from which two runs are compared pair by pair. */
export const MIN_PAIRED_TASKS = 5;

/** Share of tasks in both runs under which a comparison says that most of them are unpaired. */
export const UNPAIRED_MAJORITY_SHARE = 0.5;

/** Scorings of one agent from which their spread is worth reading. */
export const MIN_RERUNS = 3;

/** Points of run-to-run standard deviation under which an eval is very stable, and under which it is stable. */
export const VARIANCE_BANDS: { readonly veryStable: number; readonly stable: number } = {
  veryStable: 0.35,
  stable: 0.7,
};

/** Chance to see a gain that is there, which a held-out set is sized for. */
export const POWER = 0.8;

/** Fewest tasks an answer about the size of a set gives. */
export const MIN_HOLDOUT_TASKS = 2;

/** Pass rate that a set is sized for when none is measured: in the middle of what can still rise. */
export const BASE_PASS_RATE = 0.6;

/** Pass rate from which a set has no room left to show a gain. */
export const CEILING_PASS_RATE = 0.9;

/** The gain a held-out set is asked to prove: five points. */
export const PROVE_EFFECT = 0.05;

/** Rollouts a task: the default when a set is sized, and the smallest k that pass^k and pass@k are reported at. */
export const ROLLOUTS_PER_TASK = 4;

/** Longest curve over k: beyond it nobody reads the table, and the estimates rest on ever fewer tasks. */
export const MAX_CURVE_K = 64;

/** Pass rates of tasks that teach: neither always solved nor never. Both edges are inside. */
export const DIFFICULTY_BAND: { readonly lo: number; readonly hi: number } = { lo: 0.2, hi: 0.8 };

/** Rollouts a task's place in the band should be measured from; with 4, one lucky rollout moves it by 0.25. */
export const DIFFICULTY_BAND_ROLLOUTS = 16;

/** Below is a failure, above a pass, wherever partial credit has to be split in two. */
export const PASS_THRESHOLD = 0.5;

/** Share of hard rows under which a set is too easy to show a difference. */
export const HARD_SHARE_FLOOR = 0.3;

/** Rows from which the share of hard ones is worth a warning. */
export const HARD_SHARE_MIN_ROWS = 20;

/** Share of rows of unknown difficulty above which the share of hard ones is only a floor. */
export const UNLABELLED_SHARE_WARN = 0.1;

/** Completions the engine samples per phrasing when rows are made for supervised fine-tuning. */
export const SFT_COMPLETIONS_PER_PROMPT = 4;

/** Tasks with both outcomes under which a grouped training run is warned about. */
export const TRAIN_MIN_MIXED_TASKS = 32;

/** |correlation| from which a reward is said to follow a feature. */
export const HACK_THRESHOLD = 0.3;

/** Slack in the inclusive direction when a computed share meets one of these numbers: 0.3 - 0.1 is under 0.2. */
export const THRESHOLD_SLACK = 1e-9;
