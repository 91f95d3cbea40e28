/** `no_difference_detected` is an interval that covers zero (or a p-value that does not agree): no claim of equality. */
export type CompareVerdict = "a_better" | "b_better" | "no_difference_detected" | "insufficient_data";
