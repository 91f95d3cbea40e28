import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EnvironmentOptions } from "@while/export";
import { exportEnvironment, type ServedEnvironment, serveEnvironment } from "@while/export/files";
import { afterAll, afterEach, expect, test } from "vitest";

const folders: string[] = [];
let served: ServedEnvironment | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const WORLD = `
export function execute(name, { order }, { state }) {
  state.paid = order;
  return "refunded " + order;
}
export function reward({ state, info, messages }) {
  return state.paid === info.privileged.order && messages.at(-1).content.includes("done") ? 1 : 0;
}
`;

const ROWS = ["41", "42"].flatMap((order) =>
  [1, 0].map((reward, i) => ({
    scenario_id: `sc-${order}`,
    rollout_index: i,
    prompt: `Refund ${order}.`,
    reward,
    privileged: { order },
  })),
);

const OPTIONS: EnvironmentOptions = {
  name: "desk",
  runtime: "http",
  tools: [{ type: "function", function: { name: "refund", parameters: { type: "object" } } }],
  reward: "./world.mjs#reward",
  execute: "./world.mjs#execute",
  holdout: 0,
};

async function exported(more: Partial<EnvironmentOptions> = {}, world = WORLD): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "while-env-"));
  folders.push(folder);
  const out = join(folder, "desk");
  await exportEnvironment(ROWS, out, { ...OPTIONS, ...more });
  if (world !== "") writeFileSync(join(out, "world.mjs"), world);
  return out;
}

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body), headers };
  const response = await fetch(`${served!.url}${path}`, init);
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

test("a folder appears whole, and one that exists is not written into", async () => {
  const out = await exported();
  expect(readdirSync(out).toSorted()).toEqual(["README.md", "desk", "pyproject.toml", "world.mjs"]);
  expect(readdirSync(join(out, ".."))).toEqual(["desk"]);
  await expect(exportEnvironment(ROWS, out, OPTIONS)).rejects.toThrow(/source_overwrite: .+ exists/);
});

test("a rollout is played over the wire, and the grader keeps its secret", async () => {
  served = await serveEnvironment(await exported(), { port: 0 });
  expect((await ask("/health")).body).toEqual({ name: "desk", sessions: 0, train: 2, test: 0 });
  const { body: episode } = await ask("/reset", { split: "train", index: 1 });
  expect(episode).toMatchObject({ messages: [{ role: "user", content: "Refund 42." }], max_turns: 10, done: false });
  const { session } = episode;
  const step = await ask("/step", { session, tool: "refund", arguments: { order: "42" } });
  expect(step.body).toEqual({ result: "refunded 42", done: false, turns: 1, reward: null });
  expect((await ask(`/state?session=${session}`)).body).toMatchObject({ turns: 1, done: false });
  const scored = await ask("/score", { session, messages: [{ role: "assistant", content: "done" }] });
  expect(scored.body).toMatchObject({ reward: 1, judge_status: "ok" });
});

test("an agent that speaks MCP finds the same tools", async () => {
  served = await serveEnvironment(await exported(), { port: 0 });
  const { session } = (await ask("/reset", {})).body;
  const mcp = (method: string, params: unknown, headers = { "mcp-session-id": session }) =>
    ask("/mcp", { jsonrpc: "2.0", id: 1, method, params }, headers);
  expect((await mcp("initialize", {})).body.result.serverInfo).toEqual({ name: "desk", version: "1" });
  const { tools } = (await mcp("tools/list", {})).body.result;
  expect(tools.map(({ name }: { name: string }) => name)).toEqual(["refund", "submit"]);
  const called = await mcp("tools/call", { name: "refund", arguments: { order: "41" } });
  expect(called.body.result).toMatchObject({ content: [{ type: "text", text: "refunded 41" }], isError: false });
  expect((await mcp("tools/steal", {})).body.error.code).toBe(-32601);
  expect((await ask("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" })).status).toBe(202);
  expect((await mcp("tools/list", {}, { "mcp-session-id": "" })).status).toBe(404);
});

test.each([
  ["/step", { session: "none", tool: "refund", arguments: {} }, 404, "not_found"],
  ["/reset", { task_id: "none" }, 404, "not_found"],
  ["/reset", [1], 400, "invalid_option"],
  ["/steal", {}, 404, "not_found"],
])("POST %s with %j is answered %i %s", async (path, body, status, code) => {
  served = await serveEnvironment(await exported(), { port: 0 });
  const answer = await ask(path, body);
  expect([answer.status, answer.body.error.code]).toEqual([status, code]);
});

test("a body that is no JSON is answered 400", async () => {
  served = await serveEnvironment(await exported(), { port: 0 });
  const response = await fetch(`${served.url}/reset`, { method: "POST", body: "{" });
  expect([response.status, JSON.parse(await response.text()).error.code]).toEqual([400, "bad_json"]);
});

test.each([
  ["", /there is no such file/],
  ["export const execute = 1;", /exports no function execute/],
  ["nonsense(", /does not load/],
])("a module that is %j is refused before anything listens", async (world, message) => {
  await expect(exported({}, world).then((out) => serveEnvironment(out, { port: 0 }))).rejects.toThrow(message);
});

test("a folder without spec.json is no environment", async () => {
  await expect(serveEnvironment(tmpdir(), { port: 0 })).rejects.toThrow(/holds no environment/);
});
