import type { ToolSchema } from "@while/schema";
import { argumentTree } from "../conversation/argument-text.ts";
import { declaredTool } from "../roundtrip/declared-tool.ts";
import { BLOCK_FORMAT, blockRow } from "./block-row.ts";
import type { Block, BlockConversation } from "./block-turns.ts";
import type { FormatSpec } from "./format-spec.ts";

/** Conversations as the Messages API has them: an archive that no tuning service takes as it is. */
export const anthropic: FormatSpec = {
  ...BLOCK_FORMAT,
  name: "anthropic",
  kinds: ["sft"],
  columns: ["system", "messages", "tools"],
  sources: ["https://docs.anthropic.com/en/api/messages"],
  maskSentence: () => "assistant: an archive of conversations; no trainer has promised how it reads them",
  writeSft: (row, settings) => blockRow(row, settings, conversationOf),
};

function conversationOf(
  { system, turns }: BlockConversation,
  tools: readonly ToolSchema[] | undefined,
): Record<string, unknown> {
  return {
    ...(system === "" ? {} : { system }),
    messages: turns.map(({ role, blocks }) => ({
      role: role === "agent" ? "assistant" : "user",
      content: blocks.map(contentOf),
    })),
    ...(tools === undefined ? {} : { tools: tools.map(toolOf) }),
  };
}

function contentOf(block: Block): Record<string, unknown> {
  if (block.kind === "text") return { type: "text", text: block.text };
  if (block.kind === "answer") return { type: "tool_result", tool_use_id: block.id, content: block.content };
  const { id, function: called } = block.call;
  return { type: "tool_use", id, name: called.name, input: argumentTree(called.arguments) };
}

function toolOf(tool: ToolSchema): Record<string, unknown> {
  const { name, description, parameters } = declaredTool(tool);
  return { name, description, input_schema: parameters };
}
