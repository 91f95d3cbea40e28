import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Episode, formatEnvironmentReport } from "@while/export";
import { exportEnvironment, serveEnvironment } from "@while/export/files";
import { readRowFiles } from "@while/schema/files";
import { decontaminateSync } from "@while/trust";

// npm moves into this folder; paths are meant from where you stand.
const stand = process.env.INIT_CWD ?? process.cwd();
const [, , yours = "rows.jsonl"] = process.argv;
const file = process.argv[2] === undefined ? resolve(yours) : resolve(stand, yours);

// 1. Your file, or six refunds, each tried four times, with the rules and tools beside them.
const { rows, report: read } = await readRowFiles([file]);
const { system_prompt: systemPrompt } = read.meta ?? {};

// 2. Their tasks as an environment: one part held out, unanimous tasks left out, answered and graded by world.mjs.
const folder = join(mkdtempSync(join(tmpdir(), "refund-desk-")), "desk");
const report = await exportEnvironment(rows, folder, {
  name: "refund desk",
  runtime: "http",
  execute: "./world.mjs#execute",
  reward: "./world.mjs#reward",
  maxTurns: 4,
  split: "stratified",
  // A held-out task that is trained on in other words measures nothing.
  decontaminate: (train, holdout, { ngram }) => decontaminateSync(train, holdout, { n: ngram }).report,
  ...(typeof systemPrompt === "string" ? { systemPrompt } : {}),
  ...(read.tools === null ? {} : { tools: read.tools }),
});
console.log(formatEnvironmentReport({ ...report, path: "a new folder" }));
cpSync(resolve("world.mjs"), join(folder, "world.mjs"));

// 3. The server that `wai env serve` starts. A trainer's package asks it; here a policy of a few lines does.
const served = await serveEnvironment(folder, { port: 0 });
const ask = async (path: string, body: unknown) =>
  JSON.parse(await (await fetch(served.url + path, { method: "POST", body: JSON.stringify(body) })).text());

// 4. Three policies on the first training task: one that pays all, one that pays too much, one that never stops.
const policies: Record<string, (order: string) => [tool: string, given: object][]> = {
  "pays all": (order) => [
    ["lookup", { order }],
    ["refund", { order, amount: 12.5 }],
  ],
  "pays too much": (order) => [["refund", { order, amount: 50 }]],
  "never stops": (order) => Array.from({ length: 4 }, () => ["lookup", { order }]),
};
console.log("");
for (const [name, calls] of Object.entries(policies)) {
  const { session, task, max_turns }: Episode = await ask("/reset", { split: "train", index: 0 });
  const order = task.prompt.match(/\d+/)![0];
  let last: { result: unknown; done: boolean } = { result: null, done: false };
  for (const [tool, given] of calls(order)) last = await ask("/step", { session, tool, arguments: given });
  const { reward, metrics } = await ask("/score", { session });
  const cut = last.done ? `, cut at ${max_turns} turns` : "";
  console.log(
    `${name.padEnd(14)} reward ${reward}  calls ${metrics.n_calls}  last answer ${JSON.stringify(last.result)}${cut}`,
  );
}
await served.close();

// 5. And from Python, where verifiers trains.
console.log(`\nfrom ${report.slug} import load_environment\nenv = load_environment(url="http://127.0.0.1:8000")`);
