import type { FormatSpec } from "./format-spec.ts";
import { inlineRow } from "./inline-row.ts";

/** Multi-turn rows for verl's SFT trainer, which trains every agent turn and has no way to say otherwise. */
export const verl: FormatSpec = {
  name: "verl",
  kinds: ["sft", "grpo"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "default", final: "no", unroll: "no" },
  options: ["baseModel", "template"],
  inline: () => "hermes",
  carry: "none",
  fixedColumns: true,
  columns: ["messages"],
  parallelCalls: "yes",
  sources: ["https://github.com/volcengine/verl/blob/b178a3c/verl/utils/dataset/multiturn_sft_dataset.py"],
  maskSentence: () => "assistant: verl trains every agent turn",
  requires: () => [],
  writeSft: (row) => inlineRow(row, "all"),
  grpo: {
    // Its loader goes by the name of the file, and knows no other.
    extensions: [".parquet", ".json"],
    requires: [
      {
        setting: "data_source",
        value: "a name that the reward function knows",
        why: "it picks the reward function, and an unknown one fails at the first reward",
      },
    ],
    write: ({ prompt, ask, taskId, scenarioId, infoJson, split, index, dataSource, ability }) => ({
      data_source: dataSource,
      prompt,
      ability,
      reward_model: { style: "rule", ground_truth: "" },
      extra_info: { split, index, task_id: taskId, scenario_id: scenarioId, prompt_text: ask, info_json: infoJson },
    }),
  },
};
