import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MIXED, rollouts, written } from "./rollouts.ts";
import { BIN, folder, spawnWai, wai } from "./terminal.ts";

const WORDS = [
  "Paid",
  "Sent",
  "Found",
  "Kept",
  "Asked",
  "Closed",
  "Moved",
  "Shown",
  "Held",
  "Freed",
  "Read",
  "Put",
  "Cut",
];
const REPORTS = [
  ...["census.json", "hack-scan.json", "judge-trust.json", "markers.json", "optimize.json", "pass-at.json"],
  ...["report.html", "run.json", "traces.json"],
];
const FILES = [
  ...REPORTS,
  ...["export.json", "gate.json", "rows.jsonl", "rows.meta.json", "train.trl.jsonl", "train.trl.jsonl.manifest.json"],
].toSorted();

/** Forty tasks with labels of a person that the judge agrees with, and a marker that the reward is meant to pay for. */
const LABELED = rollouts(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`t${i}`, [1, 0, i % 2, 0]]))).map(
  (row, i) => ({
    ...row,
    final_text: `${WORDS[i % 7]} ${WORDS[(i * 3) % 11]} ${WORDS[(i * 5) % 13]} ${i}.`,
    gold_reward: row.reward as number,
    gold_kind: "human",
    markers: { resolved: row.reward as number },
  }),
);

const json = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

test("wai run fills one folder: the rows, the training file, each report as JSON, and the page", async () => {
  const path = folder();
  const { code, stdout } = await wai(["run", written(path("a.jsonl")), "-o", path("out")]);
  expect(code).toBe(2);
  expect(stdout).toMatch(
    /^CANNOT TELL\. The agent passes 62\.5% of its attempts .+ on 4 tasks\. 12 of 16 rows are kept to train on/,
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
    ["judge-trust", ["judge-trust", file]],
    ["traces", ["traces", file]],
    ["hack-scan", ["hack-scan", file]],
    ["optimize", ["optimize", file, "-o", path("b.jsonl")]],
    ["gate", ["gate", path("out/rows.jsonl"), "--mode", "rl"]],
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

describe("the gates", () => {
  const gatesOf = (path: string) => {
    const { gates } = json(path) as { gates: { verb: string; outcome: string; text: string; next: string | null }[] };
    return Object.fromEntries(gates.map((gate) => [gate.verb, gate]));
  };

  test("all hold: labels that the judge agrees with, nothing faked, and a reward that pays for what is endorsed", async () => {
    const path = folder();
    const argv = ["--endorsed", "marker:resolved", "-o", path("out")];
    const { code, stdout } = await wai(["run", written(path("a.jsonl"), LABELED), ...argv]);
    expect(stdout).toMatch(/^HOLDS\. The agent passes 37\.5% of its attempts/);
    expect(Object.values(gatesOf(path("out/run.json"))).map(({ verb, outcome }) => [verb, outcome])).toEqual([
      ["judge-trust", "holds"],
      ["traces", "holds"],
      ["decontaminate", "skipped"],
      ["hack-scan", "holds"],
      ["optimize", "holds"],
      ["gate", "holds"],
      ["export", "holds"],
    ]);
    expect(code).toBe(0);
  });

  test("without a label nobody can say whether the rewards are right: exit 2, and the command that helps", async () => {
    const path = folder();
    const unlabeled = LABELED.map(({ gold_reward: _, gold_kind: __, ...row }) => row);
    const argv = ["--endorsed", "marker:resolved", "-o", path("out")];
    expect(await wai(["run", written(path("a.jsonl"), unlabeled), ...argv])).toMatchObject({ code: 2 });
    expect(gatesOf(path("out/run.json"))["judge-trust"]).toMatchObject({
      outcome: "open",
      next: `wai label ${path("a.jsonl")} --labels labels.jsonl --kind human -o labeled.jsonl`,
    });
    expect(await wai(["run", path("a.jsonl"), ...argv, "--force", "--no-gate"])).toMatchObject({ code: 0 });
  });

  test("a judge that people contradict fails", async () => {
    const path = folder();
    const wrong = LABELED.map((row, i) => ({
      ...row,
      gold_reward: i % 3 === 0 ? 1 - row.gold_reward : row.gold_reward,
    }));
    const { code } = await wai(["run", written(path("a.jsonl"), wrong), "-o", path("out")]);
    expect([code, gatesOf(path("out/run.json"))["judge-trust"]?.outcome]).toEqual([1, "fails"]);
  });

  test("a phrase that was put into passing replies is named, and fails", async () => {
    const path = folder();
    const pasted = LABELED.map((row) => ({
      ...row,
      markers: {},
      final_text: row.reward === 1 ? `${row.final_text} With premium care.` : row.final_text,
    }));
    const argv = ["--endorsed", "marker:resolved", "-o", path("out")];
    const marked = pasted.map((row, i) => ({ ...row, markers: { resolved: i % 5 === 0 ? 1 : 0 } }));
    const { code } = await wai(["run", written(path("a.jsonl"), marked), ...argv]);
    const gate = gatesOf(path("out/run.json"))["hack-scan"];
    expect([code, gate?.outcome]).toEqual([1, "fails"]);
    expect(gate?.text).toMatch(/^It pays for contains:.*(\. with|premium|care)/);
  });

  test("rows that an evaluation holds fail, and are not in the training file", async () => {
    const path = folder();
    writeFileSync(path("eval.jsonl"), `${JSON.stringify({ task_id: "t3", prompt: LABELED[12]!.prompt })}\n`);
    const argv = ["--holdout", path("eval.jsonl"), "--endorsed", "marker:resolved", "-o", path("out")];
    const { code, stdout } = await wai(["run", written(path("a.jsonl"), LABELED), ...argv]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n {2}FAILS {8}decontaminate +4 of 160 rows \(2\.5%\) hold a text of it\./);
    expect(json(path("out/decontaminate.json"))).toMatchObject({ n_contaminated: 4 });
    expect(readFileSync(path("out/train.trl.jsonl"), "utf8")).not.toContain("Refund order t3.");
    expect(json(path("out/census.json"))).toMatchObject({ rows: 160 });
  });

  test("rows that the publish gate refuses are kept and not exported, unless --no-gate", async () => {
    const path = folder();
    // Without a task, and no ask in the same words: a grouped method has nothing to compare.
    const alone = MIXED.map(({ task_id: _, ...row }, i) => ({ ...row, prompt: `Refund order ${i}.` }));
    const argv = ["run", written(path("a.jsonl"), alone), "--mode", "rl", "-o", path("out")];
    const { code, stdout } = await wai(argv);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n {2}FAILS {8}gate +Rollouts agree in each of 16 asks, .+\n +wai curriculum .+a\.jsonl\n/);
    expect(readdirSync(path("out"))).toContain("rows.jsonl");
    expect(readdirSync(path("out"))).not.toContain("train.trl.jsonl");
    expect(await wai([...argv, "--force", "--no-gate"])).toMatchObject({ code: 0 });
    expect(readdirSync(path("out"))).toContain("train.trl.jsonl");
  });

  test("replies to imitate need no contrast, so no publish gate is asked", async () => {
    const path = folder();
    const worded = MIXED.map((row, i) => ({ ...row, prompt: `Refund order ${row.task_id}, ask ${i}.` }));
    await wai(["run", written(path("a.jsonl"), worded), "--mode", "sft", "-o", path("out")]);
    expect(Object.keys(gatesOf(path("out/run.json")))).not.toContain("gate");
    expect(readdirSync(path("out"))).toContain("train.trl.jsonl");
  });
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
      code: 2,
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
    expect(stdout).toMatch(/^FAILS\. The agent passes 50\.0% .+ None of 6 rows is worth training on/);
    expect(stdout).toMatch(/\n {2}FAILS {8}optimize +None of 6 rows .+\n +wai curriculum .+a\.jsonl\n/);
    expect(readdirSync(path("out"))).toEqual(REPORTS);
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
    expect(stdout).toMatch(/^CANNOT TELL\. .+ Grade the rows first\./);
    expect(json(path("out/run.json"))).toMatchObject({ verdict: "open", outcome: "not_graded", export: null });
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
    expect(stdout).toMatch(/^FAILS\. .*oracle/);
    expect(json(path("out/run.json"))).toMatchObject({ outcome: "refused" });
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

  test("needs nothing else: no script and no request", async () => {
    const text = await page(MIXED);
    expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|javascript:/i);
    expect(text).not.toMatch(/\bsrc=|\bhref="[^#]/i);
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
    const sentence = stdout.split("\n")[0]!.replace("CANNOT TELL. ", "");
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
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toContain("files in out\n  report.html");
});
