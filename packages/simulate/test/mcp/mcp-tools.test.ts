import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Agent, type RolloutPlace, simulate } from "@while/simulate";
import { type McpOptions, mcpTools } from "@while/simulate/mcp";
import { describe, expect, onTestFinished, test } from "vitest";

const DESK = fileURLToPath(new URL("desk-server.mjs", import.meta.url));
const stdio = (...args: string[]) => ({ command: process.execPath, args: [DESK, ...args] });

async function overHttp() {
  const running = spawn(process.execPath, [DESK, "--http"], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void running.kill());
  const url = await new Promise<string>((resolve) =>
    running.stdout.once("data", (data: Buffer) => resolve(String(data).trim())),
  );
  return { url, headers: { "x-desk-key": "k" } };
}

async function opened(server: Parameters<typeof mcpTools>[0], options: McpOptions = {}) {
  const { tools, close } = await mcpTools(server, options);
  onTestFinished(close);
  const endings: (() => void | Promise<void>)[] = [];
  const place: RolloutPlace = { onEnd: (end) => void endings.push(end) };
  const call = (name: string, given: Record<string, unknown> = {}, at = place) =>
    tools.find((tool) => tool.function.name === name)!.execute!(given, at);
  return { tools, call, endings };
}

/** Cancels the order, and says what it was before. */
const agent: Agent = async (_, { call }) => {
  const before = await call("get_order", { order_id: "A1001" });
  await call("cancel_order", { order_id: "A1001" });
  return JSON.stringify(before);
};

describe.each([
  ["as a process", async () => stdio()],
  ["over HTTP", overHttp],
])("an MCP server %s", (_, made) => {
  test("has its tools listed page by page, with their schemas and hints", async () => {
    const { tools } = await opened(await made());
    expect(tools.map((tool) => tool.function.name)).toEqual([
      "get_order",
      "cancel_order",
      "words",
      "picture",
      "die",
      "hang",
    ]);
    expect(tools[0]).toMatchObject({
      function: { description: "Read an order: A1001 or A1002.", parameters: { required: ["order_id"] } },
      annotations: { readOnlyHint: true },
    });
  });

  test("answers in objects: structured, of text, in words, of a picture, and with what is wrong", async () => {
    const { call } = await opened(await made());
    expect(await call("get_order", { order_id: "A1001" })).toEqual({ order_id: "A1001", state: "open" });
    expect(await call("cancel_order", { order_id: "A1001" })).toEqual({ order_id: "A1001", state: "cancelled" });
    expect(await call("words")).toEqual({ status: "ok", result: "Closed on Sundays." });
    expect(await call("picture")).toEqual({
      status: "ok",
      content: [{ type: "image", mimeType: "image/png", bytes: 3 }],
    });
    expect(await call("get_order", { order_id: "B1" })).toEqual({ status: "error", error: "no order B1" });
    expect(await call("get_order")).toEqual({ status: "error", error: expect.stringContaining("order_id is missing") });
  });

  test("gives each rollout a world of its own, and the run its rows", async () => {
    const { tools } = await opened(await made(), { allow: ["get_order", "cancel_order"] });
    const { rows, report } = await simulate(agent, { tools, seeds: ["Cancel A1001."], repeats: 3, concurrency: 3 });
    expect(rows.map(({ final_text }) => final_text)).toEqual(Array(3).fill('{"order_id":"A1001","state":"open"}'));
    expect(report).toMatchObject({ rolloutsLost: 0, rolloutsCompleted: 3 });
  });

  test("shared, has one world for all", async () => {
    const { tools } = await opened(await made(), { allow: ["get_order", "cancel_order"], isolation: "shared" });
    const { rows } = await simulate(agent, { tools, seeds: ["Cancel A1001."], repeats: 3, concurrency: 1 });
    expect(rows.map(({ final_text }) => JSON.parse(final_text!).state)).toEqual(["open", "cancelled", "cancelled"]);
  });
});

test("scheduled faults come before the server", async () => {
  const { tools } = await opened(stdio(), { allow: ["get_order"] });
  const look: Agent = async (_, { call }) => JSON.stringify(await call("get_order", { order_id: "A1001" }));
  const tasks = [{ prompt: "Where is A1001?", scenario_id: "s", faults: { get_order: { mode: "timeout", rate: 1 } } }];
  const { rows } = await simulate(look, { tools, tasks });
  expect(JSON.parse(rows[0]!.final_text!)).toMatchObject({ status: "timeout" });
});

test("a server that dies, or is silent, loses the rollout, and says nothing of the agent", async () => {
  const run = async (name: string, server: Parameters<typeof mcpTools>[0], options: McpOptions = {}) => {
    const { tools } = await opened(server, { allow: [name], ...options });
    return simulate((_, { call }) => call(name, {}).then(() => "Done."), { tools, seeds: ["A"], retries: 1 });
  };
  // Time runs for a process too while it comes up, which one behind HTTP has done.
  for (const made of [() => run("die", stdio()), async () => run("hang", await overHttp(), { timeoutMs: 3000 })]) {
    const { report, rows } = await made();
    expect([rows, report.rolloutsLostBy, report.rolloutsRetried]).toEqual([[], { task: 1 }, 1]);
  }
});

test("a session ends with its rollout", async () => {
  const { call, endings } = await opened(stdio());
  await call("words");
  await call("words");
  expect(endings).toHaveLength(1);
  await endings[0]!();
});

test.each([
  [stdio("--broken"), {}, "does not come up", "the desk has no chairs"],
  [{ command: "no-such-desk" }, {}, "does not come up", "ENOENT"],
  [{ url: "http://127.0.0.1:1/mcp" }, {}, "The MCP server http://127.0.0.1:1 does not come up", "fetch failed"],
  [stdio(), { allow: ["fly"] }, "has no tool fly.", "It has get_order, cancel_order"],
  [stdio(), { deny: ["get_order", "cancel_order", "words", "picture", "die", "hang"] }, "is left", "It has get_order"],
  [stdio(), { isolation: "none" }, 'isolation is "none"', "Give rollout or shared."],
  [{ url: "desk" }, {}, 'The MCP server is "desk"', "Give { command, args } or { url }."],
  [{ comand: "x" }, {}, "The MCP server is undefined.", "Give { command, args } or { url }."],
])("the server %j with %j is refused: %s", async (server, options, what, more) => {
  const failed = mcpTools(server as never, options as McpOptions);
  await expect(failed).rejects.toThrow(what);
  await expect(failed).rejects.toThrow(more);
});
