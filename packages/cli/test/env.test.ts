import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { exportEnvironment } from "@while/export/files";
import { expect, test } from "vitest";
import { rollouts } from "./rollouts.ts";
import { BIN, folder, wai } from "./terminal.ts";

const OPTIONS = {
  name: "desk",
  runtime: "http",
  tools: [{ type: "function", function: { name: "refund", parameters: { type: "object" } } }],
  reward: "./world.mjs#reward",
  execute: "./world.mjs#execute",
  holdout: 0,
} as const;
const WORLD = "export const execute = () => 'ok';\nexport const reward = () => 1;\n";

test("wai env serve says where it listens, plays a rollout, and ends in order", { timeout: 240_000 }, async () => {
  const path = folder();
  await exportEnvironment(rollouts({ a: [1, 0] }), path("desk"), OPTIONS);
  writeFileSync(path("desk/world.mjs"), WORLD);
  const argv = [BIN, "env", "serve", path("desk"), "--port", "0", "--json", "--quiet"];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  const [first] = (
    await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (data) => resolve(String(data)));
      child.stderr.once("data", (data) => reject(new Error(String(data))));
    }).finally(() => undefined)
  ).split("\n");
  const { url, name, train, test: held } = JSON.parse(first!);
  expect([name, train, held]).toEqual(["desk", 1, 0]);
  const post = async (at: string, body: unknown) =>
    JSON.parse(await (await fetch(url + at, { method: "POST", body: JSON.stringify(body) })).text());
  const { session } = await post("/reset", {});
  expect(await post("/step", { session, tool: "refund", arguments: {} })).toMatchObject({ result: "ok", done: false });
  const messages = [{ role: "assistant", content: "All is done." }];
  expect(await post("/score", { session, messages })).toMatchObject({
    reward: 1,
    metrics: { judge_ok: 1, trace_clean: 1 },
  });
  child.kill("SIGTERM");
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
});

test.each([
  [["env"], /wai env was given nothing\.\nfix: Give serve DIR/],
  [["env", "play", "desk"], /wai env was given play\./],
  [["env", "serve", "nowhere"], /nowhere holds no environment/],
])("%j is refused with what to do", async (argv, message) => {
  const { code, stderr } = await wai(argv);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
});

test("a module that is missing is named with the place where it should lie", async () => {
  const path = folder();
  await exportEnvironment(rollouts({ a: [1, 0] }), path("desk"), OPTIONS);
  const { code, stderr } = await wai(["env", "serve", path("desk"), "--port", "0"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /execute is \.\/world\.mjs#execute, and there is no such file\.\nfix: Put the module .+world\.mjs/,
  );
});
