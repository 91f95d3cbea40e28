import { argumentTree } from "../conversation/argument-text.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import type { WireMessage } from "../training-row.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";

/** A message of ms-swift: calls and answers have roles of their own, `loss` is the mask. */
interface SwiftMessage {
  role: "system" | "user" | "assistant" | "tool_call" | "tool_response";
  content: string;
  loss?: boolean;
}

/** Rows and pairs for ms-swift. */
export const msSwift: FormatSpec = {
  name: "ms-swift",
  kinds: ["sft", "preference", "kto", "reward-model", "grpo"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "rejected_messages", "rejected_tools"],
  parallelCalls: "yes",
  sources: [
    "https://github.com/modelscope/ms-swift/blob/3602360/docs/source_en/Customization/Custom-dataset.md",
    "https://github.com/modelscope/ms-swift/blob/3602360/docs/source_en/Instruction/Agent-support.md",
  ],
  maskSentence: maskName,
  requires: () => [],
  writeSft({ messages, loss_mask: mask, tools }) {
    const trainedMessages = mask.reduce<number>((sum, bit) => sum + bit, 0);
    return {
      row: {
        messages: messages.flatMap((message, index) => swiftMessages(message, mask[index] === 1)),
        ...(tools === undefined ? {} : { tools: json(tools) }),
      },
      trainedMessages,
      maskedMessages: messages.length - trainedMessages,
      trailingMessages: 0,
    };
  },
  preference: {
    sides: "turn",
    // Both are whole up to the turn in which they part: a rejected_response would replace all behind the last ask.
    write({ prompt, chosen, rejected, tools }) {
      const shared = prompt.flatMap((message) => swiftMessages(message, false));
      const side = (turns: readonly WireMessage[]) => turns.flatMap((message) => swiftMessages(message, true));
      const schemas = tools === undefined ? {} : { tools: json(tools), rejected_tools: json(tools) };
      return { messages: [...shared, ...side(chosen)], rejected_messages: [...shared, ...side(rejected)], ...schemas };
    },
  },
  rewardModel: {
    sides: "whole",
    write({ chosen, rejected, tools, beside: { margin } }) {
      const side = (turns: readonly WireMessage[]) => turns.flatMap((message) => swiftMessages(message, null));
      const schemas = tools === undefined ? {} : { tools: json(tools), rejected_tools: json(tools) };
      return { messages: side(chosen), rejected_messages: side(rejected), ...schemas, margin };
    },
  },
  kto: {
    columns: ["label"],
    write({ prompt, reply, label, tools }) {
      const shared = prompt.flatMap((message) => swiftMessages(message, false));
      const schemas = tools === undefined ? {} : { tools: json(tools) };
      return { messages: [...shared, ...swiftMessages(reply, true)], label, ...schemas };
    },
  },
  grpo: {
    write: ({ prompt, taskId, scenarioId, passRate, nRollouts, infoJson, tools }) => ({
      messages: prompt,
      ...(tools === undefined ? {} : { tools: json(tools) }),
      task_id: taskId,
      scenario_id: scenarioId,
      pass_rate: passRate,
      n_rollouts: nRollouts,
      info_json: infoJson,
    }),
  },
};

/** Without a flag where the trainer scores and does not train turns. It reads the flag of the first of several calls alone. */
function swiftMessages({ role, content, tool_calls: calls = [] }: WireMessage, loss: boolean | null): SwiftMessage[] {
  const flag = loss === null ? {} : { loss };
  if (role === "tool") return [{ role: "tool_response", content }];
  if (role !== "assistant") return [{ role, content }];
  const spoken: SwiftMessage[] = content === "" && calls.length > 0 ? [] : [{ role, content, ...flag }];
  const called = calls.map(({ function: { name, arguments: given } }, index): SwiftMessage => {
    const text = json({ name, arguments: argumentTree(given) });
    return { role: "tool_call", content: text, ...(index === 0 ? flag : {}) };
  });
  return [...spoken, ...called];
}

function json(value: unknown): string {
  return jsonText(value, ", ", newTextCounts());
}
