import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readRowFiles } from "@while/schema/files";
import { afterEach, beforeEach, expect, test } from "vitest";
import { optimizeFile, optimizeForRlFile } from "../src/files.ts";
import { optimize, optimizeForRl } from "../src/index.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "select-"));
});
afterEach(() => rm(folder, { recursive: true }));

const rows = [1, 0, 1, 1].map((reward, i) => ({
  task_id: i < 2 ? "mixed" : "solved",
  rollout_index: i % 2,
  prompt: "Where is order 4473?",
  steps: [],
  final_text: `Reply ${i}.`,
  reward,
}));
const jsonl = rows.map((row) => JSON.stringify(row)).join("\n");
const save = async (name: string, content: string | Uint8Array) => {
  await writeFile(join(folder, name), content);
  return join(folder, name);
};

test("the selection is written beside the source, and reads back as it was returned", async () => {
  const path = await save("run.v2.jsonl", jsonl);
  const { rows: selected, report } = await optimizeFile(path);
  expect(report).toMatchObject({ mode: "rl", nSelected: 2, path: join(folder, "run.v2.rl.jsonl"), nWritten: 2 });
  expect((await readRowFiles([report.path])).rows).toEqual(selected);
  expect(await readFile(path, "utf8")).toBe(jsonl);
});

test("it is what optimize selects from the rows", async () => {
  const path = await save("run.jsonl", jsonl);
  const { report, ...selection } = await optimizeFile(path, { mode: "sft", target: 2 });
  const { rows: read } = await readRowFiles([path]);
  const { report: expected, ...same } = optimize(read, { mode: "sft", target: 2 });
  expect(selection).toEqual(same);
  expect(report).toEqual({ ...expected, path: join(folder, "run.sft.jsonl"), nWritten: report.nSelected });
});

test("the sidecar gives mode, rules and tools, and the selection hands them on", async () => {
  const tools = [{ type: "function", function: { name: "get", parameters: {} } }];
  const path = await save("run.jsonl", jsonl);
  await save("run.meta.json", JSON.stringify({ mode: "sft", system_prompt: "Be brief.", tools, agent: "support" }));
  const selection = await optimizeFile(path);
  expect(selection).toMatchObject({ mode: "sft", systemPrompt: "Be brief.", tools });
  expect(JSON.parse(await readFile(join(folder, "run.sft.meta.json"), "utf8"))).toMatchObject({
    mode: "sft",
    system_prompt: "Be brief.",
    tools,
    agent: "support",
  });
});

test.each([
  ["run.jsonl.gz", "run.rl.jsonl.gz"],
  ["run.ndjson", "run.rl.ndjson"],
  ["run.json", "run.rl.jsonl"],
])("%s is selected into %s", async (name, expected) => {
  const content = name.endsWith(".json") ? JSON.stringify(rows) : `${jsonl}\n`;
  const path = await save(name, name.endsWith(".gz") ? gzipSync(content) : content);
  const { report } = await optimizeFile(path);
  expect(report.path).toBe(join(folder, expected));
  expect((await readRowFiles([report.path])).rows).toHaveLength(2);
});

test("the source is overwritten only when output names it", async () => {
  const path = await save("run.jsonl", jsonl);
  await optimizeFile(path, { output: path });
  expect((await readRowFiles([path])).rows).toHaveLength(2);
});

test("a folder of several files has no place of its own for a selection", async () => {
  await save("a.jsonl", jsonl);
  await save("b.jsonl", jsonl);
  await expect(optimizeFile(folder)).rejects.toThrow(/is not one file to write beside. Say where with output./);
});

test("options are checked before anything is written, and reading takes its own", async () => {
  const path = await save("run.jsonl", `${jsonl}\nnot json\n`);
  await expect(optimizeFile(path)).rejects.toThrow(/line 5|:5/);
  await expect(optimizeFile(path, { read: { onBadRow: "skip" }, tagret: 3 } as never)).rejects.toThrow(/target/);
  await expect(readFile(join(folder, "run.rl.jsonl"))).rejects.toThrow();
  expect((await optimizeFile(path, { read: { onBadRow: "skip" } })).report.nWritten).toBe(2);
});

test("optimizeForRl has a file form too, which writes beside the source under rl", async () => {
  const path = await save("run.jsonl", jsonl);
  const { rows: kept, report } = await optimizeForRlFile(path);
  const { rows: read } = await readRowFiles([path]);
  expect(kept).toEqual(optimizeForRl(read).rows);
  expect(report).toMatchObject({ path: join(folder, "run.rl.jsonl"), nWritten: 2, unanimousRowsDropped: 2 });
  expect((await readRowFiles([report.path])).rows).toEqual(kept);
});
