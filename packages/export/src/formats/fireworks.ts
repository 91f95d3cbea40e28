import { type FormatSpec, maskName } from "./format-spec.ts";
import { preferredOutputs, unnamed, weightedRow } from "./weighted.ts";

/** Upload files for tuning at Fireworks: chat messages with a `weight` on each agent turn. */
export const fireworks: FormatSpec = {
  name: "fireworks",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "input", "preferred_output", "non_preferred_output"],
  parallelCalls: "yes",
  sources: [
    "https://docs.fireworks.ai/fine-tuning/fine-tuning-models",
    "https://docs.fireworks.ai/fine-tuning/dpo-fine-tuning",
  ],
  maskSentence: maskName,
  requires: () => [],
  writeSft: (row) => weightedRow(row, unnamed),
  preference: { sides: "turn", write: (pair) => preferredOutputs(pair, { emptyTools: true }) },
};
