import { argumentText } from "../conversation/argument-text.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import { type TrlMessage, type TrlRow, trlCompletion, trlConversation, withObjects } from "../trl/to-trl.ts";
import { type TrlColumns, trlTrains } from "../trl/trl-version.ts";
import type { FormatRow, FormatSettings, FormatSpec } from "./format-spec.ts";
import type { Requirement } from "./requirement.ts";

/**
 * Rows for TRL's SFT trainer, and for Unsloth, which wraps it. All agent turns: `messages` rows, of which the trainer
 * takes every token unless told otherwise. One turn (`final`, `unroll`): `prompt` and `completion` rows, of which it
 * takes the completion.
 */
export const trl: FormatSpec = {
  name: "trl",
  aliases: ["unsloth"],
  kinds: ["sft", "preference", "kto", "reward-model", "grpo"],
  encoding: "dict",
  masks: { assistant: "set", final: "own", unroll: "own" },
  options: ["trlVersion", "argumentsAs", "toolsAs", "chatTemplateKwargs", "trainerConfig", "template"],
  carry: "auto",
  columns: ["messages", "prompt", "completion", "chosen", "rejected", "tools", "chat_template_kwargs"],
  parallelCalls: "template",
  sources: [
    "https://github.com/huggingface/trl/blob/v0.19.1/trl/trainer/sft_trainer.py",
    "https://github.com/huggingface/trl/blob/main/docs/source/dataset_formats.md",
  ],
  maskSentence: (settings) => trlTrains(columnsOf(settings), settings.trlVersion, assistantOnly(settings)),
  requires: (settings) => (columnsOf(settings) === "messages" ? assistantOnlyLoss(settings) : []),
  writeSft(row, settings): FormatRow | null {
    const nMessages = row.messages.length;
    if (columnsOf(settings) === "prompt_completion") {
      const cut = trlCompletion(row);
      if (cut === null) return null;
      const maskedMessages = nMessages - 1 - cut.trailing;
      return { row: spelled(cut.row, settings), trainedMessages: 1, maskedMessages, trailingMessages: cut.trailing };
    }
    const trainedMessages = assistantOnly(settings)
      ? row.messages.filter((message) => message.role === "assistant").length
      : nMessages;
    return {
      row: spelled(trlConversation(row), settings),
      trainedMessages,
      maskedMessages: nMessages - trainedMessages,
      trailingMessages: 0,
    };
  },
  preference: {
    sides: "turn",
    write({ ask, prompt, chosen, rejected, tools, beside }) {
      const sides = {
        prompt: prompt.map(withObjects),
        chosen: chosen.map(withObjects),
        rejected: rejected.map(withObjects),
      };
      return { ...sides, tools, ...beside, prompt_text: ask };
    },
  },
  rewardModel: {
    sides: "whole",
    write: ({ ask, chosen, rejected, tools, beside }) => ({
      chosen: chosen.map(withObjects),
      rejected: rejected.map(withObjects),
      tools,
      ...beside,
      prompt_text: ask,
    }),
  },
  kto: {
    columns: ["label"],
    requires: [
      {
        setting: "per_device_train_batch_size",
        value: "> 1",
        why: "the baseline comes from the other rows of a batch",
      },
    ],
    write: ({ trl: { prompt, completion, ...beside }, label }) => ({ prompt, completion, label, ...beside }),
  },
  grpo: {
    requires: [
      { setting: "tools", value: "given to the trainer", why: "a column of that name is handed on and not rendered" },
    ],
    write: ({ prompt, ask, taskId, scenarioId, passRate, nRollouts, infoJson }) => ({
      prompt,
      prompt_text: ask,
      task_id: taskId,
      scenario_id: scenarioId,
      pass_rate: passRate,
      n_rollouts: nRollouts,
      info_json: infoJson,
    }),
  },
};

function columnsOf({ maskMode, unroll }: FormatSettings): TrlColumns {
  return maskMode === "final" || unroll ? "prompt_completion" : "messages";
}

function assistantOnly({ trainerConfig }: FormatSettings): boolean {
  return trainerConfig.assistant_only_loss === true;
}

function assistantOnlyLoss({ trlVersion }: FormatSettings): Requirement[] {
  const template =
    trlVersion === "0.19.1"
      ? "assistant_only_loss reads it; Qwen2.5-Instruct's own template has none"
      : "assistant_only_loss reads it; known families get a patched template, any other needs its own";
  return [
    {
      setting: "assistant_only_loss",
      value: "true",
      why: "without it TRL also trains the rules, the asks and what the tools returned",
    },
    { setting: "chat_template", value: "has a {% generation %} block", why: template },
  ];
}

function spelled(row: TrlRow, { argumentsAs, toolsAs, chatTemplateKwargs }: FormatSettings): TrlRow {
  if (argumentsAs === "object" && toolsAs === "list" && chatTemplateKwargs === null) return row;
  const out = { ...row };
  if (argumentsAs === "string") {
    for (const key of ["messages", "prompt", "completion"] as const) {
      if (out[key] !== undefined) (out as Record<string, unknown>)[key] = out[key].map(withText);
    }
  }
  if (toolsAs === "string" && out.tools !== undefined) out.tools = jsonText(out.tools, ", ", newTextCounts());
  if (chatTemplateKwargs !== null) out.chat_template_kwargs = chatTemplateKwargs;
  return out;
}

function withText(message: TrlMessage): TrlMessage {
  if (message.tool_calls === undefined) return message;
  const calls = message.tool_calls.map((call) => ({
    ...call,
    function: { ...call.function, arguments: argumentText(call.function.arguments, newTextCounts()) },
  }));
  return { ...message, tool_calls: calls };
}
