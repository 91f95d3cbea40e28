import type { WirePair } from "../preference/wire-pair.ts";
import { type FormatRow, type FormatSpec, maskName } from "./format-spec.ts";

/**
 * The rows of `trainingRows` as they are: arguments as JSON text, `loss_mask` beside the messages. For storage, for
 * our own readers and for trainers that read a mask. It is no upload file for OpenAI, where `loss_mask` and the
 * carried columns are unknown keys.
 */
export const openai: FormatSpec = {
  name: "openai",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "columns",
  columns: ["messages", "loss_mask", "prompt", "chosen", "rejected", "tools"],
  parallelCalls: "yes",
  sources: ["https://platform.openai.com/docs/api-reference/chat/create"],
  maskSentence: maskName,
  requires: () => [],
  writeSft(row): FormatRow {
    const trainedMessages = row.loss_mask.reduce<number>((sum, bit) => sum + bit, 0);
    return { row, trainedMessages, maskedMessages: row.messages.length - trainedMessages, trailingMessages: 0 };
  },
  preference: {
    sides: "whole",
    // Its DPO trainer indexes the text under `prompt` as if it were messages.
    notFor: "trl",
    write: ({ ask, chosen, rejected, tools, beside }: WirePair) => ({
      prompt: ask,
      chosen,
      rejected,
      tools,
      ...beside,
    }),
  },
};
