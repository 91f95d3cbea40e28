// Texts: Unicode code points

/** `prompt`, `reply`, `reference` and `detail` of every stored row: cut in the middle, never refused. */
export const ROW_TEXT_MAX = 2000;
/** `prompt` and `reply` of the sample that travels with a score. */
export const EXAMPLE_TEXT_MAX = 1200;
/** `why`, wherever it stands. */
export const EXAMPLE_WHY_MAX = 400;
/** A judge's instructions: refused when longer, as half of them would be another rubric. */
export const RUBRIC_MAX = 4000;
export const DESCRIPTION_MAX = 400;
/** Each field of an experiment. */
export const EXPERIMENT_FIELD_MAX = 4096;
/** One note of a run. */
export const NOTES_MAX = 8192;
/** `error` of a failed tracked run, cut at its end. */
export const ERROR_MAX = 400;
/** `error` of a training run, cut at its end. */
export const TRAINING_ERROR_MAX = 2000;
export const FIGURE_CAPTION_MAX = 1024;
export const METHOD_MAX = 20;
export const STATUS_MAX = 40;
export const BEHAVIOR_NAME_MAX = 64;
export const AGENT_ID_MAX = 64;
/** Names of agents, datasets, training runs and keys. */
export const NAME_MAX = 200;
/** Description of a dataset or a registered agent. */
export const LONG_DESCRIPTION_MAX = 4096;
export const COST_BASIS_MAX = 200;
export const MODEL_MAX = 120;
export const GPU_MAX = 40;
export const KEY_NAME_MAX = 50;
export const EMAIL_MAX = 254;

// Tags of a row

export const TAGS_MAX = 8;
export const TAG_KEY_MAX = 32;
export const TAG_VALUE_MAX = 80;

// How much in one call

/** Sample rows of one score. */
export const EXAMPLES_MAX = 20;
/** What the sample holds when nobody chose it: the first failures, then passes. */
export const SAMPLE_FAILS = 14;
export const SAMPLE_PASSES = 6;
export const ROWS_PER_CALL = 500;
/** Rows behind one score of one run. */
export const ROWS_MAX = 20_000;
/** Points of one `POST /runs/{id}/train`. */
export const POINTS_PER_TRAIN = 2000;
/** Points of one `POST /runs/{id}/log`. */
export const POINTS_PER_LOG = 500;
/** Values of one point. */
export const POINT_KEYS_MAX = 100;
export const SCORES_PER_CALL = 200;
export const LIVE_DAYS_PER_CALL = 400;
/** The longest page of a list. */
export const LIST_LIMIT_MAX = 500;
export const KEYS_MAX = 5;

// Figures

export const FIGURE_MAX_BYTES = 200_000;
export const FIGURE_MAX_TRACES = 50;
export const FIGURE_TRACE_TYPES: readonly string[] = ["scatter", "bar", "pie"];
/** They load what the page did not ask for, or carry a theme of their own. */
export const FIGURE_DROPPED_LAYOUT_KEYS: readonly string[] = ["images", "updatemenus", "sliders", "template"];

// Bodies: bytes

export const BODY_MAX_BYTES = 1_000_000;
/** Points, scores, rows and traces. */
export const LARGE_BODY_MAX_BYTES = 4_000_000;
/** Tools and system prompt of a registered agent. */
export const AGENT_TEXT_MAX_BYTES = 1_000_000;
export const SUMMARY_MAX_BYTES = 1_000_000;
export const UPLOAD_MAX_BYTES = 5_000_000_000;
/** A set larger than this goes up in parts of about this size. */
export const UPLOAD_PART_BYTES = 16_777_216;
export const UPLOAD_PARTS_MAX = 10_000;
export const UPLOAD_PARTS_PER_CALL = 100;
/** The Python client keeps 400 bytes of an error body before it parses. */
export const ERROR_BODY_MAX_BYTES = 400;
/** Levels of nesting a JSON body may have. */
export const JSON_DEPTH_MAX = 64;

// Sign in: seconds

export const DEVICE_CODE_LIFE_S = 900;
export const DEVICE_POLL_S = 5;
export const DELEGATED_TTL_MIN_S = 60;
export const DELEGATED_TTL_MAX_S = 86_400;
