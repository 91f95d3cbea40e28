import { readFileSync, writeFileSync } from "node:fs";
import { attachLabels, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import { judgeTrust } from "@while/trust";
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

test.each([
  [["--kind", "human"], /^error: --kind says who gave labels, and there are none\./],
  [["--probes", "all"], /^error: --probes needs a judge to try them on\.\nfix: Name it with --judge MODULE\./],
  [["--judge", "none.mjs"], /^error: --judge names .*none\.mjs, and there is no such file\./],
  [["--judge", "bad.mjs"], /^error: .*bad\.mjs has no function as its default export\./],
  [["--judge", "broken.mjs"], /^error: .*broken\.mjs cannot be loaded: /],
  [["--judge", "ok.mjs", "--probes", "fillr"], /^error: There is no probe "fillr"\.\nfix: Did you mean filler\?/],
  [["--html", "-"], /^error: --html got -/],
  [["--html", "graded.jsonl"], /^error: .*graded\.jsonl is a file that is read/],
  [["--min-agreement", "2"], /^error: --min-agreement got "2"/],
  [["--rubric", "none.md"], /^error: --rubric names .*none\.md, which cannot be read/],
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
