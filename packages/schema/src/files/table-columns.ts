/** Keys of a row that hold a list or an object. Tables of one type a column carry them as JSON. */
const STRUCTURED: ReadonlySet<string> = new Set([
  "steps",
  "messages",
  "markers",
  "lineage",
  "faults",
  "judge_meta",
  "gold_labels",
  "gold_ratings",
  "calibration",
  "sampling",
  "usage",
  "tools",
  "privileged",
  "trace_flags",
  "loss_mask",
  "token_logprobs",
  "harness",
  "chosen",
  "rejected",
]);

/** Columns of flattened rows; they are put back together for every kind of file in one place. */
const FLAT: ReadonlySet<string> = new Set(["steps_json", "messages_json", "metadata_json"]);

/** `markers.<name>`: a column for each marker. */
export const MARKER_COLUMN = "markers.";

/** Whether text in a column may be JSON, by its name. */
export function isJsonColumn(name: string): boolean {
  return STRUCTURED.has(name) || (name.endsWith("_json") && !FLAT.has(name));
}
