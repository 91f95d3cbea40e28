import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** What a request to the server said. */
export interface ServedRequest {
  model: string;
  messages: { role: string; content: string | null; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
  stream?: boolean;
  seed?: number;
  [key: string]: unknown;
}

/** What the model says to it. */
interface ServedReply {
  text?: string;
  calls?: { name: string; arguments: string }[];
  finish?: string;
  refusal?: string;
}

export interface ModelServerOptions {
  seed?: number;
  /** Milliseconds before an answer: drawn between the two. */
  latencyMs?: readonly [number, number];
  /** Share of first tries that meet each of these. A request meets at most two before it is answered. */
  limited?: number;
  broken?: number;
  dropped?: number;
  /** The connection ends in the middle of the stream. */
  cut?: number;
  /** Stops after the first word and says nothing more, until the caller gives up. */
  stalled?: number;
  /** Share of calls whose arguments are no JSON. */
  malformed?: number;
  /** Says at most so many calls at once; more are answered 429. */
  callsAtOnce?: number;
  /** The key it wants. */
  key?: string;
  reply?: (request: ServedRequest) => ServedReply;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1` */
  url: string;
  /** How each request ended: `ok`, `limited`, `broken`, `dropped`, `cut`, `stalled`, `crowded`, `refused`. */
  ended: Record<string, number>;
  requests: ServedRequest[];
  headers: IncomingMessage["headers"][];
  mostAtOnce: number;
  close(): Promise<void>;
}

/** A request that has met so many faults is answered. */
const MOST_FAULTS = 2;

/**
 * A server that speaks Chat Completions as real ones do on a bad day: late, in pieces, refusing for load with a time to
 * come back, failing, dropping connections, stopping in the middle. What it says is a function of its seed and of what it
 * is asked; which faults a request meets is one of that and of how often it was asked before.
 */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const { seed = 0, callsAtOnce = Number.POSITIVE_INFINITY, key } = options;
  const asked = new Map<string, number>();
  const state = {
    ended: {} as Record<string, number>,
    requests: [] as ServedRequest[],
    headers: [] as ModelServer["headers"],
    mostAtOnce: 0,
  };
  let atOnce = 0;
  const ended = (word: string): void => {
    state.ended[word] = (state.ended[word] ?? 0) + 1;
  };

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (incoming.method === "GET") {
      json(response, 200, {
        object: "list",
        data: [{ id: "test", object: "model", owned_by: "vllm", max_model_len: 8192 }],
      });
      return;
    }
    if (key !== undefined && incoming.headers.authorization !== `Bearer ${key}`) {
      ended("refused");
      json(response, 401, {
        error: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
      });
      return;
    }
    const request = JSON.parse(Buffer.concat(chunks).toString()) as ServedRequest;
    state.requests.push(request);
    state.headers.push(incoming.headers);
    const { model, messages, tools = [], seed: own } = request;
    const about = JSON.stringify([model, messages, tools.map((tool) => tool.function.name), own]);
    const nth = asked.get(about) ?? 0;
    asked.set(about, nth + 1);
    const draw = (salt: string): number => unit(`${seed}:${salt}:${about}`);

    if (atOnce >= callsAtOnce) {
      ended("crowded");
      response.setHeader("retry-after-ms", "20");
      json(response, 429, { error: { message: "Too many requests.", type: "rate_limit_error" } });
      return;
    }
    atOnce++;
    state.mostAtOnce = Math.max(state.mostAtOnce, atOnce);
    try {
      const [least, most] = options.latencyMs ?? [0, 0];
      if (most > 0) await sleep(least + (most - least) * draw(`latency:${nth}`));
      const fault = nth < MOST_FAULTS ? faultOf(options, draw(`fault:${nth}`)) : null;
      if (fault === "limited") {
        ended(fault);
        // In each of the spellings that servers have.
        const date = new Date(Date.now() + 1000).toUTCString();
        const spellings = [
          ["retry-after-ms", "30"],
          ["retry-after", "0.05"],
          ["x-none", "1"],
        ] as const;
        const wait = draw(`wait:${nth}`);
        // A date is whole seconds away, and closes the server for all: a rare one is enough.
        const [name, value] = wait < 0.01 ? ["retry-after", date] : spellings[Math.floor(wait * 3)]!;
        response.setHeader(name, value);
        json(response, 429, { error: { message: "Rate limit reached.", type: "rate_limit_error" } });
        return;
      }
      if (fault === "broken") {
        ended(fault);
        json(response, draw(`status:${nth}`) < 0.5 ? 500 : 503, { error: { message: "The engine is overloaded." } });
        return;
      }
      if (fault === "dropped") {
        ended(fault);
        incoming.socket.destroy();
        return;
      }
      const reply =
        options.reply?.(request) ?? defaultReply(request, draw("malformed") < (options.malformed ?? 0), draw);
      await answer(request, response, reply, fault);
      ended(fault ?? "ok");
    } finally {
      atOnce--;
    }
  };
  const server: Server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}/v1`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

type Fault = "limited" | "broken" | "dropped" | "cut" | "stalled";

function faultOf(options: ModelServerOptions, draw: number): Fault | null {
  let below = 0;
  for (const fault of ["limited", "broken", "dropped", "cut", "stalled"] as const) {
    below += options[fault] ?? 0;
    if (draw < below) return fault;
  }
  return null;
}

/** Looks the order up that the ask names, and says what came back; another order for each seed where there are several. */
function defaultReply(
  { messages, tools = [] }: ServedRequest,
  isMalformed: boolean,
  draw: (salt: string) => number,
): ServedReply {
  const last = messages.at(-1)!;
  if (last.role === "tool") {
    return { text: `Here it is (${Math.floor(draw("words") * 1e6)}): ${last.content}` };
  }
  const tool = tools[0]?.function.name;
  if (tool === undefined) return { text: `You said: ${last.content}` };
  const order = /[A-Z]\d{4}/.exec(last.content ?? "")?.[0] ?? "A1001";
  return {
    calls: [{ name: tool, arguments: isMalformed ? `{order_id: ${order}` : JSON.stringify({ order_id: order }) }],
  };
}

async function answer(
  request: ServedRequest,
  response: ServerResponse,
  reply: ServedReply,
  fault: Fault | null,
): Promise<void> {
  const { text = "", calls = [], refusal, finish = calls.length > 0 ? "tool_calls" : "stop" } = reply;
  const usage = {
    prompt_tokens: JSON.stringify(request.messages).length >> 2,
    completion_tokens: 1 + ((text.length + JSON.stringify(calls).length) >> 2),
  };
  const toolCalls = calls.map(({ name, arguments: given }, index) => ({
    ...{
      index,
      id: `call_${index}_${request.messages.length}`,
      type: "function",
      function: { name, arguments: given },
    },
  }));
  const head = { id: "chatcmpl-test", object: "chat.completion", created: 0, model: request.model };
  if (request.stream !== true) {
    if (fault === "cut" || fault === "stalled") {
      // A whole answer has no middle to stop in.
      response.destroy();
      return;
    }
    const message = {
      role: "assistant",
      content: calls.length > 0 ? null : text,
      ...(refusal === undefined ? {} : { refusal }),
      ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
    };
    json(response, 200, { ...head, choices: [{ index: 0, message, finish_reason: finish }], usage });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: Record<string, unknown>, reason: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: reason }];
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices })}\n\n`);
  };
  send({ role: "assistant", content: "" });
  if (fault === "cut") {
    send({ content: "Here" });
    // What was written goes out before the connection ends.
    await sleep(1);
    response.destroy();
    return;
  }
  if (fault === "stalled") {
    send({ content: "Here" });
    await new Promise<void>((resolve) => response.on("close", resolve));
    return;
  }
  for (const piece of text.match(/[\s\S]{1,24}/g) ?? []) send({ content: piece });
  if (refusal !== undefined) send({ refusal });
  for (const { index, id, type, function: inner } of toolCalls) {
    send({ tool_calls: [{ index, id, type, function: { name: inner.name, arguments: "" } }] });
    for (const piece of inner.arguments.match(/[\s\S]{1,7}/g) ?? [])
      send({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  send({}, finish);
  if ((request.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true) {
    response.write(`data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`);
  }
  response.end("data: [DONE]\n\n");
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

function unit(text: string): number {
  return Number.parseInt(createHash("sha256").update(text).digest("hex").slice(0, 8), 16) / 2 ** 32;
}
