import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { attachLabels, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { judgeCalibration, judgeTrust } from "@while/trust";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const ROWS = Array.from({ length: 120 }, (_, i) => ({
  ...{ rollout_id: `r${i}`, task_id: `t${i}`, prompt: `ask ${i}`, final_text: `reply ${1000 + i}` },
  ...{ reward: i % 2, judge_name: "steady" },
}));
/** A person who agrees in 19 of 20. */
const labelsOf = (n: number) =>
  ROWS.slice(0, n).map(({ rollout_id, reward }, i) => ({
    ...{ key: rollout_id, label: i % 20 === 7 ? 1 - reward : reward },
  }));

test("wai judge-trust: a judge that holds, ten labels that cannot tell, one that people do not bear out", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  written(path("all.jsonl"), labelsOf(120));
  const holds = await wai(["judge-trust", path("graded.jsonl"), "--labels", path("all.jsonl"), "--kind", "human"]);
  expect(holds).toMatchObject({ code: 0, stderr: "" });
  expect(holds.stdout).toMatch(/^PASS: agrees with human labels on 95% of 120 rows\n/);

  written(path("ten.jsonl"), labelsOf(10));
  const ten = [
    "judge-trust",
    path("graded.jsonl"),
    "--labels",
    path("ten.jsonl"),
    "--kind",
    "human",
    "--rule",
    "strict",
  ];
  const open = await wai(ten);
  expect(open.code).toBe(2);
  expect(open.stdout).toMatch(/^INCONCLUSIVE: .*\(strict rule\)\n/);
  expect(open.stdout).toMatch(/\n {2}label budget: \d+ rows, of which/);

  written(
    path("other.jsonl"),
    labelsOf(120).map(({ key, label }, i) => ({ key, label: i % 3 === 0 ? 1 - label : label })),
  );
  const fails = await wai(["judge-trust", path("graded.jsonl"), "--labels", path("other.jsonl"), "--kind", "human"]);
  expect(fails.code).toBe(1);
  expect(fails.stdout).toMatch(/^FAIL: leak, agreement_low, kappa_low\n/);
  expect((await wai(["judge-trust", path("graded.jsonl")])).code).toBe(2);
  expect((await wai(["judge-trust", path("graded.jsonl"), "--no-gate"])).code).toBe(0);
});

test("--json is toWire of judgeTrust, and --html a page", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  written(path("labels.jsonl"), labelsOf(120));
  writeFileSync(path("judge.mjs"), "export default function steady(row) { return row.reward; }\n");
  const { code, stdout, stderr } = await wai([
    ...["judge-trust", path("graded.jsonl"), "--labels", path("labels.jsonl"), "--kind", "human", "--json"],
    ...["--judge", path("judge.mjs"), "--probes", "filler,refusal", "--sample", "20", "--html", path("page.html")],
  ]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const { rows } = attachLabels((await readRowFiles([path("graded.jsonl")])).rows, labelsOf(120), { kind: "human" });
  const steady = Object.assign((row: { reward?: number | null }) => row.reward ?? 0, { judgeName: "steady" });
  const report = await judgeTrust(rows, steady, { probes: ["filler", "refusal"], sample: 20 });
  const timeless = (text: string) => text.replaceAll(/"ts": ?\d+(\.\d+)?/g, "");
  expect(timeless(JSON.stringify(JSON.parse(stdout)))).toBe(timeless(JSON.stringify(toWire(report))));
  expect(readFileSync(path("page.html"), "utf8")).toMatch(/^<!doctype html>/);
});

test("--calibration: how sure the judge was against what people said, rows mapped by it, and verdicts by a threshold", async () => {
  const path = folder();
  // Ten rows of each score; of those it gave 0.9 people pass six.
  const sure = [0.1, 0.9, 0.1, 0.9, 0.1, 0.9].flatMap((reward, group) =>
    Array.from({ length: 10 }, (_, i) => ({
      ...{ rollout_id: `r${group}-${i}`, task_id: `t${group}-${i}`, prompt: `ask ${group} ${i}`, final_text: "so" },
      ...{ reward, i },
    })),
  );
  const labels = sure.map(({ rollout_id, reward, i }) => ({
    key: rollout_id,
    label: i < (reward > 0.5 ? 6 : 1) ? 1 : 0,
  }));
  const file = written(path("sure.jsonl"), sure);
  const labeled = ["judge-trust", file, "--labels", written(path("labels.jsonl"), labels), "--kind", "human"];
  const mapped = path("mapped.jsonl");
  const found = await wai([...labeled, "--calibration", "--calibrated", mapped]);
  expect(found.code).toBe(1);
  expect(found.stdout).toMatch(/^FAIL: miscalibrated\n/);
  expect(found.stderr).toBe(`note: rows in ${mapped}\n`);
  const rewards = readFileSync(mapped, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(rewards[10]).toMatchObject({ reward: 0.6, judge_meta: { raw_reward: 0.9 }, gold_reward: 1 });

  const { rows } = attachLabels((await readRowFiles([file])).rows, labels, { kind: "human" });
  const json = await wai([...labeled, "--calibration", "--json"]);
  expect(JSON.parse(json.stdout)).toEqual(JSON.parse(JSON.stringify(toWire(judgeCalibration(rows)))));

  const verdicts = await wai([...labeled, "--threshold", "0.5"]);
  expect(verdicts.stdout).toMatch(/^FAIL: .*\n {2}agreement 75%, /);
  expect(found.stdout).toMatch(/a pass from 0\.50 on \(--threshold\): agreement 75%/);
  expect(found.stdout).toMatch(/map them \(--calibrated FILE\)\n$/);
});

test.each([
  [["--calibrated", "x.jsonl"], /^error: --calibrated is for --calibration\./],
  [["--calibration", "--probes", "all"], /^error: --calibration and --probes were both given\./],
  [["--calibration", "--min-kappa", "0.5"], /^error: --calibration and --min-kappa were both given\./],
  [["--calibration", "--calibrated", "-"], /^error: --calibrated got -, and stdout carries the report\./],
  [["--kind", "human"], /^error: --kind says who gave labels, and there are none\./],
  [
    ["--probes", "all"],
    /^error: --probes needs a judge to try them on\.\nfix: Name it with --judge MODULE or --model MODEL\./,
  ],
  [["--timeout", "3"], /^error: --timeout needs a judge to call\./],
  [["--drift", "runs.jsonl"], /^error: --drift needs a judge to call\./],
  [["--question", "Done?"], /^error: --question is for a model\./],
  [["--judge", "ok.mjs", "--model", "ok.mjs"], /^error: --judge and --model were both given\./],
  [["--judge", "ok.mjs", "--variants", "all"], /^error: --variants all is of a model\./],
  [
    ["--judge", "ok.mjs", "--variants", "none.mjs"],
    /^error: --variants names .*none\.mjs, and there is no such file\./,
  ],
  [["--judge", "ok.mjs", "--drift", "d.jsonl", "--plan", "p.csv"], /^error: --drift and --plan were both given\./],
  [["--plan-rows", "5"], /^error: --plan-rows is for --plan\./],
  [["--plan", "graded.jsonl"], /^error: .*graded\.jsonl is a file that is read/],
  [["--tuned-on", "graded.jsonl", "--tuned-half", "a"], /^error: --tuned-on and --tuned-half were both given\./],
  [["--model", "ok.mjs", "--rubric", "none.md"], /^error: --rubric names .*none\.md, and there is no such file/],
  [["--model", "ok.mjs", "--rubric", "r.md", "--question", "?"], /^error: --rubric and --question were both given\./],
  [["--judge", "none.mjs"], /^error: --judge names .*none\.mjs, and there is no such file\./],
  [["--judge", "bad.mjs"], /^error: .*bad\.mjs has no function as its default export\./],
  [["--judge", "broken.mjs"], /^error: .*broken\.mjs cannot be loaded: /],
  [["--judge", "ok.mjs", "--probes", "fillr"], /^error: There is no probe "fillr"\.\nfix: Did you mean filler\?/],
  [["--html", "-"], /^error: --html got -/],
  [["--html", "graded.jsonl"], /^error: .*graded\.jsonl is a file that is read/],
  [["--min-agreement", "2"], /^error: --min-agreement got "2"/],
  [["--rubric", "none.md"], /^error: --rubric is for a model, or for the probe that stuffs its words\./],
  [["--judge", "ok.mjs", "--probes", "all", "--rubric", "none.md"], /^error: --rubric names .*none\.md, which cannot/],
])("wai judge-trust graded.jsonl %j is refused", async (flags, said) => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  writeFileSync(path("bad.mjs"), "export const judge = 1;\n");
  writeFileSync(path("broken.mjs"), "export default (\n");
  writeFileSync(path("ok.mjs"), "export default (row) => row.reward;\n");
  const argv = flags.map((word) => (/\.(mjs|jsonl|md)$/.test(word) ? path(word) : word));
  const { code, stderr } = await wai(["judge-trust", path("graded.jsonl"), ...argv]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(said) });
});

test("--plan writes a sheet without verdicts; filled in, it is a file of labels, and half filled in too", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  written(path("ten.jsonl"), labelsOf(10));
  const strict = ["--labels", path("ten.jsonl"), "--kind", "human", "--rule", "strict"];
  for (const name of ["next.csv", "next.jsonl"]) {
    const { code, stdout, stderr } = await wai(["judge-trust", path("graded.jsonl"), ...strict, "--plan", path(name)]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/\nlabel next: \d+ rows of \d+ tasks \(strict rule\): /);
    expect(stderr).toContain(`note: to be labeled: ${path(name)}`);
    expect(readFileSync(path(name), "utf8")).not.toMatch(/reward|steady/);
  }
  const sheet = readFileSync(path("next.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(Object.keys(sheet[0])).toEqual(["key", "prompt", "final_text", "label"]);
  expect(readFileSync(path("next.csv"), "utf8").split("\n")[0]).toBe("key,prompt,final_text,label");
  const rewardOf = new Map(ROWS.map(({ rollout_id, reward }) => [rollout_id, reward]));
  const answered = sheet.map((record, i) => ({ ...record, label: i === 0 ? null : rewardOf.get(record.key) }));
  written(path("labels.jsonl"), [...labelsOf(10), ...answered]);
  const { code } = await wai([
    ...["judge-trust", path("graded.jsonl"), "--labels", path("labels.jsonl"), "--kind", "human", "--rule", "strict"],
  ]);
  expect(code).toBe(0);
  const decided = await wai([
    "judge-trust",
    path("graded.jsonl"),
    ...strict.with(1, path("labels.jsonl")),
    "--plan",
    path("more.csv"),
  ]);
  expect(decided.stdout).toContain("\nlabel next: nothing, these labels bear the judge out (strict rule)\n");
  expect(existsSync(path("more.csv"))).toBe(false);
  const five = await wai([
    "judge-trust",
    path("graded.jsonl"),
    ...strict,
    "--plan",
    path("five.jsonl"),
    "--plan-rows",
    "5",
    "--json",
  ]);
  expect(JSON.parse(five.stdout)).toMatchObject({ status: "inconclusive", queue: { n: 5, rule: "strict" } });
});

test("--tuned-on and --tuned-half take labels out of the evidence", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  written(path("labels.jsonl"), labelsOf(120));
  written(path("tuned.jsonl"), labelsOf(30));
  const of = async (...flags: string[]) => {
    const base = ["judge-trust", path("graded.jsonl"), "--labels", path("labels.jsonl"), "--kind", "human", "--json"];
    return JSON.parse((await wai([...base, ...flags])).stdout);
  };
  expect(await of("--tuned-on", path("tuned.jsonl"))).toMatchObject({ n_labeled: 90, n_tuned: 30 });
  const half = await of("--tuned-half", "b");
  expect(half.n_labeled + half.n_tuned).toBe(120);
  expect(half.held_out_halves.b.n).toBe(0);
  written(path("rows.jsonl"), ROWS.slice(0, 7));
  expect(await of("--tuned-on", path("rows.jsonl"))).toMatchObject({ n_tuned: 7 });
});

test("--drift keeps each run, and exits 1 once the judge is worse", async () => {
  const path = folder();
  written(
    path("anchors.jsonl"),
    ROWS.map((row) => ({ ...row, gold_reward: row.reward, gold_kind: "human" })),
  );
  writeFileSync(path("judge.mjs"), "export default (row) => row.gold_reward;\n");
  writeFileSync(
    path("worse.mjs"),
    "export default (row) => (/r[0-8]$/.test(row.rollout_id) ? 1 - row.gold_reward : row.gold_reward);\n",
  );
  const run = (judge: string) =>
    wai(["judge-trust", path("anchors.jsonl"), "--judge", path(judge), "--drift", path("runs.jsonl")]);
  expect(await run("judge.mjs")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^FIRST RUN: /) });
  expect(await run("judge.mjs")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^STEADY: /) });
  const worse = await run("worse.mjs");
  expect(worse).toMatchObject({ code: 1, stdout: expect.stringMatching(/^DRIFTED: /) });
  expect(worse.stdout).toMatch(/! the judge was judge\.mjs@\w{12} and is worse\.mjs@\w{12}/);
  const kept = readFileSync(path("runs.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(kept).toHaveLength(3);
  expect(kept[0]).toMatchObject({
    anchors_sha: expect.stringMatching(/^\w{12}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
  writeFileSync(path("runs.jsonl"), `${JSON.stringify(kept[0])}\nnot a run\n`);
  expect(await run("judge.mjs")).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("runs.jsonl, line 2: It is no JSON."),
  });
});

test("a judge that hangs, throws or talks is out of time, an error or no verdict, and the report comes all the same", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  written(path("labels.jsonl"), labelsOf(120));
  writeFileSync(
    path("bad.mjs"),
    "export default function steady(row) {\n  const i = Number(row.rollout_id.slice(1)) % 4;\n  if (i === 0) return new Promise(() => {});\n  if (i === 1) throw new Error('no');\n  return i === 2 ? 'looks good' : NaN;\n}\n",
  );
  const { code, stdout } = await wai([
    ...["judge-trust", path("graded.jsonl"), "--labels", path("labels.jsonl"), "--kind", "human"],
    ...["--judge", path("bad.mjs"), "--timeout", "0.05", "--sample", "12"],
  ]);
  expect(code).toBe(2);
  expect(stdout).toMatch(/^INCONCLUSIVE: the judge gave no verdict when it was called again\n(?! {2}label budget)/);
  expect(stdout).toContain("24 of 24 calls that judge rows again gave no verdict (");
  expect(stdout).toContain("  judged again: not measured, 24 calls without a verdict\n");
});

test("--model asks a model again, and --variants all asks it otherwise", async () => {
  const path = folder();
  written(
    path("graded.jsonl"),
    ROWS.slice(0, 40).map((row) => ({ ...row, judge_name: "decision:tiny" })),
  );
  written(path("labels.jsonl"), labelsOf(40));
  writeFileSync(
    path("model.mjs"),
    `export default Object.assign(async ([system, { content }]) => {
  const even = Number(content.match(/reply (\\d+)/)[1]) % 2 === 0;
  const said = even === system.content.startsWith("You answer") ? "no" : "yes";
  return JSON.stringify({ reason: "r", decision: said, probability: said === "yes" ? 0.9 : 0.1 });
}, { modelName: "tiny" });\n`,
  );
  const { stdout, stderr } = await wai([
    ...["judge-trust", path("graded.jsonl"), "--labels", path("labels.jsonl"), "--kind", "human", "--rule", "strict"],
    ...["--model", path("model.mjs"), "--question", "Is it done?", "--variants", "all"],
  ]);
  expect(stderr).toBe("");
  expect(stdout).toContain("  judged again: 0% [0.00..0.09] of 40 changed");
  expect(stdout).toContain(
    "  asked otherwise, reworded: 100% [0.91..1.00] of 40 changed, 0 by a second reading FLAG\n",
  );
  expect(stdout).toContain("  asked otherwise, warm: 0% [0.00..0.09] of 40 changed, 0 by a second reading\n");
  expect(stdout).toMatch(/^FAIL: .*fragile/);
});

test("graded rows are no labels: a judge that is measured against itself is always right", async () => {
  const path = folder();
  written(path("graded.jsonl"), ROWS);
  const argv = ["judge-trust", path("graded.jsonl"), "--labels", path("graded.jsonl")];
  const said = expect.stringContaining("which holds verdicts of the judge steady and no labels.");
  expect(await wai([...argv, "--kind", "human"])).toMatchObject({ code: 3, stderr: said });
  expect(await wai(argv)).toMatchObject({ code: 3, stderr: said });
  // As a model's they are taken, and measure nothing.
  expect((await wai([...argv, "--kind", "model"])).stdout).toMatch(/^NOT MEASURED: /);
});

test("--marks holds a judge that grades on a scale against marks on it, from a file or a column", async () => {
  const path = folder();
  const marks = Array.from({ length: 100 }, (_, i) => (i % 5) + 1);
  const graded = marks.map((mark, i) => ({
    ...{ rollout_id: `r${i}`, task_id: `t${i}`, prompt: "hi", final_text: `reply ${1000 + i}`, gold_kind: "human" },
    ...{ reward: Math.min(1, (mark - 1 + (i % 6 === 0 ? 1 : 0)) / 4), stars: mark },
  }));
  written(path("graded.jsonl"), graded);
  writeFileSync(path("marks.csv"), `key,rating\n${marks.map((mark, i) => `r${i},${mark}`).join("\n")}\n`);
  const scale = ["judge-trust", path("graded.jsonl"), "--marks", "1,5"];
  const byFile = await wai([...scale, "--labels", path("marks.csv"), "--kind", "human"]);
  expect(byFile).toMatchObject({ code: 0, stderr: "" });
  expect(byFile.stdout).toMatch(/^PASS: agrees with human labels on a scale from 1 to 5\n {2}concordance 0\.9\d \[/);
  const byColumn = await wai([...scale, "--gold", "stars"]);
  expect(byColumn.stdout).toBe(byFile.stdout);
  const json = JSON.parse((await wai([...scale, "--gold", "stars", "--json"])).stdout);
  expect(json).toMatchObject({ status: "pass", n: 100, min_concordance: 0.6, scale: [1, 5] });
  expect((await wai([...scale, "--gold", "stars", "--min-kappa", "0.99"])).code).toBe(1);
  expect((await wai(scale)).code).toBe(2);
});

test.each([
  [["--marks", "1,5", "--plan", "p.csv"], "--marks and --plan were both given."],
  [["--marks", "1,5", "--min-agreement", "0.7"], "--marks and --min-agreement were both given."],
  [["--gold", "stars", "--labels", "l.csv"], "--gold and --labels were both given."],
  [["--marks", "5,1"], '--marks got "5,1".'],
  [["--marks", "1,3", "--gold", "stars"], "stars of r1 is 4, outside 1 to 3."],
])("wai judge-trust refuses %j", async (flags, said) => {
  const path = folder();
  written(path("graded.jsonl"), [{ rollout_id: "r1", task_id: "t", prompt: "hi", reward: 0.5, stars: 4 }]);
  const { code, stderr } = await wai(["judge-trust", path("graded.jsonl"), ...flags]);
  expect(code).toBe(3);
  expect(stderr).toContain(said);
});
