import type { ToolSchema } from "@while/schema";
import { argumentTree } from "../conversation/argument-text.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";
import type { WireMessage } from "../training-row.ts";
import type { FormatSettings, FormatSpec } from "./format-spec.ts";
import { endOfTurns } from "./inline-row.ts";

/** A turn as LLaMA-Factory's ShareGPT rows have it. */
interface ShareTurn {
  from: "human" | "gpt" | "function_call" | "observation";
  value: string;
}

/** Rows and pairs for LLaMA-Factory, in its ShareGPT spelling, with the entry of `dataset_info.json` that reads them. */
export const llamafactory: FormatSpec = {
  name: "llamafactory",
  kinds: ["sft", "preference", "kto"],
  encoding: "text",
  rewritesCalls: true,
  masks: { assistant: "default", final: "set", unroll: "set" },
  options: ["trainerConfig"],
  carry: "none",
  fixedColumns: true,
  columns: ["conversations", "system", "tools", "chosen", "rejected"],
  parallelCalls: "yes",
  sources: [
    "https://github.com/hiyouga/LLaMA-Factory/blob/ff6d4d1/data/README.md",
    "https://github.com/hiyouga/LLaMA-Factory/blob/ff6d4d1/src/llamafactory/data/converter.py",
  ],
  maskSentence: (settings) =>
    trainsOf(settings) === "last"
      ? "the last agent turn, with mask_history: true; without it LLaMA-Factory trains every agent turn"
      : "assistant: LLaMA-Factory trains every agent turn",
  requires: (settings) =>
    trainsOf(settings) === "last"
      ? [{ setting: "mask_history", value: "true", why: "without it every agent turn trains" }]
      : [],
  counts: [
    {
      name: "alternationDropped",
      code: "alternation_dropped",
      says: (n) =>
        `${n} rows do not alternate between a person or tool and the agent, or begin with the agent: LLaMA-Factory skips such a row with a line in its log, so they were left out.`,
    },
    {
      name: "textBesideCall",
      code: "text_beside_call",
      says: (n) =>
        `${n} turns say something beside their call, which its function_call cannot hold: the text was dropped.`,
    },
  ],
  writeSft(row, settings) {
    const trains = trainsOf(settings);
    const end = endOfTurns(row, trains);
    if (end === 0) return null;
    const kept = row.messages.slice(0, end);
    if (!alternates(kept)) return { dropped: "alternationDropped" };
    const nTurns = kept.filter(({ role }) => role === "assistant").length;
    const trainedMessages = trains === "all" ? nTurns : 1;
    return {
      row: { ...shareColumns(kept, row.tools) },
      trainedMessages,
      maskedMessages: end - trainedMessages,
      trailingMessages: row.messages.length - end,
      counts: { textBesideCall: kept.filter(speaksBesideCall).length },
    };
  },
  preference: {
    sides: "turn",
    write: ({ prompt, chosen, rejected, tools }) => ({
      ...shareColumns(prompt, tools),
      chosen: shareTurns(chosen)[0],
      rejected: shareTurns(rejected)[0],
    }),
    counts: ({ prompt }) => ({ textBesideCall: prompt.filter(speaksBesideCall).length }),
    check({ prompt, chosen, rejected }) {
      if (!alternates([...prompt, ...chosen])) {
        return "its shared messages do not alternate between a person or tool and the agent";
      }
      return [...chosen, ...rejected].some(speaksBesideCall)
        ? "a side says something beside its call, which a function_call cannot hold"
        : null;
    },
  },
  kto: {
    columns: ["kto_tag"],
    isDropped: ({ prompt, reply }) => (alternates([...prompt, reply]) ? null : "alternationDropped"),
    counts: ({ prompt, reply }) => ({ textBesideCall: [...prompt, reply].filter(speaksBesideCall).length }),
    write: ({ prompt, reply, label, tools }) => ({ ...shareColumns([...prompt, reply], tools), kto_tag: label }),
  },
  infoEntry: (kind, file) => ({
    file_name: file,
    formatting: "sharegpt",
    ...(kind === "preference" ? { ranking: true } : {}),
    columns: {
      messages: "conversations",
      system: "system",
      tools: "tools",
      ...(kind === "preference" ? { chosen: "chosen", rejected: "rejected" } : {}),
      ...(kind === "kto" ? { kto_tag: "kto_tag" } : {}),
    },
    // A tag that is left out counts as none, and its turns are lost.
    tags: {
      role_tag: "from",
      content_tag: "value",
      user_tag: "human",
      assistant_tag: "gpt",
      observation_tag: "observation",
      function_tag: "function_call",
      system_tag: "system",
    },
  }),
};

function trainsOf({ maskMode, unroll }: FormatSettings): "all" | "last" {
  return unroll || maskMode === "final" ? "last" : "all";
}

function shareColumns(
  messages: readonly WireMessage[],
  tools: readonly ToolSchema[] | undefined,
): { conversations: ShareTurn[]; system?: string; tools?: string } {
  const [first] = messages;
  return {
    conversations: shareTurns(messages),
    ...(first?.role === "system" ? { system: first.content } : {}),
    ...(tools === undefined ? {} : { tools: json(tools) }),
  };
}

/** Person or tool, agent, and so on, and the agent last; a second system message has no turn that could hold it. */
function alternates(messages: readonly WireMessage[]): boolean {
  if (messages.slice(1).some(({ role }) => role === "system")) return false;
  const turns = shareTurns(messages);
  return turns.length % 2 === 0 && turns.every(({ from }, at) => isAgent(from) === (at % 2 === 1));
}

function isAgent(from: ShareTurn["from"]): boolean {
  return from === "gpt" || from === "function_call";
}

/** Turns without the system's. Answers to the calls of one turn are one observation. */
function shareTurns(messages: readonly WireMessage[]): ShareTurn[] {
  const turns: ShareTurn[] = [];
  let behindAnswer = false;
  for (const { role, content, tool_calls: calls } of messages) {
    if (role === "system") continue;
    if (role === "tool" && behindAnswer) {
      turns.at(-1)!.value += `\n</tool_response>\n<tool_response>\n${content}`;
      continue;
    }
    behindAnswer = role === "tool";
    if (role === "tool") turns.push({ from: "observation", value: content });
    else if (role === "user") turns.push({ from: "human", value: content });
    else if (calls === undefined) turns.push({ from: "gpt", value: content });
    else {
      // Arguments as text would be encoded a second time.
      const called = calls.map(({ function: { name, arguments: given } }) => ({
        name,
        arguments: argumentTree(given),
      }));
      turns.push({ from: "function_call", value: json(called.length === 1 ? called[0] : called) });
    }
  }
  return turns;
}

function speaksBesideCall({ content, tool_calls: calls }: WireMessage): boolean {
  return calls !== undefined && content !== "";
}

function json(value: unknown): string {
  return jsonText(value, ", ", newTextCounts());
}
