import type { ToolSchema } from "@while/schema";
import { argumentTree, isArguments } from "../conversation/argument-text.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";
import { declaredTool } from "../roundtrip/declared-tool.ts";
import { BLOCK_FORMAT, blockRow } from "./block-row.ts";
import { type Block, type BlockTurn, blockProblem, blockTurns } from "./block-turns.ts";
import type { FormatSpec } from "./format-spec.ts";

/** Files for tuning Gemini at Vertex AI: contents of parts, answers of tools as objects. */
export const vertex: FormatSpec = {
  ...BLOCK_FORMAT,
  name: "vertex",
  kinds: ["sft", "preference"],
  columns: ["systemInstruction", "contents", "tools", "system_instruction", "completions"],
  sources: [
    "https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini-supervised-tuning-prepare",
    "https://cloud.google.com/vertex-ai/generative-ai/docs/models/tune_gemini/tuning-function-calling",
    "https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini-preference-tuning",
  ],
  maskSentence: () => "assistant: Vertex AI trains every agent turn",
  writeSft: (row, settings) =>
    blockRow(row, settings, ({ system, turns }, tools) => ({
      ...(system === "" ? {} : { systemInstruction: instruction(system) }),
      contents: turns.map(contentOf),
      ...declarations(tools),
    })),
  preference: {
    sides: "turn",
    write({ prompt, chosen, rejected, tools }) {
      const { system, turns } = blockTurns(prompt);
      const completion = (side: typeof chosen, score: 0 | 1) => ({
        score,
        completion: contentOf(blockTurns(side).turns[0]!),
      });
      return {
        ...(system === "" ? {} : { system_instruction: instruction(system) }),
        contents: turns.map(contentOf),
        ...declarations(tools),
        completions: [completion(chosen, 1), completion(rejected, 0)],
      };
    },
    check({ prompt, chosen, rejected }) {
      if (prompt.at(-1)?.role === "assistant") return "its shared messages end with an agent turn";
      return blockProblem([...prompt, ...chosen]) ?? blockProblem([...prompt, ...rejected]);
    },
  },
};

/** Files for reinforcement tuning of Gemini: `references` are what a grader is told. */
export const vertexRft: FormatSpec = {
  ...BLOCK_FORMAT,
  name: "vertex-rft",
  kinds: ["grpo"],
  options: [],
  masks: { assistant: "no", final: "no", unroll: "no" },
  columns: ["systemInstruction", "contents", "references"],
  sources: ["https://cloud.google.com/vertex-ai/generative-ai/docs/models/gemini-reinforcement-tuning"],
  maskSentence: () => "what the model generates, by the grader's score",
  grpo: {
    write({ prompt, taskId, scenarioId, infoJson }) {
      const { system, turns } = blockTurns(prompt);
      return {
        ...(system === "" ? {} : { systemInstruction: instruction(system) }),
        contents: turns.map(contentOf),
        references: { task_id: taskId, scenario_id: scenarioId, info_json: infoJson },
      };
    },
  },
};

/** Rules as Vertex AI has them. */
function instruction(system: string): Record<string, unknown> {
  return { role: "system", parts: [{ text: system }] };
}

/** A turn as Vertex AI has it. */
function contentOf({ role, blocks }: BlockTurn): Record<string, unknown> {
  return { role: role === "agent" ? "model" : "user", parts: blocks.map(partOf) };
}

function partOf(block: Block): Record<string, unknown> {
  if (block.kind === "text") return { text: block.text };
  if (block.kind === "answer") return { functionResponse: { name: block.tool, response: responseOf(block.content) } };
  const { name, arguments: given } = block.call.function;
  return { functionCall: { name, args: argumentTree(given) } };
}

/** An answer has to be an object there; any other text stands under `output`. */
function responseOf(content: string): unknown {
  try {
    const parsed = parseJsonTree(content);
    if (isArguments(parsed)) return parsed;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { output: content };
}

function declarations(tools: readonly ToolSchema[] | undefined): Record<string, unknown> {
  if (tools === undefined) return {};
  return { tools: [{ functionDeclarations: tools.map(declaredTool) }] };
}
