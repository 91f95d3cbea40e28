// The AI SDK, version 4 or 5, runs a mock model that calls a tool and answers; what it gives to save is saved: the
// messages of its response as they come, and for version 5 the chat a page would keep.
// Usage: node write-ai.mjs FOLDER
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as ai from "ai";
import * as mock from "ai/test";
import { z } from "zod";

const [folder] = process.argv.slice(2);
const { version } = createRequire(import.meta.url)("ai/package.json");
const major = Number(version.split(".")[0]);
const input = { order: "42", amount: 12.5 };

/** What the model answers, one call after the other. */
function answers() {
  if (major === 4) {
    const rest = { usage: { promptTokens: 20, completionTokens: 5 }, rawCall: { rawPrompt: null, rawSettings: {} } };
    const call = { toolCallType: "function", toolCallId: "call_1", toolName: "refund", args: JSON.stringify(input) };
    return [
      { finishReason: "tool-calls", toolCalls: [call], ...rest },
      { finishReason: "stop", text: "Done: 42, née “Été”.", ...rest },
    ];
  }
  const rest = { usage: { inputTokens: 20, outputTokens: 5, totalTokens: 25 }, warnings: [] };
  const call = { type: "tool-call", toolCallId: "call_1", toolName: "refund", input: JSON.stringify(input) };
  return [
    { finishReason: "tool-calls", content: [call], ...rest },
    { finishReason: "stop", content: [{ type: "text", text: "Done: 42, née “Été”." }], ...rest },
  ];
}

function model() {
  const queue = answers();
  const doGenerate = async () => queue.shift();
  return major === 4 ? new mock.MockLanguageModelV1({ doGenerate }) : new mock.MockLanguageModelV2({ doGenerate });
}

const schema = z.object({ order: z.string(), amount: z.number() });
const tools = {
  refund: ai.tool({
    description: "Refund an order.",
    ...(major === 4 ? { parameters: schema } : { inputSchema: schema }),
    execute: async ({ order, amount }) => ({ refunded: amount, order }),
  }),
};
const ask = { role: "user", content: "Refund order 42." };
const steps = major === 4 ? { maxSteps: 3 } : { stopWhen: ai.stepCountIs(3) };
const result = await ai.generateText({
  model: model(),
  system: "You refund orders.",
  messages: [ask],
  tools,
  ...steps,
});
const chat = { system: "You refund orders.", messages: [ask, ...result.response.messages] };
writeFileSync(join(folder, "model-messages.jsonl"), `${JSON.stringify(chat)}\n`);

if (major === 4) {
  const messages = ai.appendResponseMessages({
    messages: [{ id: "1", createdAt: new Date(0), parts: [{ type: "text", text: ask.content }], ...ask }],
    responseMessages: result.response.messages,
  });
  writeFileSync(join(folder, "ui-messages.json"), JSON.stringify(messages));
} else {
  // A page keeps the messages that the stream hands over when it has ended.
  const parts = ({ content, finishReason, usage }) => [
    { type: "stream-start", warnings: [] },
    ...content.flatMap((part) =>
      part.type === "text"
        ? [
            { type: "text-start", id: "t" },
            { type: "text-delta", id: "t", delta: part.text },
            { type: "text-end", id: "t" },
          ]
        : [part],
    ),
    { type: "finish", finishReason, usage },
  ];
  const queue = answers().map(parts);
  const streaming = new mock.MockLanguageModelV2({
    doStream: async () => ({ stream: ai.simulateReadableStream({ chunks: queue.shift(), chunkDelayInMs: null }) }),
  });
  const streamed = ai.streamText({ model: streaming, messages: [ask], tools, stopWhen: ai.stepCountIs(3) });
  const asked = { id: "1", role: "user", parts: [{ type: "text", text: ask.content }] };
  const kept = new Promise((resolve) => {
    const response = streamed.toUIMessageStreamResponse({
      originalMessages: [asked],
      onFinish: ({ messages }) => resolve(messages),
    });
    response.text();
  });
  writeFileSync(join(folder, "ui-messages.json"), JSON.stringify(await kept));
}
