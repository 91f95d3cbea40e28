import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { Row } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { describe, expect, test } from "vitest";
import { jsonl, MIXED, rollouts, written } from "./rollouts.ts";
import { folder, spawnWai, wai } from "./terminal.ts";

describe("an output that is an input is refused, by whatever name", () => {
  test.each([
    ["its own", "a.jsonl"],
    ["a longer path", "./x/../a.jsonl"],
    ["a symbolic link", "link.jsonl"],
    ["a hard link", "hard.jsonl"],
    ["a link to its folder", "same/a.jsonl"],
  ])("%s", async (_, output) => {
    const path = folder();
    const file = written(path("a.jsonl"));
    mkdirSync(path("x"));
    symlinkSync(file, path("link.jsonl"));
    linkSync(file, path("hard.jsonl"));
    symlinkSync(path("."), path("same"));
    const before = readFileSync(file, "utf8");
    for (const verb of ["rows", "optimize", "export"]) {
      const { code, stderr } = await wai([verb, file, "-o", path(output)]);
      expect({ verb, code }).toEqual({ verb, code: 3 });
      expect(stderr).toMatch(/^error: .+\nfix: .+\n$/);
    }
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("nor may the sidecar of an input be written over", async () => {
    const path = folder();
    writeFileSync(path("a.meta.json"), `{"system_prompt":"mine"}`);
    const { code, stderr } = await wai(["optimize", written(path("a.json")), "-o", path("a.jsonl")]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: .+a\.jsonl would share .+a\.meta\.json with .+a\.json, which is read\.\n/);
    expect(readFileSync(path("a.meta.json"), "utf8")).toBe(`{"system_prompt":"mine"}`);
  });
});

test("the same rows in another form share the sidecar, and it goes on saying what it said", async () => {
  const path = folder();
  writeFileSync(path("a.meta.json"), `{"system_prompt":"mine"}`);
  const { code } = await wai(["rows", written(path("a.jsonl")), "-o", path("a.parquet")]);
  expect(code).toBe(0);
  expect(JSON.parse(readFileSync(path("a.meta.json"), "utf8"))).toMatchObject({ system_prompt: "mine" });
});

describe("where rows and reports go", () => {
  test("without -o the report is the output; the rows lie beside the file", async () => {
    const path = folder();
    const { stdout, stderr } = await wai(["optimize", written(path("a.jsonl"))]);
    expect(stdout).toMatch(/^kept 12 of 16 rows/);
    expect(stderr).toBe(`note: rows in ${path("a.rl.jsonl")}\n`);
    expect(readdirSync(path("."))).toEqual(["a.jsonl", "a.rl.jsonl", "a.rl.meta.json"]);
  });

  test("with -o FILE the report goes to stderr, and with --json to stdout", async () => {
    const path = folder();
    const file = written(path("a.jsonl"));
    const text = await wai(["optimize", file, "-o", path("b.jsonl"), "--quiet"]);
    expect({ ...text, stderr: text.stderr.split("\n")[0] }).toEqual({
      code: 0,
      stdout: "",
      stderr: "kept 12 of 16 rows: 3 of 4 tasks carry signal",
    });
    const json = await wai(["optimize", file, "-o", path("b.jsonl"), "--quiet", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ n: 16, n_selected: 12 });
    expect(json.stderr).toBe("");
  });

  test("-o - is stdout, with the report on stderr, as JSON when asked for", async () => {
    const path = folder();
    const file = written(path("a.jsonl"));
    const { stdout, stderr } = await spawnWai(["optimize", file, "-o", "-", "--json", "--quiet"]);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).task_id),
    ).toHaveLength(12);
    expect(JSON.parse(stderr)).toMatchObject({ n_selected: 12 });
    expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
  });

  test.each([
    ["rows", []],
    ["optimize", ["--mode", "sft"]],
    ["export", ["--format", "trl"]],
  ])("wai %s FILE -o - pipes into the next wai", async (verb, flags) => {
    const path = folder();
    const first = await spawnWai([verb, written(path("a.jsonl")), ...flags, "-o", "-"]);
    expect(first.code).toBe(0);
    const second = await spawnWai(["rows", "-", "--json"], { stdin: first.stdout });
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(second.stdout).rows).toBe(first.stdout.trimEnd().split("\n").length);
  });

  test("several files or stdin have no place beside them", async () => {
    const path = folder();
    const files = [written(path("a.jsonl"), MIXED.slice(0, 8)), written(path("b.jsonl"), MIXED.slice(8))];
    const { code, stderr } = await wai(["optimize", ...files]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: wai optimize has no one file to write beside\.\nfix: Name the output with -o FILE/);
  });
});

describe("exit codes", () => {
  test("pass-at cannot tell when nothing is graded", async () => {
    const file = written(folder()("a.jsonl"), rollouts({ a: [null, null] }));
    expect(await wai(["pass-at", file, "--quiet"])).toMatchObject({ code: 2, stderr: "" });
    expect(await wai(["pass-at", file, "--by", "category"])).toMatchObject({ code: 2 });
  });

  test("pass-at --by a key that no row has cannot tell either", async () => {
    expect(await wai(["pass-at", written(folder()("a.jsonl")), "--by", "categroy"])).toMatchObject({ code: 2 });
  });

  test("markers cannot tell when no row carries one", async () => {
    const file = written(
      folder()("a.jsonl"),
      MIXED.map(({ markers: _, ...row }) => row),
    );
    expect(await wai(["markers", file])).toMatchObject({ code: 2 });
  });

  test("optimize does not hold when nothing is kept, and writes no file", async () => {
    const path = folder();
    const file = written(path("a.jsonl"), rollouts({ a: [1, 1, 1], b: [0, 0, 0] }));
    expect(await wai(["optimize", file, "-o", path("b.jsonl")])).toMatchObject({ code: 1 });
    expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
  });

  test("export does not hold when replies leak, names them, and writes no file", async () => {
    const path = folder();
    const rows = MIXED.map((row, i) => ({
      ...row,
      scenario_id: row.task_id,
      rollout_index: i,
      privileged: { reference: "the secret code is 4711-alpha" },
      final_text: i === 5 ? "I know that the secret code is 4711-alpha." : row.final_text,
    }));
    const { code, stdout, stderr } = await wai(["export", written(path("a.jsonl"), rows), "--json"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: 1 of 16 rows checked quote .+\nfix: .+--no-validate.+\n {2}b r5 {2}\S+: ".*secret code is 4711-alpha.*"\n$/,
    );
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "privileged_leak" } });
    expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
    expect(await wai(["export", path("a.jsonl"), "--no-validate"])).toMatchObject({ code: 0 });
  });

  test("export --check holds until the file differs from its manifest", async () => {
    const path = folder();
    await wai(["export", written(path("a.jsonl")), "-o", path("b.jsonl")]);
    expect(await wai(["export", path("b.jsonl"), "--check"])).toMatchObject({ code: 0 });
    expect(await wai(["export", "--check", path("b.jsonl")])).toMatchObject({ code: 0 });
    writeFileSync(path("b.jsonl"), readFileSync(path("b.jsonl"), "utf8").replace("done", "gone"));
    const { code, stdout } = await wai(["export", path("b.jsonl"), "--check", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    expect(await wai(["export", path("a.jsonl"), "--check"])).toMatchObject({ code: 3 });
  });

  test("rows fails on a bad row, and with --skip-bad counts it", async () => {
    const path = folder();
    writeFileSync(path("a.jsonl"), `${jsonl(MIXED)}{"task_id":"t","prompt":"x","steps":[],"reward":7}\n`);
    expect(await wai(["rows", path("a.jsonl")])).toMatchObject({ code: 3, stdout: "" });
    const { code, stdout } = await wai(["rows", path("a.jsonl"), "--skip-bad", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ rows: 16, reading: { n_bad_lines: 1 } });
  });

  test("rows --strict refuses what loose reading lets through", async () => {
    const path = folder();
    const file = written(path("a.jsonl"), [...MIXED, { task_id: "q", prompt: "no reply", steps: [], reward: 1 }]);
    expect(await wai(["rows", file])).toMatchObject({ code: 0 });
    const { code, stderr } = await wai(["rows", file, "--strict", "-o", path("b.jsonl")]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: .+16:.*final_text_missing.* \(1 of 17 rows\)\.\nfix: /);
    expect(readdirSync(path("."))).toEqual(["a.jsonl"]);
  });
});

describe("rows converts", () => {
  test("to CSV and back without a loss of what CSV can hold", async () => {
    const path = folder();
    await wai(["rows", written(path("a.jsonl")), "-o", path("b.csv")]);
    await wai(["rows", path("b.csv"), "-o", path("c.jsonl")]);
    const back = readFileSync(path("c.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(back).toHaveLength(16);
    expect(back[0]).toMatchObject(MIXED[0]!);
  });

  test("to Parquet and back, as any verb that writes rows does by the name of its output", async () => {
    const path = folder();
    expect(await wai(["rows", written(path("a.jsonl")), "-o", path("b.parquet")])).toMatchObject({ code: 0 });
    expect(readFileSync(path("b.parquet")).toString("latin1", 0, 4)).toBe("PAR1");
    await wai(["rows", path("b.parquet"), "-o", path("c.jsonl")]);
    const rowsOf = async (name: string) => (await readRowFiles([path(name)])).rows;
    const sorted = (row: object) => Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
    expect((await rowsOf("c.jsonl")).map(sorted)).toEqual((await rowsOf("a.jsonl")).map(sorted));
    await wai(["optimize", path("b.parquet"), "-o", path("d.parquet")]);
    await wai(["optimize", path("a.jsonl"), "-o", path("e.jsonl")]);
    expect((await rowsOf("d.parquet")).map(sorted)).toEqual((await rowsOf("e.jsonl")).map(sorted));
  });

  test.each(["csv", "parquet"])("--to %s holds whatever the name says, and is refused for stdout", async (kind) => {
    const path = folder();
    const file = written(path("a.jsonl"));
    expect(await wai(["rows", file, "--to", kind, "-o", path("b.txt")])).toMatchObject({ code: 0 });
    expect((await readRowFiles([path("b.txt")])).report.files[0]).toMatchObject({ container: kind, rows: 16 });
    expect(await wai(["rows", file, "--to", "jsonl", "-o", path(`c.${kind}`)])).toMatchObject({ code: 0 });
    expect(readFileSync(path(`c.${kind}`), "utf8")).toMatch(/^\{/);
    const { code, stderr } = await wai(["rows", file, "--to", kind, "-o", "-"]);
    expect({ code, stderr }).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^error: wai rows writes .* to a file/),
    });
  });

  test("to spans, which are read back as the same asks, replies, calls and rewards", async () => {
    const path = folder();
    const file = written(path("a.jsonl"));
    const bare = await wai(["rows", file, "--to", "otlp", "-o", path("b.jsonl")]);
    expect(bare).toMatchObject({ code: 3, stderr: expect.stringContaining("fix: Name it with --agent NAME.") });
    expect(existsSync(path("b.jsonl"))).toBe(false);
    const argv = ["rows", file, "--to", "otlp", "--agent", "refunds", "-o", path("b.jsonl")];
    expect(await wai(argv)).toMatchObject({ code: 0 });
    const { rows, report } = await readRowFiles([path("b.jsonl")]);
    expect(report.files[0]).toMatchObject({ format: "otlp", rows: 16 });
    const seen = ({ prompt, final_text, reward, steps }: Row) => [prompt, final_text, reward, steps?.[0]?.tool];
    expect(rows.map(seen)).toEqual(MIXED.map(seen));
  });

  test("and carries the system prompts and tools along", async () => {
    const path = folder();
    written(
      path("a.jsonl"),
      MIXED.map((row) => ({ ...row, system_prompt: "Be brief." })),
    );
    await wai(["rows", path("a.jsonl"), "-o", path("b.jsonl.gz")]);
    expect(JSON.parse(readFileSync(path("b.meta.json"), "utf8"))).toMatchObject({ system_prompts: expect.any(Object) });
    expect(await wai(["rows", path("b.jsonl.gz")])).toMatchObject({ code: 0 });
  });
});

test("--quiet silences notes, and the report stays", async () => {
  const path = folder();
  writeFileSync(path("a.jsonl"), `${jsonl(MIXED)}nonsense\n`);
  const loud = await wai(["pass-at", path("a.jsonl"), "--skip-bad"]);
  const quiet = await wai(["pass-at", path("a.jsonl"), "--skip-bad", "--quiet"]);
  expect(loud.stderr).toMatch(/^note: 1 bad row was left out/);
  expect(quiet).toEqual({ ...loud, stderr: "" });
});
