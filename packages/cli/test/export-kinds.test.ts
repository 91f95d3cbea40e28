import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { exportGrpo, exportKto, exportRewardModel } from "@while/export/files";
import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const rowsIn = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("--kind kto: judged replies, the same report as the library's, and a manifest that --check reads", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const { code, stdout } = await wai(["export", file, "--kind", "kto", "--json", "-o", path("k.jsonl")]);
  expect(code).toBe(0);
  expect(rowsIn(path("k.jsonl"))[0]).toMatchObject({ label: expect.any(Boolean), completion: { length: 1 } });
  const report = await exportKto(file, { output: path("k.jsonl") });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
  expect(await wai(["export", path("k.jsonl"), "--check"])).toMatchObject({ code: 0 });
});

test("--kind grpo: tasks beside the held-out ones, and the held-out prompts looked for among the others", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const flags = ["--band", "0,1", "--holdout", "0.5", "--split", "stratified"];
  const { code, stdout } = await wai(["export", file, "--kind", "grpo", ...flags, "--json", "-o", path("g.jsonl")]);
  expect(code).toBe(0);
  const { decontamination, ...tasks } = JSON.parse(stdout).tasks;
  expect(decontamination).toMatchObject({ n_contaminated: expect.any(Number), ngram: 8 });
  const report = await exportGrpo(file, { band: [0, 1], holdout: 0.5, split: "stratified", output: path("g.jsonl") });
  expect(tasks).toMatchObject({ train: report.n, holdout: report.nHoldout });
  expect(report.nHoldout).toBeGreaterThan(0);
  expect(rowsIn(path("g.holdout.jsonl"))).toHaveLength(report.nHoldout);
});

test("without -o each kind has a name of its own, and verl's is one that its loader takes", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const grpo = ["--kind", "grpo", "--band", "0,1"];
  expect(await wai(["export", file, "--kind", "kto"])).toMatchObject({ code: 0 });
  expect(await wai(["export", file, ...grpo])).toMatchObject({ code: 0 });
  expect(await wai(["export", file, ...grpo, "--format", "verl"])).toMatchObject({ code: 0 });
  for (const name of ["a.kto.jsonl", "a.grpo.jsonl", "a.grpo.json"])
    expect([name, existsSync(path(name))]).toEqual([name, true]);
  const { code, stdout, stderr } = await wai(["export", file, "--kind", "kto", "-o", "-"]);
  expect(code).toBe(0);
  expect(stdout).toBe(readFileSync(path("a.kto.jsonl"), "utf8"));
  expect(stderr).toMatch(/^export kto: /);
});

test("export-pairs --kind reward-model: whole conversations, and a margin on request", async () => {
  const path = folder();
  await wai(["pairs", written(path("a.jsonl")), "-o", path("pairs.jsonl")]);
  const { code, stdout } = await wai(["export-pairs", path("pairs.jsonl"), "--kind", "reward-model", "--json"]);
  expect(code).toBe(0);
  const output = path("pairs.trl.rm.jsonl");
  expect(rowsIn(output)[0]).not.toHaveProperty("margin");
  const report = await exportRewardModel(path("pairs.jsonl"), { output });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
  expect(await wai(["export", output, "--check"])).toMatchObject({ code: 0 });
});

test("-o x.parquet is a table, --shuffle another order, and --check reads both", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  expect(await wai(["export", file, "--format", "trl", "-o", path("a.parquet")])).toMatchObject({ code: 0 });
  expect(readFileSync(path("a.parquet")).subarray(0, 4).toString()).toBe("PAR1");
  expect(await wai(["export", path("a.parquet"), "--check"])).toMatchObject({ code: 0 });
  await wai(["export", file, "-o", path("b.jsonl")]);
  expect(await wai(["export", file, "--shuffle", "3", "-o", path("c.jsonl")])).toMatchObject({ code: 0 });
  const lines = (name: string) => readFileSync(path(name), "utf8").split("\n");
  expect(lines("c.jsonl")).not.toEqual(lines("b.jsonl"));
  expect(lines("c.jsonl").sort()).toEqual(lines("b.jsonl").sort());
  expect(await wai(["export", path("c.jsonl"), "--check"])).toMatchObject({ code: 0 });
});

test.each<[string[], RegExp]>([
  [["export", "--shuffle", "1", "-o", "-"], /error: --shuffle writes a file and not stdout/],
  [["export", "--kind", "kto", "--mask", "final"], /error: --mask does nothing for --kind kto\.\nfix: .*--kind sft\./],
  [["export", "--holdout", "0.2"], /error: --holdout does nothing for --kind sft\.\nfix: .*--kind grpo\./],
  [["export", "--kind", "rm"], /error: --kind got "rm"/],
  [["export", "--kind", "kto", "--format", "openai"], /error: openai has no rows for KTO/],
  [["export", "--kind", "grpo", "--format", "verl", "-o", "g.jsonl"], /goes by the name of the file/],
  [["export", "--format", "openai-rft"], /error: openai-rft has no rows for supervised tuning/],
  [["export-pairs", "--margin-column"], /error: --margin-column does nothing for --kind preference\./],
  [
    ["export-pairs", "--kind", "reward-model", "--point", "first"],
    /error: --point does nothing for --kind reward-model\./,
  ],
])("%j is refused with its fix, exit 3, and no file is written", async ([verb, ...flags], said) => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const { code, stdout, stderr } = await wai([verb!, file, ...flags]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(said);
  expect(existsSync("g.jsonl")).toBe(false);
});

test("a wanted reply that quotes its privileged block does not hold, and is named", async () => {
  const path = folder();
  const privileged = { reference: "ZEBRA-PINK-9931" };
  const rows = [
    { scenario_id: "s", prompt: "q", final_text: "It is ZEBRA-PINK-9931.", reward: 1, privileged },
    { scenario_id: "s", prompt: "q", final_text: "No.", reward: 0 },
  ];
  writeFileSync(path("a.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const { code, stderr } = await wai(["export", path("a.jsonl"), "--kind", "kto"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/ {2}s r0 {2}reference: "zebra-pink-9931"/);
});

test("what a report advises is said by flags", async () => {
  const path = folder();
  const row = (messages: object[]) => writeFileSync(path("a.jsonl"), `${JSON.stringify({ messages, reward: 1 })}\n`);
  row([
    { role: "assistant", content: "Hello." },
    { role: "user", content: "q" },
    { role: "assistant", content: "a" },
  ]);
  const refused = await wai(["export", path("a.jsonl"), "--format", "bedrock"]);
  expect(refused.stderr).toMatch(/the agent speaks first; --prepend-user names what a person said before/);
  writeFileSync(path("b.jsonl"), '{"prompt": "sc-2", "final_text": "a", "reward": 1}\n');
  expect((await wai(["export", path("b.jsonl"), "--kind", "grpo"])).stdout).toContain("Use --split stratified.");
});
