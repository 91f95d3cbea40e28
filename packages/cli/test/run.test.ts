import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MIXED, rollouts, written } from "./rollouts.ts";
import { BIN, folder, spawnWai, wai } from "./terminal.ts";

const FILES = [
  ...["census.json", "export.json", "markers.json", "optimize.json", "pass-at.json", "report.html"],
  ...["rows.jsonl", "rows.meta.json", "run.json", "train.trl.jsonl", "train.trl.jsonl.manifest.json"],
];

const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

test("wai run fills one folder: the rows, the training file, each report as JSON, and the page", async () => {
  const path = folder();
  const { code, stdout } = await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Written\. The agent passes 62\.5% of its attempts .+ on 4 tasks\. 12 of 16 rows are kept to train on/,
  );
  expect(stdout).toContain("\npass@1 0.62 [");
  expect(readdirSync(path("out"))).toEqual(FILES);
  expect(readdirSync(path("."))).toEqual(["a.jsonl", "out"]);
  expect(statSync(path("out")).mode & 0o055).not.toBe(0);
});

test("each report is what its verb prints", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  await wai(["run", file, "-o", path("out")]);
  for (const [name, argv] of [
    ["census", ["rows", file]],
    ["pass-at", ["pass-at", file]],
    ["markers", ["markers", file]],
    ["optimize", ["optimize", file, "-o", path("b.jsonl")]],
  ] as const) {
    const { stdout } = await wai([...argv, "--json", "--quiet"]);
    expect(json(path(`out/${name}.json`))).toEqual(JSON.parse(stdout));
  }
  const { stdout } = await wai(["run", file, "-o", path("out"), "--force", "--json"]);
  expect(json(path("out/run.json"))).toEqual(JSON.parse(stdout));
});

test("the folder of a run is a file of rows to every verb, with the system prompt beside", async () => {
  const path = folder();
  writeFileSync(path("a.meta.json"), JSON.stringify({ system_prompt: "Refund what was asked for." }));
  await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
  const { code, stdout } = await wai(["rows", path("out"), "--json"]);
  expect({ code, rows: JSON.parse(stdout).rows }).toEqual({ code: 0, rows: 12 });
  expect(await wai(["export", path("out/train.trl.jsonl"), "--check"])).toMatchObject({ code: 0 });
  const [first] = readFileSync(path("out/train.trl.jsonl"), "utf8").split("\n");
  expect(JSON.parse(first!).messages[0]).toEqual({ role: "system", content: "Refund what was asked for." });
});

test("twice the same file is twice the same bytes", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  await wai(["run", file, "-o", path("out")]);
  const first = FILES.map((name) => readFileSync(path(`out/${name}`), "utf8"));
  await wai(["run", file, "-o", path("out"), "--force"]);
  const [again, before] = [first, FILES.map((name) => readFileSync(path(`out/${name}`), "utf8"))].map((texts) =>
    texts.map((text) => text.replaceAll(" --force", "")),
  );
  expect(again).toEqual(before);
});

describe("a folder that exists", () => {
  test("is refused, also with --force, when no run wrote it", async () => {
    const path = folder();
    mkdirSync(path("out"));
    writeFileSync(path("out/thesis.txt"), "five years");
    const file = written(path("a.jsonl"));
    for (const force of [[], ["--force"]]) {
      const { code, stderr } = await wai(["run", file, "-o", path("out"), ...force]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/^error: .+out exists and was not written by a run\.\nfix: .+\n$/);
    }
    expect(readdirSync(path("out"))).toEqual(["thesis.txt"]);
  });

  test("is replaced with --force when a run wrote it", async () => {
    const path = folder();
    await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
    expect(await wai(["run", path("a.jsonl"), "-o", path("out")])).toMatchObject({ code: 3 });
    expect(await wai(["run", path("a.jsonl"), "-o", path("out"), "--mode", "sft", "--force"])).toMatchObject({
      code: 0,
    });
    expect(json(path("out/optimize.json"))).toMatchObject({ mode: "sft" });
    expect(readdirSync(path("."))).toEqual(["a.jsonl", "out"]);
  });

  test("is not replaced when it holds the input", async () => {
    const path = folder();
    await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
    for (const input of [path("out/rows.jsonl"), path("out")]) {
      const { code, stderr } = await wai(["run", input, "-o", path("out"), "--force"]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/lies in .+out, which would be replaced\./);
    }
    expect(readdirSync(path("out"))).toEqual(FILES);
  });
});

describe("what could not be done", () => {
  test("nothing kept: the reports are there, the training file is not, exit 1", async () => {
    const path = folder();
    const file = written(path("a.jsonl"), rollouts({ a: [1, 1, 1], b: [0, 0, 0] }));
    const { code, stdout } = await wai(["run", file, "-o", path("out")]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Nothing kept\. The agent passes 50\.0% .+ None of 6 rows is worth training on/);
    expect(readdirSync(path("out"))).toEqual([
      "census.json",
      "markers.json",
      "optimize.json",
      "pass-at.json",
      "report.html",
      "run.json",
    ]);
  });

  test("nothing graded: exit 2", async () => {
    const path = folder();
    const { code, stdout } = await wai([
      "run",
      written(path("a.jsonl"), rollouts({ a: [null, null] })),
      "-o",
      path("out"),
    ]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Not graded\. /);
    expect(json(path("out/run.json"))).toMatchObject({ verdict: "not_graded", export: null });
  });

  test("an export that is refused: the page says why, exit 1", async () => {
    const path = folder();
    const rows = MIXED.map((row) => ({
      ...row,
      messages: [
        { role: "user", content: "x" },
        { role: "oracle", content: "y" },
      ],
    }));
    const { code, stdout } = await wai(["run", written(path("a.jsonl"), rows), "-o", path("out")]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Not exported\. .*oracle/);
    expect(readdirSync(path("out"))).not.toContain("train.trl.jsonl");
  });

  test("a bad file: no folder appears, nor anything beside it", async () => {
    const path = folder();
    writeFileSync(path("a.jsonl"), "nonsense\n");
    expect(await wai(["run", path("a.jsonl"), "-o", path("deep/out")])).toMatchObject({ code: 3 });
    expect(readdirSync(path("."))).not.toContain("out");
    expect(readdirSync(path("."), { recursive: true }).filter((name) => String(name).includes("out"))).toEqual([]);
  });

  test("without -o it asks for a folder", async () => {
    expect((await wai(["run", "a.jsonl"])).stderr).toBe(
      "error: wai run was given no folder to write.\nfix: Name one with -o DIR.\n",
    );
  });
});

describe("report.html", () => {
  const page = async (rows: readonly unknown[], argv: readonly string[] = []): Promise<string> => {
    const path = folder();
    await wai(["run", written(path("a.jsonl"), rows), "-o", path("out"), ...argv]);
    return readFileSync(join(path("out"), "report.html"), "utf8");
  };

  test("needs nothing else: no script, no request, and a policy that forbids both", async () => {
    const text = await page(MIXED);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|javascript:/i);
    expect(text).not.toMatch(/\b(src|href)=/i);
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  test("shows text of the rows as text", async () => {
    const evil = `</style><script>alert(1)</script><img src=x onerror=alert(1)>"'`;
    const rows = MIXED.map((row) => ({
      ...row,
      task_id: row.task_id + evil,
      prompt: evil,
      model_version: evil,
      [evil]: 1,
      markers: { [evil]: 1 },
    }));
    const text = await page(rows);
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text.match(/<style>/g)).toHaveLength(1);
    expect(text.match(/<\/style>/g)).toHaveLength(1);
  });

  test("every element that is opened is closed", async () => {
    for (const rows of [MIXED, rollouts({ a: [null] }), rollouts({ a: [1, 1], b: [1, 1] })]) {
      const text = await page(rows);
      for (const name of [
        "html",
        "body",
        "main",
        "section",
        "table",
        "tr",
        "td",
        "th",
        "dl",
        "dd",
        "ul",
        "li",
        "svg",
        "g",
        "p",
        "div",
        "details",
        "figure",
      ]) {
        const opened = text.match(new RegExp(`<${name}[\\s>]`, "g"))?.length ?? 0;
        const closed = text.match(new RegExp(`</${name}>`, "g"))?.length ?? 0;
        expect({ name, opened }).toEqual({ name, opened: closed });
      }
      expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }
  });

  test("the first sentence is the one of the terminal", async () => {
    const path = folder();
    const { stdout } = await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
    const sentence = stdout.split("\n")[0]!.replace("Written. ", "");
    expect(readFileSync(path("out/report.html"), "utf8")).toContain(`<p class="lead">${sentence}</p>`);
  });
});

test("SIGINT while the rows still come leaves no folder", async () => {
  const path = folder();
  const child = spawn(process.execPath, [BIN, "run", "-", "-o", path("out")], { stdio: ["pipe", "ignore", "pipe"] });
  while (readdirSync(path(".")).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill("SIGINT");
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect({ code, left: readdirSync(path(".")) }).toEqual({ code: 130, left: [] });
});

test("the built wai runs it too", async () => {
  const path = folder();
  written(path("a.jsonl"));
  const { code, stdout, stderr } = await spawnWai(["run", "a.jsonl", "-o", "out"], { cwd: path(".") });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain("files in out\n  report.html");
});
