import { jsonText, newTextCounts } from "../json/json-text.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";

/**
 * Rows for Axolotl's chat templates: `train` on each message is the mask. Its loader for pairs keeps role and content
 * alone, so there calls stand in the text.
 */
export const axolotl: FormatSpec = {
  name: "axolotl",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: ["trainerConfig"],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "chosen", "rejected"],
  parallelCalls: "template",
  sources: [
    "https://github.com/axolotl-ai-cloud/axolotl/blob/067b021c/docs/dataset-formats/conversation.qmd",
    "https://github.com/axolotl-ai-cloud/axolotl/blob/067b021c/src/axolotl/prompt_strategies/chat_template.py",
  ],
  maskSentence: maskName,
  requires: () => [
    { setting: "type", value: "chat_template", why: "other types read other columns" },
    {
      setting: "message_field_training",
      value: "train",
      why: "the mask stands there; unset, only the last message trains",
    },
    { setting: "roles_to_train", value: "[]", why: "a role listed there trains whatever train says" },
    { setting: "train_on_eos", value: "turn", why: "the end of a turn trains where its turn does" },
  ],
  writeSft({ messages, loss_mask: mask, tools }) {
    const trainedMessages = mask.reduce<number>((sum, bit) => sum + bit, 0);
    return {
      row: {
        messages: messages.map((message, index) => ({ ...message, train: mask[index] === 1 })),
        // A string column cannot be padded by an Arrow reader.
        ...(tools === undefined ? {} : { tools: jsonText(tools, ", ", newTextCounts()) }),
      },
      trainedMessages,
      maskedMessages: messages.length - trainedMessages,
      trailingMessages: 0,
    };
  },
  preference: {
    sides: "turn",
    requires: [{ setting: "type", value: "chat_template.default", why: "it reads messages, chosen and rejected" }],
    write: ({ prompt, chosen, rejected, tools }) => ({
      messages: inlineCalls(prompt, tools),
      chosen: inlineCalls(chosen)[0],
      rejected: inlineCalls(rejected)[0],
    }),
  },
};
