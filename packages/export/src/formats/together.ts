import type { TrainingRow } from "../training-row.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";
import { inlineCalls } from "./inline-calls.ts";
import { preferredOutputs, unnamed, weightedRow } from "./weighted.ts";

/** Upload files for tuning at Together: chat messages with a `weight` on each agent turn. */
export const together: FormatSpec = {
  name: "together",
  kinds: ["sft", "preference"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: ["inlineTools", "baseModel"],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools", "input", "preferred_output", "non_preferred_output"],
  parallelCalls: "yes",
  sources: [
    "https://docs.together.ai/docs/function-calling",
    "https://github.com/togethercomputer/together-python/blob/eba5e5f/src/together/utils/files.py",
  ],
  maskSentence: maskName,
  requires: () => [],
  inline: ({ inlineTools }) => (inlineTools ? "hermes" : null),
  warns({ withTools, toolCallRoundtrip: calls }, { inlineTools }) {
    if (inlineTools || (withTools === 0 && calls.checked === 0)) return [];
    const text =
      "Rows have tools: Together's documentation takes them, its published client (together-python eba5e5f) refuses tool messages and the tools column at the upload. Use inlineTools: true if yours does.";
    return [{ code: "together_validator_old_client", text }];
  },
  writeSft: (row, { inlineTools }) => weightedRow(inlineTools ? inlined(row) : row, unnamed),
  preference: {
    sides: "turn",
    write: (pair) => preferredOutputs(pair, { emptyTools: false }),
    check({ chosen, rejected }) {
      return [...chosen, ...rejected].some(({ content }) => content === "") ? "a side has a call and no text" : null;
    },
  },
};

/** The row with its calls in the text. Agent turns stay one to one, the other messages do not. */
function inlined({ tools, ...row }: TrainingRow): TrainingRow {
  const turns = row.loss_mask.filter((_, index) => row.messages[index]!.role === "assistant");
  const messages = inlineCalls(row.messages, tools);
  return { ...row, messages, loss_mask: messages.map(({ role }) => (role === "assistant" ? turns.shift()! : 0)) };
}
