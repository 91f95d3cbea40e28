import { sha1Hex } from "@while/schema";
import type { WireMessage } from "../training-row.ts";
import { type FormatSpec, maskName } from "./format-spec.ts";
import { linkProblem, type WeightedMessage, weightedRow } from "./weighted.ts";

/** Files for tuning at Mistral and with mistral-finetune: chat messages with a `weight` on each agent turn. */
export const mistral: FormatSpec = {
  name: "mistral",
  kinds: ["sft"],
  encoding: "json_string",
  masks: { assistant: "own", final: "own", unroll: "own" },
  options: [],
  carry: "none",
  fixedColumns: true,
  columns: ["messages", "tools"],
  parallelCalls: "yes",
  sources: ["https://github.com/mistralai/mistral-finetune/blob/1943535/finetune/data/tokenize.py"],
  maskSentence: (settings) =>
    settings.unroll || settings.maskMode === "final"
      ? maskName(settings)
      : `${maskName(settings)}; of rows with tools mistral-finetune trains the last agent turn alone, whatever weight says`,
  requires: () => [],
  warns({ withTools, trainedMessages, n, unrolled }) {
    if (withTools === 0 || trainedMessages <= n || unrolled) return [];
    const text = `${withTools} rows have tools and several turns train: mistral-finetune trains the last agent turn of such a row alone, whatever weight says. Use unroll: true.`;
    return [{ code: "mistral_only_last", text }];
  },
  writeSft: (row) => weightedRow(row, withShortIds),
  check({ messages }) {
    const list = messages as WireMessage[];
    const ids = list.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
    if (new Set(ids).size < ids.length) return "two of its calls have the same id of nine characters";
    return linkProblem(list);
  },
};

/** Ids there are nine letters or digits. A turn that only calls has no content. */
function withShortIds({ content, tool_calls: calls, tool_call_id: id, ...message }: WireMessage): WeightedMessage {
  const short: WeightedMessage = { ...message };
  if (content !== "" || calls === undefined) short.content = content;
  if (calls !== undefined) short.tool_calls = calls.map((call) => ({ ...call, id: shortId(call.id) }));
  if (id !== undefined) short.tool_call_id = shortId(id);
  return short;
}

function shortId(id: string): string {
  return sha1Hex(id).slice(0, 9);
}
