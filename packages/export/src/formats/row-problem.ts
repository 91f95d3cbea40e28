import { isObject } from "@while/schema";
import { isArguments } from "../conversation/argument-text.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import type { FormatSpec } from "./format-spec.ts";
import { getFormat } from "./registry.ts";

/** What is wrong with a row that is about to be trained on, and what to do about it. */
export interface RowProblem {
  what: string;
  fix: string;
}

/**
 * Whether a row, as it stands in a file, is one that the trainer of a format reads as it was meant; null when it is.
 * Looked at is what fails there or, worse, trains something else in silence: arguments in the wrong spelling, a prompt
 * beside messages, whole conversations where each token of a side is scored, null keys, columns that are not known.
 *
 * @throws ExportError `format_unknown`
 */
export function rowProblem(row: unknown, { format }: { format: string }): RowProblem | null {
  const spec = getFormat(format);
  if (!isObject(row)) return { what: "is no object", fix: "Write one JSON object a line." };
  return (
    (spec.name === "trl" ? trlProblem(row) : null) ??
    conversationProblem(row, spec) ??
    (spec.fixedColumns === true ? columnProblem(row, spec) : null)
  );
}

const EXPORT_AGAIN = "Export the source again with wai export or wai export-pairs";

function trlProblem(row: Record<string, unknown>): RowProblem | null {
  const { prompt, messages, completion, chosen, rejected } = row;
  if (messages !== undefined && prompt !== undefined) {
    return {
      what: "has a prompt beside messages: TRL takes the row for either kind, by the hash seed of its process",
      fix: "Call the text of the ask prompt_text, as wai export --format trl does.",
    };
  }
  if (chosen !== undefined || rejected !== undefined) return pairProblem(row);
  if (completion !== undefined && !isTurn(completion)) {
    return {
      what: `has a completion of ${shown(completion)}, of which every token trains`,
      fix: `${EXPORT_AGAIN}: --mask final leaves the agent's one turn there.`,
    };
  }
  if (completion !== undefined && !Array.isArray(prompt)) {
    return {
      what: `has a prompt of ${shown(prompt)} beside a completion`,
      fix: "Give the messages before the completion.",
    };
  }
  return messages === undefined && prompt === undefined
    ? { what: "has neither messages, nor a prompt, nor a pair", fix: `${EXPORT_AGAIN} --format trl.` }
    : null;
}

function pairProblem({ prompt, chosen, rejected }: Record<string, unknown>): RowProblem | null {
  if (!Array.isArray(chosen) || !Array.isArray(rejected)) {
    return { what: "has a pair whose sides are no lists of messages", fix: `${EXPORT_AGAIN} --format trl.` };
  }
  if (typeof prompt === "string") {
    return {
      what: "has a text for a prompt beside conversations: TRL indexes it as messages and raises, or leaves the row as it is",
      fix: `${EXPORT_AGAIN}: --format trl writes the shared messages as the prompt.`,
    };
  }
  // Without a prompt both are whole, and a trainer of reward models scores their last tokens.
  if (prompt === undefined) return null;
  const side = [chosen, rejected].find((messages) => !isTurn(messages));
  if (side === undefined) return null;
  return {
    what: `has a side of ${shown(side)}: every token of it is scored, what people and tools said included`,
    fix: `${EXPORT_AGAIN}: --format trl leaves the one turn in which the sides part.`,
  };
}

function isTurn(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length === 1 && isObject(messages[0]) && messages[0].role === "assistant";
}

/** Lists of messages, wherever a format has them. */
const CONVERSATIONS = [
  "messages",
  "prompt",
  "completion",
  "chosen",
  "rejected",
  "preferred_output",
  "non_preferred_output",
];

function conversationProblem(row: Record<string, unknown>, spec: FormatSpec): RowProblem | null {
  const input = isObject(row.input) ? row.input : {};
  for (const key of CONVERSATIONS) {
    for (const list of [row[key], input[key]]) {
      if (!Array.isArray(list)) continue;
      for (const [index, message] of list.entries()) {
        const problem = isObject(message) ? messageProblem(message, spec) : "is no object";
        if (problem !== null) return { what: `${key}[${index}] ${problem}`, fix: fixOf(spec) };
      }
    }
  }
  return null;
}

function messageProblem(message: Record<string, unknown>, { name, encoding }: FormatSpec): string | null {
  // Formats of turns and blocks have messages of another kind.
  if (Array.isArray(message.content) && (name === "bedrock" || name === "anthropic")) return null;
  if (typeof message.role !== "string") return "has no role";
  const empty = Object.keys(message).find((key) => message[key] === null);
  if (empty !== undefined) return `has null under ${empty}, which a chat template does not take for absent`;
  if (message.tool_calls === undefined) return null;
  if (!Array.isArray(message.tool_calls)) return "has tool_calls that are no list";
  for (const call of message.tool_calls) {
    const called = isObject(call) && isObject(call.function) ? call.function : null;
    if (called === null) return "has a call without a function";
    const problem = argumentsProblem(called.arguments, encoding);
    if (problem !== null) return `has ${String(called.name)}(…) with ${problem}`;
  }
  return encoding === "text" ? "has tool_calls, which the trainer drops or respells" : null;
}

function argumentsProblem(given: unknown, encoding: FormatSpec["encoding"]): string | null {
  if (encoding === "dict") {
    if (isArguments(given)) return null;
    return typeof given === "string"
      ? "arguments as text, which a template quotes a second time"
      : "arguments that are no object";
  }
  if (encoding === "text") return null;
  if (typeof given !== "string") return "arguments that are no JSON text";
  try {
    return isArguments(parseJsonTree(given)) ? null : "arguments that read back as no object";
  } catch {
    return "arguments that are no JSON";
  }
}

function fixOf({ name, encoding }: FormatSpec): string {
  const spelling = { dict: "objects", json_string: "JSON text", text: "text of the message" }[encoding];
  return `${EXPORT_AGAIN} --format ${name}, which writes arguments as ${spelling}.`;
}

/** The consumer refuses columns that it does not know, or reads them for something else. */
function columnProblem(row: Record<string, unknown>, spec: FormatSpec): RowProblem | null {
  // Judged replies and tasks have columns of their own.
  if (spec.grpo !== undefined && row.messages === undefined) return null;
  const known = [...spec.columns, ...(spec.kto?.columns ?? []), "margin"];
  const other = Object.keys(row).find((key) => !known.includes(key));
  if (other === undefined || (spec.grpo !== undefined && "info_json" in row)) return null;
  return {
    what: `has the column ${other}, which ${spec.name} does not read`,
    fix: `${EXPORT_AGAIN} --format ${spec.name}.`,
  };
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} messages`;
  return value === undefined ? "nothing" : typeof value === "string" ? "text" : typeof value;
}
