import type { WireMessage } from "../training-row.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";
import { linkProblem, preferredOutputs, unnamed, type WeightedMessage, weightedRow } from "./weighted.ts";

/** Upload files for tuning at OpenAI, supervised or by preference. */
export const openaiFt: FormatSpec = {
  name: "openai-ft",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "input", "preferred_output", "non_preferred_output"],
  parallelCalls: "yes",
  sources: [
    "https://platform.openai.com/docs/guides/supervised-fine-tuning",
    "https://platform.openai.com/docs/guides/direct-preference-optimization",
  ],
  maskSentence: maskName,
  requires: () => [],
  writeSft: (row) => weightedRow(row, uploaded, { endsWithAgent: true }),
  check({ messages }) {
    const list = messages as (WireMessage & { weight?: 0 | 1 })[];
    if (!list.some(({ weight }) => weight === 1)) return "no turn trains";
    if (list.filter(({ role }) => role === "system").length > 1) return "it has several system messages";
    return linkProblem(list);
  },
  preference: {
    sides: "turn",
    write: (pair) => preferredOutputs(pair, { emptyTools: false }),
    check({ prompt }) {
      if (prompt.at(-1)?.role === "assistant") return "its shared messages end with an agent turn";
      return linkProblem(prompt);
    },
  },
};

/** Upload files for reinforcement tuning at OpenAI: any other key of a row is `item.KEY` to a grader. */
export const openaiRft: FormatSpec = {
  name: "openai-rft",
  kinds: ["grpo"],
  encoding: "json_string",
  masks: { assistant: "no", final: "no", unroll: "no" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "task_id", "scenario_id", "info_json"],
  parallelCalls: "yes",
  sources: ["https://platform.openai.com/docs/guides/reinforcement-fine-tuning"],
  maskSentence: () => "what the model generates, by the grader's score",
  requires: () => [],
  grpo: {
    needsHoldout: true,
    write: ({ prompt, tools, taskId, scenarioId, infoJson }) => ({
      messages: prompt,
      ...(tools === undefined ? {} : { tools }),
      task_id: taskId,
      scenario_id: scenarioId,
      info_json: infoJson,
    }),
  },
};

/** A turn that only calls has no content there. */
function uploaded(message: WireMessage): WeightedMessage {
  const { content, ...rest } = unnamed(message);
  return content === "" && rest.tool_calls !== undefined ? rest : { ...rest, content };
}
