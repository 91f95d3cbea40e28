import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { expect, test } from "vitest";
import { jsonl, MIXED, written } from "./rollouts.ts";
import { folder, spawnWai, wai } from "./terminal.ts";

const gist = ({ scenario_id, task_id, reward, final_text }: Row) => [scenario_id ?? task_id, reward, final_text];

test.each([
  ["openai", "chat.jsonl", "category (16 rows), markers (16 rows)"],
  ["inspect", "log.json", "category (16 rows)"],
])("--to %s writes a file that is read as the same tasks, rewards and replies", async (kind, name, left) => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const { code, stdout, stderr } = await wai(["rows", file, "--to", kind, "-o", path(name), "--quiet"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).toMatch(/^16 rows of 4 tasks/);
  expect(stderr.trimEnd()).toMatch(new RegExp(`\n\n16 rows written as ${kind}\n  not in the file  `));
  expect(stderr).toContain(left);
  const { rows } = await readRowFiles([path(name)]);
  expect(rows.map(gist)).toEqual(MIXED.map(gist));
  const json = await wai(["rows", file, "--to", kind, "-o", path(name), "--json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({ rows: 16, written: { format: kind, rows: 16, left_out: {} } });
});

test("--to tau-bench says how its file is to be read, and refuses tasks that tau-bench cannot name", async () => {
  const path = folder();
  const rows = MIXED.map((row, i) => ({ ...row, task_id: `tau-bench/retail/${i % 4}`, rollout_id: `r${i}` }));
  const file = written(path("a.jsonl"), rows);
  const { code, stderr } = await wai(["rows", file, "--to", "tau-bench", "-o", path("t.json"), "--quiet"]);
  expect(code).toBe(0);
  expect(stderr).toContain("\n  Read it with --env retail: a file of tau-bench names no environment.\n");
  const read = await readRowFiles([path("t.json")], { env: "retail" });
  expect(read.rows.map(gist)).toEqual(rows.map(gist));
  const refused = await wai(["rows", written(path("b.jsonl")), "--to", "tau-bench", "-o", path("u.json")]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(/^error: Row 0 is of the task "a", and tau-bench .+\nfix: Name tasks tau-bench\//);
  expect(readdirSync(path(".")).sort()).toEqual(["a.jsonl", "b.jsonl", "t.json"]);
});

test("a file of another tool goes to no pipe", async () => {
  const { code, stderr } = await wai(["rows", written(folder()("a.jsonl")), "--to", "inspect", "-o", "-"]);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: "error: wai rows writes inspect to a file alone.\nfix: Name it with -o FILE.\n",
  });
});

test.each([
  ["--to without -o", ["--to", "csv"], "--to says what -o writes, and there is no -o.", "Name the file with -o FILE."],
  ["--agent without spans", ["--agent", "a"], "--agent is of spans alone.", "Leave it out, or give --to otlp -o FILE."],
])("%s would do nothing, and is refused", async (_, flags, what, fix) => {
  const { code, stdout, stderr } = await wai(["rows", written(folder()("a.jsonl")), ...flags]);
  expect({ code, stdout, stderr }).toEqual({ code: 3, stdout: "", stderr: `error: ${what}\nfix: ${fix}\n` });
});

test("spans are written by the name of the file too", async () => {
  const path = folder();
  expect((await wai(["rows", written(path("a.jsonl")), "-o", path("a.otlp"), "--agent", "a", "--quiet"])).code).toBe(0);
  expect(readdirSync(path(".")).sort()).toEqual(["a.jsonl", "a.otlp"]);
});

test("several files become one, in their order", async () => {
  const path = folder();
  const files = [written(path("a.jsonl"), MIXED.slice(0, 5)), written(path("b.jsonl"), MIXED.slice(5))];
  for (const [kind, name] of [
    ["jsonl", "c.jsonl"],
    ["openai", "d.jsonl"],
    ["parquet", "e.parquet"],
  ] as const) {
    expect((await wai(["rows", ...files, "--to", kind, "-o", path(name), "--quiet"])).code).toBe(0);
    expect((await readRowFiles([path(name)])).rows.map(gist)).toEqual(MIXED.map(gist));
  }
});

test("--skip-bad leaves bad rows out of what is written, and counts them; without it nothing is written", async () => {
  const path = folder();
  writeFileSync(path("a.jsonl"), `${jsonl(MIXED.slice(0, 2))}{oops}\n${jsonl([{ ...MIXED[2], reward: 7 }, MIXED[3]])}`);
  const refused = await wai(["rows", path("a.jsonl"), "-o", path("b.jsonl")]);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain("2 bad rows");
  expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
  for (const kind of ["jsonl", "csv", "parquet", "openai", "inspect"]) {
    const read = await wai(["rows", path("a.jsonl"), "--skip-bad", "--to", kind, "-o", path("b"), "--json"]);
    expect({ kind, code: read.code }).toEqual({ kind, code: 0 });
    expect(JSON.parse(read.stdout)).toMatchObject({ rows: 3, reading: { bad_lines: [{ line: 3 }, { line: 4 }] } });
    const { rows } = await readRowFiles([path("b")], kind === "csv" ? { format: "csv" } : {});
    expect(rows.map(gist)).toEqual([MIXED[0]!, MIXED[1]!, MIXED[3]!].map(gist));
  }
});

test("rows on stdin are counted, and written", { timeout: 120_000 }, async () => {
  const path = folder();
  const counted = await spawnWai(["rows", "-", "--json"], { stdin: jsonl(MIXED) });
  expect(JSON.parse(counted.stdout)).toMatchObject({ rows: 16, tasks: 4 });
  const to = await spawnWai(["rows", "-", "-o", path("b.jsonl"), "--json"], { stdin: jsonl(MIXED) });
  expect(to.code).toBe(0);
  expect(readFileSync(path("b.jsonl"), "utf8")).toBe(jsonl(MIXED));
});
