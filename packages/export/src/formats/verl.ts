import type { FormatSpec } from "./format-spec.ts";
import { inlineRow } from "./inline-row.ts";

/** Multi-turn rows for verl's SFT trainer, which trains every agent turn and has no way to say otherwise. */
export const verl: FormatSpec = {
  name: "verl",
  kinds: ["sft"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "default", final: "no", unroll: "no" },
  options: ["baseModel"],
  inline: () => "hermes",
  carry: "none",
  fixedColumns: true,
  columns: ["messages"],
  parallelCalls: "yes",
  sources: ["https://github.com/volcengine/verl/blob/b178a3c/verl/utils/dataset/multiturn_sft_dataset.py"],
  maskSentence: () => "assistant: verl trains every agent turn",
  requires: () => [],
  writeSft: (row) => inlineRow(row, "all"),
};
