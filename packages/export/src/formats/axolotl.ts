import { jsonText, newTextCounts } from "../json/json-text.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";
import { inlineCalls, type TextMessage } from "./inline-calls.ts";

/**
 * Rows for Axolotl's chat templates: `train` on each message is the mask. Its loader for pairs keeps role and content
 * alone, so there calls stand in the text.
 */
export const axolotl: FormatSpec = {
  name: "axolotl",
  kinds: ["sft", "preference", "kto"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: ["trainerConfig", "template"],
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
    warns: [
      {
        code: "axolotl_short_reply",
        applies: ({ chosen, rejected }) =>
          inlineCalls([...chosen, ...rejected]).some(({ content }) => content.length < SHORT_REPLY),
        says: (n, pairs) =>
          `${n} of ${pairs} pairs have a side of under ${SHORT_REPLY} characters: Axolotl looks for the reply in the rendered text and may find it in the template's own words.`,
      },
    ],
  },
  kto: {
    columns: ["system", "prompt", "completion", "label"],
    requires: [
      { setting: "rl", value: "kto", why: "other trainers do not read label" },
      {
        setting: "type",
        value: "chatml.ultra",
        why: "it wraps system, prompt and completion in ChatML and no other template",
      },
    ],
    write({ prompt, reply, label, tools }) {
      const { system, turns } = chatmlTurns(inlineCalls(prompt, tools));
      return {
        ...(system === null ? {} : { system }),
        prompt: turns,
        completion: inlineCalls([reply])[0]!.content,
        label,
      };
    },
    check({ prompt }) {
      const turns = prompt.filter(({ role }) => role !== "system");
      if (turns[0]?.role !== "user") return "it does not begin with a person's turn";
      return turns.at(-1)?.role === "assistant" ? "its reply follows an agent turn" : null;
    },
  },
};

/** Shorter replies are found in the words of a template. */
const SHORT_REPLY = 8;

/**
 * The loader puts one turn of the user's between its own marks. What else was said stands inside that turn, with the marks
 * that ChatML has for it, so that the whole is rendered as a template would render it.
 */
function chatmlTurns(messages: readonly TextMessage[]): { system: string | null; turns: string } {
  const [first, ...rest] = messages;
  const hasSystem = first?.role === "system";
  const [opening, ...later] = hasSystem ? rest : messages;
  const turns = later.map(({ role, content }) => `<|im_end|>\n<|im_start|>${role}\n${content}`);
  return { system: hasSystem ? first.content : null, turns: [opening?.content ?? "", ...turns].join("") };
}
