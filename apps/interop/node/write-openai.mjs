// The OpenAI package talks to the server at BASE_URL, and what a user would keep of that is kept: chat completions and
// responses as request and response, the lines of a batch, and the messages of a conversation.
// Usage: node write-openai.mjs FOLDER BASE_URL
import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import OpenAI from "openai";

const [folder, baseURL] = process.argv.slice(2);
const client = new OpenAI({ apiKey: "none", baseURL, maxRetries: 0 });
const parameters = { type: "object", properties: { order: { type: "string" }, amount: { type: "number" } } };
const lines = (name, records) =>
  writeFileSync(join(folder, name), records.map((record) => `${JSON.stringify(record)}\n`).join(""));

/** Asks until the model no longer calls a tool; the messages are then the whole conversation. */
async function chat(order) {
  const tools = [{ type: "function", function: { name: "refund", parameters } }];
  const messages = [
    { role: "system", content: "You refund orders." },
    { role: "user", content: `Refund order ${order}.` },
  ];
  const calls = [];
  for (let turn = 0; turn < 4; turn++) {
    const request = { model: "clerk-1", temperature: 0, messages: [...messages], tools };
    const response = await client.chat.completions.create(request);
    calls.push({ request, response });
    const { message } = response.choices[0];
    messages.push(message);
    if (!message.tool_calls) break;
    for (const { id, function: called } of message.tool_calls) {
      messages.push({ role: "tool", tool_call_id: id, content: `refunded ${JSON.parse(called.arguments).amount}` });
    }
  }
  return { tools, messages, calls };
}

async function respond(order) {
  const tools = [{ type: "function", name: "refund", parameters, strict: false }];
  const input = [{ role: "user", content: `Refund order ${order}.` }];
  const calls = [];
  for (let turn = 0; turn < 4; turn++) {
    const request = { model: "clerk-1", instructions: "You refund orders.", temperature: 0, input: [...input], tools };
    const response = await client.responses.create(request);
    calls.push({ request, response });
    input.push(...response.output);
    const asked = response.output.filter(({ type }) => type === "function_call");
    if (asked.length === 0) break;
    for (const { call_id, arguments: given } of asked) {
      input.push({ type: "function_call_output", call_id, output: `refunded ${JSON.parse(given).amount}` });
    }
  }
  return calls;
}

const chats = [await chat("42"), await chat("7")];
lines(
  "conversations.jsonl",
  chats.map(({ messages, tools }) => ({ messages, tools })),
);
lines(
  "chat-completions.jsonl",
  chats.flatMap(({ calls }) => calls),
);
lines("responses.jsonl", [...(await respond("42")), ...(await respond("7"))]);

const requests = ["42", "7"].map((order) => ({
  custom_id: `order-${order}`,
  method: "POST",
  url: "/v1/chat/completions",
  body: { model: "clerk-1", messages: [{ role: "user", content: `Refund order ${order}.` }] },
}));
lines("batch-input.jsonl", requests);
const { id } = await client.files.create({
  file: createReadStream(join(folder, "batch-input.jsonl")),
  purpose: "batch",
});
const batch = await client.batches.create({
  input_file_id: id,
  endpoint: "/v1/chat/completions",
  completion_window: "24h",
});
const { output_file_id: output } = await client.batches.retrieve(batch.id);
const results = await (await client.files.content(output)).text();
writeFileSync(join(folder, "batch-output.jsonl"), results);
// Results do not say what was asked, so both are kept in one file.
writeFileSync(join(folder, "batch.jsonl"), readFileSync(join(folder, "batch-input.jsonl"), "utf8") + results);
