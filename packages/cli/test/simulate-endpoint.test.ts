import { readFileSync, writeFileSync } from "node:fs";
import { readRowFiles } from "@while/schema/files";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ModelServerOptions, startModelServer } from "../../simulate/test/endpoint/model-server.ts";
import { folder, wai } from "./terminal.ts";

const TOOLS = [{ name: "get_order", description: "of A1001 to A1003", parameters: { order_id: { type: "string" } } }];

async function place(options: ModelServerOptions = {}) {
  const server = await startModelServer(options);
  onTestFinished(() => server.close());
  const at = folder();
  const file = (name: string, content: unknown): string => {
    writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
    return at(name);
  };
  const [tools, out] = [file("tools.json", TOOLS), at("rows.jsonl")];
  const prices = file("prices.json", { as_of: "2026-01-31", models: { test: { input: 1, output: 4 } } });
  const argv = ["simulate", "--endpoint", server.url, "--model", "test", "--tools", tools, "--budget", "12", "-o", out];
  return { server, at, file, tools, out, prices, argv };
}

describe("wai simulate --endpoint", () => {
  test("runs a model behind HTTP on tasks from its tools, and writes its rows", async () => {
    const { argv, out, server } = await place({ limited: 0.1, cut: 0.1 });
    const { code, stdout, stderr } = await wai([...argv, "--temperature", "0.2", "--max-tokens", "99"]);
    // The text is beside the rows, and not among them.
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("12 of 12 rollouts of test on 12 tasks (budget)");
    expect(stderr).toContain("cost       not known: no price is known for test");
    const { rows } = await readRowFiles([out]);
    expect(rows[0]).toMatchObject({
      model_version: "test",
      sampling: { temperature: 0.2, max_tokens: 99, model: "test" },
    });
    expect(rows[0]!.steps?.[0]).toMatchObject({ tool: "get_order" });
    expect(server.requests[0]).toMatchObject({ temperature: 0.2, max_tokens: 99, stream: true });
  });

  test("knows the window that the server names, and streams unless it is told not to", async () => {
    const { argv, server } = await place();
    await wai([...argv, "--no-stream"]);
    expect(server.requests[0]).toMatchObject({ max_tokens: 768 });
    expect(server.requests[0]).not.toHaveProperty("stream");
    await wai([...argv, "--context", "32768"]);
    expect(server.requests.at(-1)).toMatchObject({ max_tokens: 2048 });
  });

  test("keeps to what a key allows in a minute, where it is told", async () => {
    const { argv, tools, out } = await place();
    expect((await wai([...argv, "--requests-per-minute", "100000", "--tokens-per-minute", "9000000"])).code).toBe(0);
    const stray = ["simulate", "--seeded", "0", "--tools", tools, "-o", out, "--tokens-per-minute", "5"];
    expect((await wai(stray)).stderr).toMatch(/--tokens-per-minute was given without --endpoint/);
    expect((await wai([...argv, "--requests-per-minute", "0"])).stderr).toMatch(/--requests-per-minute got "0"/);
  });

  test("takes a key from the variable that is named, and shows it nowhere", async () => {
    const { argv } = await place({ key: "sk-secret" });
    const env = { MY_KEY: "sk-secret", OPENAI_API_KEY: "sk-other" };
    const { code, stdout, stderr } = await wai([...argv, "--key-env", "MY_KEY", "--json"], { env });
    expect([code, stdout + stderr]).toEqual([0, expect.not.stringContaining("sk-")]);
    // The key of another server is not sent to this one.
    expect(await wai(argv, { env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/refused the key: HTTP 401: Incorrect API key/),
    });
  });

  test("stops at what it may cost, and says what is missing", async () => {
    const { argv, prices } = await place();
    const { code, stdout } = await wai([
      ...argv,
      "--prices",
      prices,
      "--usd-budget",
      "0.004",
      "--max-tokens",
      "64",
      "--json",
    ]);
    expect(code).toBe(2);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
      stopped_because: "cost_budget",
      endpoints: [{ model: "test", price: { input: 1, output: 4 } }],
    });
    expect(report.cost_usd).toBeLessThanOrEqual(0.004);
    expect(report.rollouts_completed + report.rollouts_abandoned).toBe(12);
    expect((await wai([...argv, "--usd-budget", "1"])).stderr).toContain(
      "error: --usd-budget is 1, and no price is known for test.\nfix: Give --prices",
    );
  });

  test("answers from a cache without the network", async () => {
    const { argv, at, out, server } = await place();
    const cache = ["--cache", at("answers")];
    await wai([...argv, ...cache]);
    const before = readFileSync(out, "utf8");
    await server.close();
    const { code, stderr } = await wai([...argv, ...cache, "--replay"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("24 calls (24 by the cache)")]);
    expect(readFileSync(out, "utf8").replaceAll(/,"replayed_calls":\d+/g, "")).toBe(before);
  });

  test("a model plays the person", async () => {
    const { argv, out, server } = await place({
      reply: ({ tools, messages }) => {
        if (tools === undefined) return { text: "A1002, the lamp." };
        return { text: messages.at(-1)!.content === "A1002, the lamp." ? "It has left." : "Which order?" };
      },
    });
    const address = server.url.replace("/v1", "");
    const { code } = await wai([...argv, "--user", `vllm:person@${address}`]);
    expect(code).toBe(0);
    const { rows } = await readRowFiles([out]);
    expect(rows.some(({ steps }) => steps?.some(({ user }) => user === "A1002, the lamp."))).toBe(true);
    expect(rows[0]!.user_model).toBe("person");
  });

  test("--plan asks nobody", async () => {
    const { argv, server } = await place();
    await server.close();
    const { code, stderr, stdout } = await wai([...argv, "--plan"]);
    expect([code, stderr, stdout]).toEqual([0, "", expect.stringContaining("12 rollouts")]);
  });

  test("--trace writes spans that wai reads as the same rows", async () => {
    const { argv, at, out } = await place({ malformed: 0.2 });
    const { code } = await wai([...argv, "--trace", at("spans.jsonl"), "--trace-content"]);
    expect(code).toBe(0);
    const [rows, back] = [(await readRowFiles([out])).rows, (await readRowFiles([at("spans.jsonl")])).rows];
    const told = (list: typeof rows) => list.map(({ rollout_id, final_text }) => `${rollout_id} ${final_text}`).sort();
    expect(told(back)).toEqual(told(rows));
    expect((await wai([...argv, "--trace-content"])).stderr).toContain("--trace-content was given without --trace.");
  });

  test("a server that is not there is said at once", async () => {
    // A port of the system's own that nobody uses: one that was free a moment ago may be somebody's by now.
    const port = 2;
    const { argv } = await place();
    const { code, stderr } = await wai(
      argv.map((word) => (word.startsWith("http") ? `http://127.0.0.1:${port}` : word)),
    );
    expect(code).toBe(3);
    expect(stderr).toBe(
      `error: test at http://127.0.0.1:${port} cannot be reached: ECONNREFUSED.\nfix: Is the server running, and is that its address?\n`,
    );
  });

  test.each<[string[], string]>([
    [
      ["--endpoint", "http://h"],
      "error: http://h is an address without the name of a model.\nfix: Give --model, its name there.",
    ],
    [["--endpoint", "olama:x"], "fix: Did you mean ollama?"],
    [
      ["--endpoint", "openai:x"],
      "error: openai at api.openai.com needs a key, and none is given.\nfix: Set OPENAI_API_KEY.",
    ],
    [
      ["--endpoint", "https://h.example", "--model", "m"],
      "fix: Give --key-env with the name of the variable that holds it.",
    ],
    [
      ["--endpoint", "http://h", "--model", "m", "--key-env", "NONE"],
      "error: --key-env names NONE, and it is not set.",
    ],
    [["--endpoint", "http://h", "--seeded", "0.3"], "simulate got --seeded and --endpoint."],
    [["--seeded", "0.3", "--model", "m"], "--model was given without --endpoint."],
    [["--seeded", "0.3", "--no-stream"], "--no-stream was given without --endpoint."],
    [["--seeded", "0.3", "--replay", "--user", "ollama:x"], "--replay was given without --cache."],
    [["--seeded", "0.3", "--user", "http://h"], '--user got "http://h".'],
    [["--endpoint", "http://h", "--model", "m", "--temperature", "3"], '--temperature got "3".'],
    [["--endpoint", "http://h", "--model", "m", "--prices", "none.json"], "none.json, which cannot be read (ENOENT)"],
  ])("%j is refused", async (argv, what) => {
    const { tools } = await place();
    const { code, stderr } = await wai(["simulate", ...argv, "--tools", tools, "-o", "x.jsonl"]);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(what) });
  });

  test.each([
    ["[]", "is no price book"],
    ['{"models":{}}', "does not say of which day it is"],
    ['{"as_of":"2026-01-31","models":{"test":{"input":"1"}}}', "The input price of test is 1."],
    ['{"as_of":"2026-01-31","models":{"test":{"in":1,"input":1,"output":1}}}', "has in for test, which is no price"],
  ])("the prices %s are refused", async (text, what) => {
    const { argv, file } = await place();
    expect((await wai([...argv, "--prices", file("p.json", text)])).stderr).toContain(what);
  });
});
