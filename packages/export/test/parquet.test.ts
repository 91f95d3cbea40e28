import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from "hyparquet";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  checkExport,
  exportDataset,
  exportGrpo,
  exportKto,
  exportPreference,
  formatExportCheck,
  manifestPath,
} from "../src/files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "while-parquet-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const bytesOf = (path: string) => new Uint8Array(readFileSync(path)).buffer;
const rowsIn = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
/** Rows as a loader gives them: JSON decoded, integers as numbers, nothing where there is null. */
async function tableOf(path: string): Promise<Record<string, unknown>[]> {
  const types = columns(path);
  const decoded = (value: unknown, type: unknown): unknown => {
    if (type === "JSON") return JSON.parse(value as string);
    if (Array.isArray(type)) return (value as unknown[]).map((item) => decoded(item, type[0]));
    return typeof value === "bigint" ? Number(value) : value;
  };
  return (await parquetReadObjects({ file: bytesOf(path) })).map((row) => {
    const filled = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
    return Object.fromEntries(filled.map(([key, value]) => [key, decoded(value, types[key])]));
  });
}

/** What the columns are, in short: a list is [what it holds], a struct its fields. */
function columns(path: string): Record<string, unknown> {
  const shape = ({ element, children }: SchemaTree): unknown => {
    if (element.logical_type?.type === "LIST") return [shape(children[0]!.children[0]!)];
    if (children.length > 0) return Object.fromEntries(children.map((child) => [child.element.name, shape(child)]));
    return element.logical_type?.type ?? element.type;
  };
  const { children } = parquetSchema(parquetMetadata(bytesOf(path)));
  return Object.fromEntries(children.map((child) => [child.element.name, shape(child)]));
}

const call = (args: object) => ({ tool: "refund", arguments: args, result: "ok" });
const rows: Row[] = [
  { task_id: "a", prompt: "Où ?", steps: [call({ order: "42" })], final_text: "Là.", reward: 1 },
  { task_id: "a", prompt: "Où ?", steps: [call({ amount: 1 })], final_text: "😀", reward: 0.5 },
  { task_id: "b", prompt: "q", final_text: "No.", reward: 0, seed: 3 },
];

test("the same rows as the JSONL, messages with calls as JSON and scalars by their type", async () => {
  await exportDataset(rows, { format: "trl", output: at("a.jsonl") });
  const { sha256, bytes } = await exportDataset(rows, { format: "trl", output: at("a.parquet") });
  expect(await tableOf(at("a.parquet"))).toEqual(rowsIn(at("a.jsonl")));
  expect(columns(at("a.parquet"))).toMatchObject({
    messages: ["JSON"],
    reward: "DOUBLE",
    prompt_text: "STRING",
    k: "INT64",
  });
  expect(bytes).toBe(readFileSync(at("a.parquet")).length);
  expect(await checkExport(at("a.parquet"))).toMatchObject({ ok: true, sha256: { actual: sha256 } });
});

test("messages of text alone are true structs, for loaders that read data frames", async () => {
  await exportDataset(rows, { format: "verl", output: at("v.parquet") });
  expect(columns(at("v.parquet"))).toEqual({ messages: [{ role: "STRING", content: "STRING" }] });
  const graded = rows.map((row) => ({ ...row, reward: row.prompt === "q" ? 1 : row.reward! }));
  await exportGrpo(graded, { format: "verl", band: null, holdout: 0, output: at("g.parquet") });
  expect(columns(at("g.parquet"))).toMatchObject({
    prompt: [{ role: "STRING", content: "STRING" }],
    reward_model: { style: "STRING", ground_truth: "STRING" },
    extra_info: { index: "INT64", info_json: "STRING" },
  });
});

test("numbers keep their digits inside JSON, and floats are floats", async () => {
  const steps = [{ tool: "f", arguments: '{"id": 12345678901234567890, "x": 1.0}', result: "r" }];
  await exportDataset([{ prompt: "q", steps, final_text: "x" }, rows[2]!], { format: "trl", output: at("d.parquet") });
  const [row] = await parquetReadObjects({ file: bytesOf(at("d.parquet")) });
  expect((row!.messages as string[])[1]).toContain('{"id": 12345678901234567890, "x": 1.0}');
});

test("our own readers read it back to the same export", async () => {
  await exportDataset(rows, { format: "trl", output: at("a.parquet") });
  const { rows: read } = await readRowFiles([at("a.parquet")]);
  await exportDataset(rows, { format: "openai", output: at("one.jsonl"), manifest: false });
  await exportDataset(read, { format: "openai", output: at("two.jsonl"), manifest: false });
  const conversations = (path: string) => rowsIn(path).map(({ messages }) => messages);
  expect(conversations(at("two.jsonl"))).toEqual(conversations(at("one.jsonl")));
});

test("pairs and judged replies go by the name of the file too", async () => {
  const ask = { role: "user", content: "q" };
  const pair = {
    chosen: [ask, { role: "assistant", content: "a" }],
    rejected: [ask, { role: "assistant", content: "b" }],
  };
  await exportPreference([pair], { format: "trl", output: at("p.parquet") });
  await exportKto(rows, { output: at("k.parquet") });
  expect(columns(at("p.parquet"))).toMatchObject({ chosen: [{ role: "STRING", content: "STRING" }] });
  expect(columns(at("k.parquet"))).toMatchObject({ label: "BOOLEAN" });
  for (const name of ["p.parquet", "k.parquet"]) expect(await checkExport(at(name))).toMatchObject({ ok: true });
});

test("a table that was changed, cut or replaced is told", async () => {
  await exportDataset(rows, { output: at("a.parquet") });
  writeFileSync(at("a.parquet"), readFileSync(at("a.parquet")).subarray(0, 100));
  const check = await checkExport(at("a.parquet"));
  expect(check).toMatchObject({ ok: false, nBadLines: 1, rows: { actual: 0 } });
  expect(formatExportCheck(check)).toContain("is no Parquet");
  rmSync(at("a.parquet"));
  await expect(checkExport(at("a.parquet"))).rejects.toThrow(/^not_found/);
});

describe("shuffle", () => {
  const many = Array.from({ length: 200 }, (_, index) => ({ prompt: `q${index}`, final_text: `é${index}` }));

  test("the same lines in an order that the seed decides, on every machine", async () => {
    await exportDataset(many, { output: at("a.jsonl") });
    await exportDataset(many, { output: at("b.jsonl"), shuffle: { seed: 1 } });
    await exportDataset(many, { output: at("c.jsonl"), shuffle: { seed: 2 } });
    const [plain, one, two] = ["a", "b", "c"].map((name) => readFileSync(at(`${name}.jsonl`), "utf8").split("\n"));
    expect(one).not.toEqual(plain);
    expect(one).not.toEqual(two);
    expect([...one!].sort()).toEqual([...plain!].sort());
    expect(one!.slice(0, 3).map((line) => JSON.parse(line).prompt)).toMatchInlineSnapshot(`
      [
        "q33",
        "q146",
        "q79",
      ]
    `);
    expect(await checkExport(at("b.jsonl"))).toMatchObject({ ok: true });
    expect(JSON.parse(readFileSync(manifestPath(at("b.jsonl")), "utf8")).options.shuffle_seed).toBe(1);
    await exportDataset(many, { output: at("b.parquet"), shuffle: { seed: 1 } });
    const prompts = (await tableOf(at("b.parquet"))).map(({ prompt }) => prompt);
    expect(prompts).toEqual(one!.slice(0, -1).map((line) => JSON.parse(line).prompt));
  });

  test("nothing is left beside the file, also when it is refused", async () => {
    await expect(
      exportDataset([{ prompt: "q", messages: [{ role: "alien", content: "x" }] }], { output: at("x.parquet") }),
    ).rejects.toThrow();
    await exportDataset(many, { output: at("b.jsonl"), shuffle: { seed: 1 } });
    expect(readdirSync(folder).sort()).toEqual(["b.jsonl", "b.jsonl.manifest.json"]);
    expect(existsSync(at("x.parquet"))).toBe(false);
  });

  test.each([null, {}, { seed: -1 }, { seed: 0.5 }, 3])("%j is refused", async (shuffle) => {
    await expect(exportDataset(many, { output: at("a.jsonl"), shuffle: shuffle as never })).rejects.toThrow(
      /^invalid_option: shuffle/,
    );
  });
});
