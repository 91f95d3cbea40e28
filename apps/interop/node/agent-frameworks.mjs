// An agent in each of three frameworks, with the same two tools and a model that is played: it calls both, of which one
// throws, and then says what it found. Copied beside the frameworks, which is where it finds them by their names.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { Agent, tool as openAiTool, run, setTracingDisabled, Usage } from "@openai/agents";
import { tool as aiTool, ToolLoopAgent } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { createAgent, tool as langChainTool } from "langchain";
import { z } from "zod";

const order = z.object({ order_id: z.string() });
const found = ({ order_id }) => ({ order_id, city: "Lyon" });
const failing = () => {
  throw new Error("the parcel service is away");
};
const SAID = "A1001 is in Lyon; the parcel service did not answer.";
const CALLS = [
  { id: "c1", name: "get_order", given: { order_id: "A1001" } },
  { id: "c2", name: "track_parcel", given: { order_id: "A1001" } },
];

/** A fresh agent each time: a played model has said its part once it was called twice. */
export function aiSdkAgent() {
  let turn = 0;
  const usage = {
    inputTokens: { total: 3, noCache: 3, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  const doGenerate = async () => {
    const asks = turn++ % 2 === 0;
    const calls = CALLS.map(({ id, name, given }) => ({
      ...{ type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(given) },
    }));
    const content = asks ? calls : [{ type: "text", text: SAID }];
    return { content, finishReason: { unified: asks ? "tool-calls" : "stop" }, usage, warnings: [] };
  };
  return new ToolLoopAgent({
    model: new MockLanguageModelV3({ doGenerate }),
    instructions: "Look orders up.",
    tools: {
      get_order: aiTool({ description: "Read an order.", inputSchema: order, execute: found }),
      track_parcel: aiTool({ description: "Where a parcel is.", inputSchema: order, execute: failing }),
    },
  });
}

export const runOpenAi = run;
export function openAiAgent() {
  setTracingDisabled(true);
  let turn = 0;
  const model = {
    async getResponse() {
      const usage = new Usage({ inputTokens: 3, outputTokens: 5, totalTokens: 8, requests: 1 });
      const calls = CALLS.map(({ id, name, given }) => ({
        ...{ type: "function_call", callId: id, name, arguments: JSON.stringify(given), status: "completed" },
      }));
      const text = [{ type: "output_text", text: SAID }];
      const message = { type: "message", role: "assistant", status: "completed", content: text };
      return { usage, output: turn++ % 2 === 0 ? calls : [message] };
    },
  };
  const about = { description: "Of an order.", parameters: order };
  return new Agent({
    ...{ name: "desk", model, instructions: "Look orders up." },
    tools: [
      openAiTool({ ...about, name: "get_order", execute: found }),
      openAiTool({ ...about, name: "track_parcel", execute: failing }),
    ],
  });
}

class PlayedModel extends BaseChatModel {
  turn = 0;
  _llmType() {
    return "played";
  }
  bindTools() {
    return this;
  }
  async _generate() {
    const usage_metadata = { input_tokens: 3, output_tokens: 5, total_tokens: 8 };
    const tool_calls = CALLS.map(({ id, name, given }) => ({ id, name, args: given }));
    const asks = this.turn++ % 2 === 0;
    const message = new AIMessage(
      asks ? { content: "", tool_calls, usage_metadata } : { content: SAID, usage_metadata },
    );
    return { generations: [{ message, text: "" }] };
  }
}

export function langChainAgent() {
  const about = { description: "Of an order.", schema: order };
  return createAgent({
    model: new PlayedModel({}),
    systemPrompt: "Look orders up.",
    tools: [
      langChainTool(found, { ...about, name: "get_order" }),
      langChainTool(() => "the parcel service is away", { ...about, name: "track_parcel" }),
    ],
  });
}
