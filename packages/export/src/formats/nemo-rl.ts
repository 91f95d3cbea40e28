import { withObjects } from "../trl/to-trl.ts";
import type { FormatSpec } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";

/** Rows for NeMo-RL: chats with calls as they are, pairs with calls in the text, for which it has no schemas. */
export const nemoRl: FormatSpec = {
  name: "nemo-rl",
  kinds: ["sft", "preference"],
  encoding: "dict",
  masks: { assistant: "default", final: "no", unroll: "no" },
  options: ["trainerConfig", "template"],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "context", "completions"],
  parallelCalls: "template",
  sources: [
    "https://github.com/NVIDIA-NeMo/RL/blob/7ea279a/docs/guides/sft.md",
    "https://github.com/NVIDIA-NeMo/RL/blob/7ea279a/nemo_rl/data/datasets/response_datasets/oai_format_dataset.py",
  ],
  maskSentence: () => "assistant: NeMo-RL trains every agent turn",
  requires: () => [
    { setting: "use_preserving_dataset", value: "true", why: "without it calls are padded with null arguments" },
  ],
  writeSft({ messages, tools }) {
    // Its loader asserts that the last message is the agent's.
    const end = messages.findLastIndex(({ role }) => role === "assistant") + 1;
    if (end === 0) return null;
    const kept = messages.slice(0, end);
    const trainedMessages = kept.filter(({ role }) => role === "assistant").length;
    return {
      row: { messages: kept.map(withObjects), ...(tools === undefined ? {} : { tools }) },
      trainedMessages,
      maskedMessages: end - trainedMessages,
      trailingMessages: messages.length - end,
    };
  },
  preference: {
    sides: "turn",
    write: ({ prompt, chosen, rejected, tools }) => ({
      context: inlineCalls(prompt, tools),
      completions: [
        { rank: 0, completion: inlineCalls(chosen) },
        { rank: 1, completion: inlineCalls(rejected) },
      ],
    }),
  },
};
