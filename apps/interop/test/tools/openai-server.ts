import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The part of OpenAI's API that the package asks of it here: chat completions, responses and batches, answered by a
 * clerk who calls one tool and then says so, in the words of the API reference.
 */
export async function openaiServer(): Promise<{ url: string; close(): void }> {
  const files = new Map<string, string>();
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString("utf8");
    const path = new URL(request.url!, "http://localhost").pathname.replace("/v1", "");
    const send = (value: unknown) => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
    };
    if (path === "/chat/completions") send(completionOf(JSON.parse(body)));
    else if (path === "/responses") send(responseOf(JSON.parse(body)));
    else if (path === "/files") {
      const lines = body.split(/\r?\n/).filter((line) => line.startsWith('{"custom_id"'));
      files.set("file-in", lines.join("\n"));
      send({
        id: "file-in",
        object: "file",
        bytes: body.length,
        created_at: 0,
        filename: "in.jsonl",
        purpose: "batch",
      });
    } else if (path === "/batches") {
      files.set("file-out", files.get("file-in")!.split("\n").map(batchLine).join(""));
      send({ id: "batch_1", object: "batch", status: "validating", input_file_id: "file-in" });
    } else if (path === "/batches/batch_1") {
      send({ id: "batch_1", object: "batch", status: "completed", output_file_id: "file-out" });
    } else if (path === "/files/file-out/content") response.end(files.get("file-out"));
    else response.writeHead(404).end(`there is no ${path}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
  tools?: unknown[];
}

function completionOf({ model, messages, tools }: ChatRequest): object {
  const order = orderIn(messages.find(({ role }) => role === "user")!.content);
  const isFirst = messages.at(-1)!.role === "user" && tools !== undefined;
  const call = { id: `call_${order}`, type: "function", function: { name: "refund", arguments: given(order) } };
  const message = isFirst
    ? { role: "assistant", content: null, refusal: null, tool_calls: [call] }
    : { role: "assistant", content: `Done: ${order}, née “Été”.`, refusal: null };
  return {
    id: `chatcmpl-${order}-${messages.length}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: isFirst ? "tool_calls" : "stop" }],
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  };
}

interface ResponseRequest {
  model: string;
  input: { type?: string; role?: string; content?: string }[];
}

function responseOf({ model, input, ...settings }: ResponseRequest): object {
  const order = orderIn(input.find(({ role }) => role === "user")!.content!);
  const isFirst = input.at(-1)!.type !== "function_call_output";
  const call = { type: "function_call", id: `fc_${order}`, call_id: `call_${order}`, name: "refund" };
  const text = { type: "output_text", text: `Done: ${order}, née “Été”.`, annotations: [] };
  const message = { type: "message", id: `msg_${order}`, role: "assistant", status: "completed", content: [text] };
  return {
    ...settings,
    id: `resp_${order}_${input.length}`,
    object: "response",
    created_at: 0,
    model,
    status: "completed",
    error: null,
    incomplete_details: null,
    output: [isFirst ? { ...call, arguments: given(order), status: "completed" } : message],
    usage: { input_tokens: 20, output_tokens: 5, total_tokens: 25 },
  };
}

function batchLine(line: string): string {
  const { custom_id, body } = JSON.parse(line) as { custom_id: string; body: ChatRequest };
  const response = { status_code: 200, request_id: `req_${custom_id}`, body: completionOf(body) };
  return `${JSON.stringify({ id: `batch_req_${custom_id}`, custom_id, response, error: null })}\n`;
}

function orderIn(content: string): string {
  return /\d+/.exec(content)![0];
}

function given(order: string): string {
  return JSON.stringify({ order, amount: 12.5 });
}
