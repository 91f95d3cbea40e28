/** Verdicts that flip, or a hack that works, this often. */
export const FLIP_FLAG = 0.1;
/** Rows that are judged again. */
export const JUDGE_CHECK_SAMPLE = 40;
/** Rows a hack could work on, under which its share says little. */
export const PROBE_MIN_N = 20;
