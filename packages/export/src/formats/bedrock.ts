import type { ToolSchema } from "@while/schema";
import { argumentTree } from "../conversation/argument-text.ts";
import { declaredTool } from "../roundtrip/declared-tool.ts";
import { BLOCK_FORMAT, blockRow } from "./block-row.ts";
import { type Block, type BlockConversation, blockProblem, blockTurns } from "./block-turns.ts";
import type { FormatSpec } from "./format-spec.ts";

/** Files for tuning at Amazon Bedrock, Nova among them: turns of content blocks. */
export const bedrock: FormatSpec = {
  ...BLOCK_FORMAT,
  name: "bedrock",
  kinds: ["sft", "preference"],
  columns: ["schemaVersion", "system", "messages", "toolConfig"],
  sources: [
    "https://docs.aws.amazon.com/nova/latest/userguide/fine-tune-prepare-data-understanding.html",
    "https://docs.aws.amazon.com/bedrock/latest/userguide/model-customization-prepare.html",
  ],
  maskSentence: () => "assistant: Bedrock trains every agent turn",
  writeSft: (row, settings) => blockRow(row, settings, conversationOf),
  preference: {
    sides: "turn",
    write({ prompt, chosen, rejected, tools }) {
      const { messages, ...row } = conversationOf(blockTurns(prompt), tools);
      const candidate = (side: typeof chosen, preferenceLabel: string) => ({
        content: blockTurns(side).turns[0]?.blocks.map(contentOf) ?? [],
        preferenceLabel,
      });
      const candidates = [candidate(chosen, "preferred"), candidate(rejected, "non-preferred")];
      return { ...row, messages: [...(messages as unknown[]), { role: "assistant", candidates }] };
    },
    check: ({ prompt, chosen, rejected }) =>
      blockProblem([...prompt, ...chosen]) ?? blockProblem([...prompt, ...rejected]),
  },
};

function conversationOf(
  { system, turns }: BlockConversation,
  tools: readonly ToolSchema[] | undefined,
): Record<string, unknown> {
  return {
    schemaVersion: "bedrock-conversation-2024",
    ...(system === "" ? {} : { system: [{ text: system }] }),
    messages: turns.map(({ role, blocks }) => ({
      role: role === "agent" ? "assistant" : "user",
      content: blocks.map(contentOf),
    })),
    ...(tools === undefined ? {} : { toolConfig: { tools: tools.map(toolSpec) } }),
  };
}

function contentOf(block: Block): Record<string, unknown> {
  if (block.kind === "text") return { text: block.text };
  if (block.kind === "answer") {
    return { toolResult: { toolUseId: block.id, content: [{ text: block.content }] } };
  }
  const { id, function: called } = block.call;
  return { toolUse: { toolUseId: id, name: called.name, input: argumentTree(called.arguments) } };
}

function toolSpec(tool: ToolSchema): Record<string, unknown> {
  const { name, description, parameters } = declaredTool(tool);
  return { toolSpec: { name, description, inputSchema: { json: parameters } } };
}
