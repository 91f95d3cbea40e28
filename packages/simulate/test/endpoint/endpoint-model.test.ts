import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type EndpointOptions,
  endpointAgent,
  endpointModel,
  RunFailedError,
  type SimulateError,
  simulate,
} from "@while/simulate";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ModelServerOptions, startModelServer } from "./model-server.ts";

const ASK = {
  messages: [{ role: "user" as const, content: "Where is A1001?" }],
  maxTokens: 64,
  temperature: 0.5,
  seed: 1,
};
const TOOLS = [{ name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } }];

async function server(options: ModelServerOptions = {}) {
  const own = await startModelServer(options);
  onTestFinished(() => own.close());
  return own;
}

/** A network that answers from a list, the last one again and again. */
function network(...answers: (Response | Error | (() => Response))[]) {
  const bodies: Record<string, unknown>[] = [];
  const headers: Headers[] = [];
  const fetch = (async (_: string, init: RequestInit) => {
    if (init.body !== undefined && init.body !== null) bodies.push(JSON.parse(String(init.body)));
    headers.push(new Headers(init.headers));
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer() : answer.clone();
  }) as typeof globalThis.fetch;
  return { fetch, bodies, headers };
}
const said = (text: string) =>
  Response.json({
    choices: [{ message: { content: text }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1_000_000, completion_tokens: 500_000 },
  });
const refuse = (status: number, message: string, more: object = {}, headers: Record<string, string> = {}) =>
  Response.json({ error: { message, ...more } }, { status, headers });
let places = 0;
/** A model at an address of its own, so that no two tests share a limiter. */
const modelAt = (fetch: typeof globalThis.fetch, options: EndpointOptions = {}) =>
  endpointModel(`http://host-${places++}/v1`, { model: "m", fetch, ...options });

describe("a server that speaks Chat Completions", () => {
  test.each([true, false])("is asked and heard, streamed or not (stream: %j)", async (stream) => {
    const { url, requests } = await server();
    const model = endpointModel(url, { model: "test", stream });
    const answer = await model({ ...ASK, tools: [{ type: "function", function: { name: "get_order" } }] });
    expect(answer).toEqual({
      ...{ text: "", finishReason: "tool_calls", inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
      toolCalls: [{ id: "call_0_1", name: "get_order", arguments: '{"order_id":"A1001"}' }],
      costUsd: null,
    });
    expect(requests[0]).toMatchObject({ model: "test", max_tokens: 64, temperature: 0.5, seed: 1 });
  });

  test("on a bad day: late, refusing, failing, dropping and cutting, what is asked stays the same and is answered", async () => {
    const bad = { limited: 0.1, broken: 0.08, dropped: 0.08, cut: 0.08, stalled: 0.05, latencyMs: [0, 5] as const };
    const { url, ended, requests } = await server(bad);
    const N = 120;
    const model = endpointModel(url, { model: "test", timeouts: { idleMs: 2000 } });
    const asks = Array.from({ length: N }, (_, n) => ({ ...ASK, seed: n, sample: `${n}` }));
    const answers = await Promise.all(asks.map((ask) => model(ask)));
    expect(answers.map(({ text }) => text)).toEqual(Array(N).fill("You said: Where is A1001?"));
    expect(ended.ok).toBe(N);
    for (const word of ["limited", "broken", "dropped", "cut", "stalled"]) expect(ended[word], word).toBeGreaterThan(0);
    // Every try of a call says what the first one said.
    const texts = new Map<unknown, Set<string>>();
    for (const request of requests)
      texts.set(request.seed, (texts.get(request.seed) ?? new Set()).add(JSON.stringify(request)));
    expect([...texts.values()].every((set) => set.size === 1)).toBe(true);
    const { calls, retriedBy } = model.report();
    expect(calls).toBe(requests.length);
    expect((retriedBy.limited ?? 0) + (retriedBy.broken ?? 0)).toBe(calls - N);
  }, 300_000);

  test("is not called by more at once than it takes", async () => {
    const crowd = await server({ callsAtOnce: 3, latencyMs: [5, 10] });
    const model = endpointModel(crowd.url, { model: "test", callsAtOnce: { start: 16 } });
    await Promise.all(Array.from({ length: 60 }, (_, seed) => model({ ...ASK, seed })));
    expect(crowd.ended.ok).toBe(60);
    expect(model.report().callsAtOnce).toBeLessThan(16);
  }, 300_000);
});

test("an answer that drips on is ended when its time is up, and asked for again", async () => {
  let nth = 0;
  const drip = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (nth++ > 0) {
      response.end(
        `data: ${JSON.stringify({ choices: [{ delta: { content: "Whole." }, finish_reason: "stop" }] })}\n\n`,
      );
      return;
    }
    const timer = setInterval(
      () => response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "." } }] })}\n\n`),
      10,
    );
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => drip.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    drip.closeAllConnections();
    drip.close();
  });
  const url = `http://127.0.0.1:${(drip.address() as AddressInfo).port}`;
  const model = endpointModel(url, { model: "m", timeouts: { idleMs: 5000, wholeMs: 2000 } });
  expect((await model(ASK)).text).toBe("Whole.");
  expect([nth, model.report().retriedBy]).toEqual([2, { broken: 1 }]);
});

describe("what is tried again, and how often", () => {
  test.each([408, 409, 429, 500, 502, 503, 529])("HTTP %i is", async (status) => {
    const { fetch, bodies } = network(refuse(status, "Later.", {}, { "retry-after-ms": "1" }), said("Yes."));
    expect((await modelAt(fetch)(ASK)).text).toBe("Yes.");
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test("a call that breaks again and again is lost, with what was said last", async () => {
    const { fetch, bodies } = network(refuse(500, "The engine died.", {}, { "retry-after-ms": "1" }));
    const model = modelAt(fetch, { retries: 2 });
    await expect(model(ASK)).rejects.toMatchObject({
      ...{
        code: "infrastructure",
        what: expect.stringMatching(
          /^m at http:\/\/host-\d+ did not answer after 3 tries: HTTP 500: The engine died\.\.$/,
        ),
      },
    });
    expect(bodies).toHaveLength(3);
  });

  test("too many calls cost no tries, but patience", async () => {
    const busy = refuse(429, "Slow down.", {}, { "retry-after-ms": "2" });
    const { fetch } = network(busy, busy, busy, busy, busy, said("At last."));
    expect((await modelAt(fetch, { retries: 0 })(ASK)).text).toBe("At last.");
    const long = network(refuse(429, "Slow down.", {}, { "retry-after": "3600" }));
    await expect(modelAt(long.fetch, { patienceMs: 1000 })(ASK)).rejects.toMatchObject({
      ...{ code: "infrastructure", what: expect.stringContaining("asks to wait 3600 s") },
    });
    expect(long.bodies).toHaveLength(1);
  });

  test("a run that is stopped waits for nothing", async () => {
    const { fetch } = network(refuse(429, "Slow down.", {}, { "retry-after": "60" }));
    const controller = new AbortController();
    const call = modelAt(fetch)({ ...ASK, signal: controller.signal });
    setTimeout(() => controller.abort(new Error("stopped")), 20);
    await expect(call).rejects.toThrow("stopped");
  });

  test("a stop reaches the connection", async () => {
    let isClosed = false;
    const silent = createServer((request) =>
      request.on("close", () => {
        isClosed = true;
      }),
    );
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      silent.closeAllConnections();
      silent.close();
    });
    const controller = new AbortController();
    const model = endpointModel(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`, { model: "m" });
    setTimeout(() => controller.abort(new Error("stopped")), 50);
    await expect(model({ ...ASK, signal: controller.signal })).rejects.toThrow("stopped");
    await expect.poll(() => isClosed).toBe(true);
  });
});

test("connections serve one call after the other", async () => {
  const connections = new Set<unknown>();
  const one = createServer((request, response) => {
    connections.add(request.socket);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: "Yes." }, finish_reason: "stop" }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => one.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    one.closeAllConnections();
    one.close();
  });
  const model = endpointModel(`http://127.0.0.1:${(one.address() as AddressInfo).port}`, { model: "m" });
  for (let n = 0; n < 8; n++) await model(ASK);
  expect(connections.size).toBeLessThanOrEqual(2);
});

test("time that is waited for a crowded server is not the rollout's own", async () => {
  const crowd = await server({ callsAtOnce: 1, latencyMs: [40, 50] });
  const agent = endpointAgent(crowd.url, { model: "test", callsAtOnce: { start: 1, most: 1 } });
  const options = { tools: TOOLS, budget: 24, concurrency: 24, rolloutTimeoutMs: 1500, retries: 0 };
  // Each works for about 100 ms, and the last one waits for two seconds.
  const { report } = await simulate(agent, options);
  expect(report).toMatchObject({ rolloutsCompleted: 24, rolloutsLost: 0 });
});

describe("what is told apart", () => {
  test("an error that is sent as an answer is none", async () => {
    const { fetch } = network(
      Response.json({ error: { message: "Overloaded", type: "overloaded_error" } }),
      said("Yes."),
    );
    const model = modelAt(fetch);
    expect((await model(ASK)).text).toBe("Yes.");
    expect(model.report().retriedBy).toEqual({ limited: 1 });
  });

  test.each([
    [401, "Incorrect API key provided.", {}, "agent_auth_failed"],
    [403, "Not allowed.", {}, "agent_auth_failed"],
    [429, "You exceeded your current quota.", { code: "insufficient_quota" }, "agent_quota_exceeded"],
    [402, "Payment required.", {}, "agent_quota_exceeded"],
    [400, "Your credit balance is too low.", {}, "agent_quota_exceeded"],
    [
      400,
      "This model's maximum context length is 4096 tokens.",
      { code: "context_length_exceeded" },
      "context_overflow",
    ],
    [404, "The model m does not exist.", {}, "endpoint_refused"],
    [400, "messages[0] is wrong.", {}, "endpoint_refused"],
  ])("HTTP %i %j is not tried again: %j %s", async (status, message, more, code) => {
    const { fetch, bodies } = network(refuse(status, message, more));
    await expect(modelAt(fetch)(ASK)).rejects.toMatchObject({ code, what: expect.stringContaining(message) });
    expect(bodies).toHaveLength(1);
  });

  test("a quota that opens again soon is a refusal for load", async () => {
    const { fetch } = network(
      refuse(429, "Quota exceeded for requests per minute.", {}, { "retry-after-ms": "1" }),
      said("Yes."),
    );
    expect((await modelAt(fetch)(ASK)).text).toBe("Yes.");
  });

  test("a prompt that the provider filters is an answer that says nothing", async () => {
    const { fetch } = network(refuse(400, "Filtered.", { code: "content_filter" }));
    expect(await modelAt(fetch)(ASK)).toMatchObject({ text: "", finishReason: "content_filter" });
  });

  test("a server that has taken other calls and refuses one means that one", async () => {
    const { fetch } = network(said("Yes."), refuse(400, "Bad arguments."));
    const model = modelAt(fetch);
    await model(ASK);
    await expect(model(ASK)).rejects.toMatchObject({ code: "infrastructure" });
    const call = { id: "c", name: "a", arguments: "{id: A" };
    const malformed = {
      ...ASK,
      messages: [...ASK.messages, { role: "assistant" as const, content: "", tool_calls: [call] }],
    };
    await expect(model(malformed)).rejects.toMatchObject({ code: "bad_model" });
  });

  test("a server that nobody has ever reached ends the run, and the key is in no sentence", async () => {
    const nobody = Object.assign(new TypeError("fetch failed"), {
      cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }),
    });
    const { fetch, bodies } = network(nobody);
    const model = modelAt(fetch, { apiKey: "sk-secret" });
    const error: SimulateError = await model(ASK).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(error).toMatchObject({
      code: "endpoint_unreachable",
      what: expect.stringContaining("cannot be reached: ECONNREFUSED"),
    });
    expect(bodies).toHaveLength(4);
    expect(JSON.stringify(model.report()) + error.message + JSON.stringify(error) + String(error.cause)).not.toContain(
      "secret",
    );
  });
});

describe("parameters that a server does not know", () => {
  test("are left out, or named otherwise, from then on, and the report says so", async () => {
    const { fetch, bodies } = network(
      refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refuse(400, "'temperature' does not support 0.5."),
      said("Yes."),
    );
    const model = modelAt(fetch, { stream: false });
    await model(ASK);
    await model(ASK);
    expect(bodies[2]).toEqual({ model: "m", messages: ASK.messages, max_completion_tokens: 64, seed: 1 });
    expect(bodies[3]).toEqual(bodies[2]);
    expect(model.report().notSent).toEqual(["temperature"]);
  });

  test("also when many calls find out at once", async () => {
    const { fetch } = network(() => refuse(400, "unused"));
    let nth = 0;
    const late = (async (_url: string, init: RequestInit) => {
      await new Promise((resolve) => setTimeout(resolve, 5 + (nth++ % 3)));
      return JSON.parse(String(init.body)).seed === undefined ? said("Yes.") : refuse(400, "Unknown parameter seed.");
    }) as typeof fetch;
    const model = modelAt(late);
    const answers = await Promise.all(Array.from({ length: 8 }, () => model(ASK)));
    expect(answers.every(({ text }) => text === "Yes.")).toBe(true);
  });
});

describe("the key", () => {
  const env = { OPENAI_API_KEY: "sk-open", MY_KEY: "sk-mine" };
  test.each([
    ["openai:m", {}, "Bearer sk-open"],
    ["http://elsewhere/v1", { model: "m" }, null],
    ["https://api.openai.com/v1", { model: "m" }, "Bearer sk-open"],
    ["https://elsewhere/v1", { model: "m", keyEnv: "MY_KEY" }, "Bearer sk-mine"],
    ["https://elsewhere/v1", { model: "m", apiKey: "sk-own" }, "Bearer sk-own"],
    ["https://elsewhere/v1", { model: "m", headers: { Authorization: "Basic x" } }, "Basic x"],
  ])("of %s with %j is %j", async (spec, options, expected) => {
    const { fetch, headers } = network(said("Yes."));
    await endpointModel(spec, { ...options, env, fetch })(ASK);
    expect(headers[0]!.get("authorization")).toBe(expected);
  });

  test.each([
    ["openai:m", {}, "openai at api.openai.com needs a key, and none is given. Set OPENAI_API_KEY."],
    ["https://elsewhere/v1", { model: "m" }, "elsewhere needs a key, and none is given. Give apiKey, or keyEnv"],
    ["http://elsewhere/v1", { model: "m", keyEnv: "NONE" }, "keyEnv names NONE, and it is not set."],
  ])("is missing for %s", (spec, options, said) => {
    expect(() => endpointModel(spec, { ...options, env: {} })).toThrow(said);
  });

  test("goes along within a server and to no other one", async () => {
    const to = (location: string) => new Response(null, { status: 303, headers: { location } });
    const within = network(to("/result/1"), said("Yes."));
    expect((await modelAt(within.fetch, { apiKey: "k" })(ASK)).text).toBe("Yes.");
    expect(within.headers[1]!.get("authorization")).toBe("Bearer k");
    const out = network(to("https://evil.example/"), said("Yes."));
    await expect(modelAt(out.fetch, { apiKey: "k" })(ASK)).rejects.toMatchObject({
      ...{
        code: "endpoint_refused",
        what: expect.stringContaining("https://evil.example, where the key does not belong"),
      },
    });
    expect(out.headers).toHaveLength(1);
  });
});

test.each([
  [{ retries: -1 }, "retries is -1"],
  [{ timeouts: { idleMs: 0 } }, "timeouts.idleMs is 0"],
  [{ callsAtOnce: { most: 0.5 } }, "callsAtOnce.most is 0.5"],
  [{ perMinute: { tokens: 0 } }, "perMinute.tokens is 0"],
  [{ perMinute: { request: 1 } as object }, "request"],
  [{ timeout: 5 }, "Did you mean timeouts?"],
  [{ prices: { input: -1, output: 1 } }, "The input price of m is -1"],
])("the options %j are refused", (options, said) => {
  expect(() => endpointModel("http://h", { model: "m", ...options } as EndpointOptions)).toThrow(said);
});

describe("a price", () => {
  test("is that of the model in a book, and what a call costs is worked out from it", async () => {
    const { fetch } = network(said("Yes."));
    const book = { asOf: "2026-01-01", models: { m: { input: 2, output: 8 } } };
    expect((await modelAt(fetch, { prices: book })(ASK)).costUsd).toBe(2 + 4);
    expect((await modelAt(fetch, { prices: { asOf: "2026-01-01", models: {} } })(ASK)).costUsd).toBeNull();
    expect(modelAt(fetch, { prices: { input: 1, output: 1 } }).mostUsd?.(ASK)).toBeGreaterThan(0);
  });
});

describe("Anthropic's Messages", () => {
  test("are spoken: the key in its header, the tools with their schemas, the answer with its calls", async () => {
    const content = [
      { type: "text", text: "I look." },
      { type: "tool_use", id: "t1", name: "get_order", input: { order_id: "A1001" } },
    ];
    const usage = { input_tokens: 30, output_tokens: 9 };
    const { fetch, bodies, headers } = network(Response.json({ content, stop_reason: "tool_use", usage }));
    const env = { ANTHROPIC_API_KEY: "sk-ant" };
    const model = endpointModel("anthropic:claude-x", { env, fetch, stream: false, prices: { input: 3, output: 15 } });
    const answer = await model({ ...ASK, tools: [{ type: "function", function: { name: "get_order" } }] });
    expect(answer).toMatchObject({
      ...{ text: "I look.", finishReason: "tool_calls", inputTokens: 30, outputTokens: 9, costUsd: (90 + 135) / 1e6 },
      toolCalls: [{ id: "t1", name: "get_order", arguments: '{"order_id":"A1001"}' }],
    });
    expect([
      headers[0]!.get("x-api-key"),
      headers[0]!.get("anthropic-version"),
      headers[0]!.get("authorization"),
    ]).toEqual([...["sk-ant", "2023-06-01", null]]);
    expect(bodies[0]).toMatchObject({ model: "claude-x", max_tokens: 64, tools: [{ name: "get_order" }] });
    // It takes no seed, and is sent none.
    expect(bodies[0]).not.toHaveProperty("seed");
  });
});

test("a server that says that nothing is left is not asked before it opens again", async () => {
  const at: number[] = [];
  const fetch = (async () => {
    at.push(performance.now());
    const headers = { "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "150ms" };
    return Response.json({ choices: [{ message: { content: "Yes." }, finish_reason: "stop" }] }, { headers });
  }) as unknown as typeof globalThis.fetch;
  const model = modelAt(fetch);
  await model(ASK);
  await model(ASK);
  expect(at[1]! - at[0]!).toBeGreaterThan(140);
});

describe("as an agent", () => {
  const run = async (options: ModelServerOptions, more: object = {}) => {
    const { url } = await server(options);
    const agent = endpointAgent(url, { model: "test" });
    return simulate(agent, { tools: TOOLS, budget: 12, repeats: 2, ...more });
  };

  test("malformed calls are the agent's own: kept, and told to it", async () => {
    const { rows, report } = await run({ malformed: 1 });
    expect(report).toMatchObject({ rolloutsCompleted: 12, rolloutsLost: 0 });
    expect(rows[0]!.steps?.[0]).toMatchObject({
      ...{ tool: "get_order", arguments: {}, arguments_raw: expect.stringMatching(/^\{order_id: [A-Z]\d+/) },
      result: { status: "invalid", error: "the arguments are no JSON object" },
    });
    expect(rows[0]!.final_text).toContain("no JSON object");
  });

  test("what the provider filtered and what the model declined are told apart from silence", async () => {
    const filtered = await run({ reply: () => ({ finish: "content_filter" }) });
    expect(filtered.rows[0]).toMatchObject({ final_text: "", finish_reason: "content_filter" });
    expect(filtered.report).toMatchObject({ agentFailures: { content_filter: 12 }, rolloutsCompleted: 12 });
    const refused = await run({ reply: () => ({ refusal: "I cannot help with that." }) });
    expect(refused.rows[0]).toMatchObject({ final_text: "I cannot help with that.", finish_reason: "refusal" });
    expect(refused.report.agentFailures).toEqual({});
    const silent = await run({ reply: () => ({}) }, { budget: 2 });
    expect(silent.rows[0]).toMatchObject({ final_text: "", finish_reason: "empty" });
    expect(silent.report.stoppedBecause).toBe("empty_replies");
  });

  test("a key that is refused ends the run at its first call", async () => {
    const { url, requests } = await server({ key: "right" });
    const agent = endpointAgent(url, { model: "test", apiKey: "wrong" });
    const failed = simulate(agent, { tools: TOOLS, budget: 40, concurrency: 1 });
    await expect(failed).rejects.toMatchObject({
      code: "agent_auth_failed",
      what: expect.stringContaining("Incorrect API key"),
    });
    await expect(failed).rejects.not.toBeInstanceOf(RunFailedError);
    expect(requests).toHaveLength(0);
  });

  test("its window bounds its turns and its answers", () => {
    const agent = (contextTokens: number) => endpointAgent("http://h", { model: "m", contextTokens }).sampling;
    expect([agent(8192), agent(32_768)]).toEqual([
      { temperature: 0.8, max_tokens: 768, model: "m" },
      { temperature: 0.8, max_tokens: 2048, model: "m" },
    ]);
    expect(() => endpointAgent("http://h", { model: "m", maxturns: 3 } as never)).toThrow("Did you mean maxTurns?");
  });
});

describe("what a key allows in a minute", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** A server at an address of its own, that says when it was asked. */
  const desk = (name: string, perMinute: object) => {
    const asked: number[] = [];
    const fetch = async (): Promise<Response> => {
      asked.push(Math.round(Date.now() / 1000));
      const message = { content: "Which order?" };
      const usage = { prompt_tokens: 30, completion_tokens: 10 };
      return Response.json({ choices: [{ message, finish_reason: "stop" }], usage });
    };
    const model = endpointModel(`http://${name}.test/v1`, { model: "m", perMinute, fetch, stream: false });
    const ask = (maxTokens: number) => model({ messages: [{ role: "user", content: "Hello" }], maxTokens });
    return { asked, ask };
  };

  test.each([
    ["requests", { requests: 2 }, 16, [0, 0, 60, 60, 120]],
    // A call counts as its words and 500 tokens of answer, until the server has counted 40.
    ["tokens", { tokens: 600 }, 500, [0, 0, 0, 60, 60]],
  ])("of %s is waited for", async (name, perMinute, maxTokens, expected) => {
    vi.useFakeTimers({ now: 0 });
    const { asked, ask } = desk(`minute-${name}`, perMinute);
    const all = [1, 2, 3, 4, 5].map(() => ask(maxTokens));
    await vi.advanceTimersByTimeAsync(130_000);
    await Promise.all(all);
    expect(asked).toEqual(expected);
  });
});
