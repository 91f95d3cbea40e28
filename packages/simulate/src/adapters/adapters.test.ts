import { isObject, type Step } from "@while/schema";
import { expect, test } from "vitest";
import type { Agent, AgentReply, RolloutContext } from "../agent/agent.ts";
import { joinUserTurns } from "../agent/user-turns.ts";
import { simulate } from "../engine/simulate.ts";
import { calledSteps } from "./called-steps.ts";
import { fromAiSdk } from "./from-ai-sdk.ts";
import { fromLangChain } from "./from-langchain.ts";
import { fromMastra } from "./from-mastra.ts";
import { fromOpenAiAgents } from "./from-openai-agents.ts";

/*
 * Each answer is what the framework returned (AI SDK 6.0, OpenAI Agents 0.20, LangChain 1.5, Mastra 0.24) for one
 * conversation: two calls, of which the second throws, then a sentence.
 */

const signal = new AbortController().signal;
const STEPS: readonly Step[] = [
  { tool: "get", arguments: { id: "A1" }, result: { id: "A1", ok: true }, id: "c1" },
  { tool: "boom", arguments: { id: "A1" }, result: { status: "error", reason: "bang" }, id: "c2" },
];

async function ask(agent: Agent, message = "hi"): Promise<AgentReply> {
  const reply = await agent(message, { signal } as RolloutContext);
  if (!isObject(reply)) throw new Error("a text");
  return reply as AgentReply;
}

test("fromAiSdk", async () => {
  const asked: unknown[] = [];
  const input = { id: "A1" };
  const call = (toolCallId: string, toolName: string) => ({ type: "tool-call", toolCallId, toolName, input });
  const agent = {
    generate: async (options: unknown) => {
      asked.push(options);
      return {
        text: "Here it is.",
        finishReason: "stop",
        totalUsage: { inputTokens: 6, outputTokens: 10, totalTokens: 16 },
        steps: [
          {
            content: [
              ...[call("c1", "get"), call("c2", "boom")],
              { ...call("c3", "get"), input: "{bad", dynamic: true, invalid: true, error: new Error("no JSON") },
              { type: "tool-error", toolCallId: "c3", toolName: "get", input: "{bad", error: "Invalid input" },
              { type: "tool-result", toolCallId: "c1", toolName: "get", input, output: { id: "A1", ok: true } },
              { type: "tool-error", toolCallId: "c2", toolName: "boom", input, error: new Error("bang") },
            ],
          },
          { content: [{ type: "text", text: "Here it is." }] },
        ],
      };
    },
  };
  expect(await ask(fromAiSdk(agent), joinUserTurns(["hi", "and A1"]))).toEqual({
    final_text: "Here it is.",
    steps: [
      ...STEPS,
      {
        tool: "get",
        arguments: {},
        arguments_raw: "{bad",
        result: { status: "error", reason: "Invalid input" },
        id: "c3",
      },
    ],
    usage: { input_tokens: 6, output_tokens: 10 },
  });
  expect(asked).toEqual([{ prompt: "hi\n\nand A1", abortSignal: signal }]);
});

test("fromOpenAiAgents", async () => {
  const own = { name: "desk" };
  const call = (callId: string, name: string) => ({
    type: "tool_call_item",
    rawItem: { type: "function_call", callId, name, arguments: '{"id":"A1"}', status: "completed" },
  });
  const answer = (callId: string, output: unknown) => ({
    type: "tool_call_output_item",
    rawItem: { type: "function_call_result", callId, status: "completed" },
    output,
  });
  const agent = fromOpenAiAgents(own, async (given, input, options) => {
    expect([given, input, options]).toEqual([own, "hi", { signal }]);
    return {
      finalOutput: "Here.",
      newItems: [
        ...[call("c1", "get"), call("c2", "boom"), answer("c1", { id: "A1", ok: true })],
        answer("c2", "An error occurred while running the tool. Please try again."),
        { type: "message_output_item", rawItem: { type: "message", role: "assistant" } },
      ],
      rawResponses: [{ usage: { inputTokens: 3, outputTokens: 4 } }, { usage: { inputTokens: 3, outputTokens: 4 } }],
    };
  });
  const [get, boom] = STEPS;
  expect(await ask(agent)).toEqual({
    final_text: "Here.",
    steps: [get, { ...boom, result: "An error occurred while running the tool. Please try again." }],
    usage: { input_tokens: 6, output_tokens: 8 },
  });
});

test("fromLangChain", async () => {
  const use = { input_tokens: 3, output_tokens: 4, total_tokens: 7 };
  const typed = (type: string, fields: object) => ({ type, getType: () => type, ...fields });
  const agent = fromLangChain({
    invoke: async (input, options) => {
      expect([input, options]).toEqual([{ messages: [{ role: "user", content: "hi" }] }, { signal }]);
      return {
        messages: [
          typed("human", { content: "hi" }),
          typed("ai", {
            content: "",
            tool_calls: [
              { id: "c1", name: "get", args: { id: "A1" } },
              { id: "c2", name: "boom", args: { id: "A1" } },
            ],
            usage_metadata: use,
          }),
          typed("tool", { content: '{"id":"A1","ok":true}', tool_call_id: "c1", status: "success" }),
          typed("tool", { content: "bang", tool_call_id: "c2", status: "error" }),
          typed("ai", { content: [{ type: "text", text: "Here." }], tool_calls: [], usage_metadata: use }),
        ],
      };
    },
  });
  expect(await ask(agent)).toEqual({
    final_text: "Here.",
    steps: STEPS,
    usage: { input_tokens: 6, output_tokens: 8 },
  });
});

test.each([
  ["an error", new Error("bang")],
  ["what JSON makes of it", { message: "bang", code: "TOOL_EXECUTION_FAILED", details: {} }],
])("fromMastra, whose tool threw and left %s", async (_what, failure) => {
  const payload = (toolCallId: string, toolName: string, more: object) => ({
    type: "tool",
    from: "AGENT",
    payload: { toolCallId, toolName, args: { id: "A1" }, ...more },
  });
  const agent = fromMastra({
    generate: async () => ({
      text: "Here.",
      totalUsage: { inputTokens: 6, outputTokens: 10 },
      steps: [
        {
          toolCalls: [payload("c1", "get", {}), payload("c2", "boom", {})],
          toolResults: [
            payload("c1", "get", { result: { id: "A1", ok: true } }),
            payload("c2", "boom", { result: failure }),
          ],
        },
        { toolCalls: [], toolResults: [] },
      ],
    }),
  });
  expect(await ask(agent)).toEqual({
    final_text: "Here.",
    steps: STEPS,
    usage: { input_tokens: 6, output_tokens: 10 },
  });
});

test("a call that was never answered has an empty result, and a number in a text stays text", () => {
  const calls = [
    { id: "a", tool: "get", given: undefined, text: " Let me look. " },
    { id: "b", tool: "find", given: "[1]" },
  ];
  expect(calledSteps(calls, [{ id: "b", result: "4473" }])).toEqual([
    { tool: "get", arguments: {}, result: "", id: "a", text: "Let me look." },
    { tool: "find", arguments: {}, arguments_raw: "[1]", result: "4473", id: "b" },
  ]);
});

test("a framework that throws is the agent's failure, and a row", async () => {
  const agent = fromAiSdk({ generate: () => Promise.reject(new TypeError("no key")) });
  const { rows } = await simulate(agent, { seeds: ["A"], modelVersion: "v1" });
  expect(rows).toMatchObject([{ final_text: "<agent error: TypeError: no key>", finish_reason: "error" }]);
});
