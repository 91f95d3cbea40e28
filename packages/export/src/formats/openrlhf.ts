import { jsonText, newTextCounts } from "../json/json-text.ts";
import type { FormatSettings, FormatSpec } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";
import { endOfTurns, inlineRow } from "./inline-row.ts";
import type { Requirement } from "./requirement.ts";

const TEMPLATE: Requirement = {
  setting: "--data.apply_chat_template",
  value: "on",
  why: "without it messages are not rendered as a chat",
};

/** Rows for OpenRLHF, which renders chats without their tools. */
export const openrlhf: FormatSpec = {
  name: "openrlhf",
  kinds: ["sft", "preference", "kto", "reward-model", "grpo"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "set", final: "default", unroll: "default" },
  options: ["trainerConfig", "baseModel", "template"],
  inline: () => "hermes",
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "prompt", "chosen", "rejected"],
  parallelCalls: "yes",
  sources: ["https://github.com/OpenRLHF/OpenRLHF/tree/3c3be62/openrlhf/datasets"],
  maskSentence: (settings) =>
    trainsOf(settings) === "last"
      ? "the last agent turn: OpenRLHF trains the response alone"
      : "assistant: every agent turn, with --data.multiturn",
  requires: (settings) => [
    { setting: "--data.input_key", value: "messages", why: "the column that holds the chat" },
    TEMPLATE,
    ...(trainsOf(settings) === "last"
      ? []
      : [{ setting: "--data.multiturn", value: "on", why: "without it only the last agent turn trains" }]),
  ],
  writeSft(row, settings) {
    const trains = trainsOf(settings);
    return inlineRow(row, trains, endOfTurns(row, trains));
  },
  preference: {
    sides: "turn",
    requires: [TEMPLATE],
    write: ({ prompt, chosen, rejected, tools }) => ({
      prompt: inlineCalls(prompt, tools),
      chosen: inlineCalls(chosen),
      rejected: inlineCalls(rejected),
    }),
  },
  rewardModel: {
    sides: "whole",
    requires: [TEMPLATE],
    write: ({ chosen, rejected, tools, beside: { margin } }) => ({
      chosen: inlineCalls(chosen, tools),
      rejected: inlineCalls(rejected, tools),
      margin,
    }),
  },
  kto: {
    columns: ["label"],
    requires: [
      { setting: "--data.input_key", value: "messages", why: "the column that holds the chat, the reply at its end" },
      { setting: "--data.label_key", value: "label", why: "the column that says whether the reply is wanted" },
      TEMPLATE,
    ],
    write: ({ prompt, reply, label, tools }) => ({ messages: inlineCalls([...prompt, reply], tools), label }),
  },
  grpo: {
    requires: [
      { setting: "--data.input_key", value: "prompt", why: "the column that holds the chat" },
      { setting: "--data.label_key", value: "label", why: "the reward function is given it: the task as JSON text" },
      TEMPLATE,
    ],
    write: ({ prompt, taskId, scenarioId, infoJson, tools, dataSource }) => ({
      prompt: inlineCalls(prompt, tools),
      label: jsonText({ task_id: taskId, scenario_id: scenarioId, info_json: infoJson }, ", ", newTextCounts()),
      datasource: dataSource,
    }),
  },
};

function trainsOf({ maskMode, unroll }: FormatSettings): "all" | "last" {
  return unroll || maskMode === "final" ? "last" : "all";
}
