import { readFileSync } from "node:fs";
import { exportDataset } from "@while/export/files";
import { toWire } from "@while/schema";
import { evalMatcher } from "@while/trust";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

/** Holds the situation `a` by its id and `b` by its words. */
const EVAL = [{ task_id: "a", prompt: "Something else" }, { prompt: "refund ORDER b" }];

const tasksIn = (file: string): string[] =>
  [...new Set([...readFileSync(file, "utf8").matchAll(/Refund order (\w)\./g)].map(([, task]) => task!))].sort();

test.each(["sft", "kto", "grpo"])(
  "wai export --kind %s --against leaves out what the evaluation holds",
  async (kind) => {
    const path = folder();
    const evaluation = written(path("eval.jsonl"), EVAL);
    const band = kind === "grpo" ? ["--band", "0,1", "--holdout", "0"] : [];
    const asked = ["export", written(path("a.jsonl")), "--kind", kind, ...band, "-o", path("out.jsonl")];
    const { code, stderr } = await wai([...asked, "--against", evaluation, "--quiet"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/\n {2}8 rows left out that the evaluation holds \(4 same task, 4 exact\): a-0, /);
    expect(tasksIn(path("out.jsonl"))).toEqual(["n", "z"]);
    expect(JSON.parse(readFileSync(path("out.jsonl.manifest.json"), "utf8"))).toMatchObject({
      options: { against: true },
      counters: { contaminated: { n: 8 } },
    });
    expect(await wai(["export", path("out.jsonl"), "--check"])).toMatchObject({ code: 0 });
  },
);

test("it is the rule of decontaminate asked by exportDataset, and goes to stdout too", async () => {
  const path = folder();
  const file = written(path("a.jsonl"));
  const against = ["--against", written(path("eval.jsonl"), EVAL)];
  const { stdout } = await wai(["export", file, ...against, "--json", "--quiet", "-o", path("out.jsonl")]);
  const report = await exportDataset(file, { against: await evalMatcher(EVAL), output: path("out.jsonl") });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(toWire(report))));
  const piped = await wai(["export", file, ...against, "-o", "-"]);
  expect(piped.stdout).toBe(readFileSync(path("out.jsonl"), "utf8"));
});

test.each([
  ["empty.jsonl", [], /^error: .*(no row|holds no rows|empty)/],
  ["none.jsonl", null, /^error: .*none\.jsonl/],
])("an evaluation of %s is refused", async (name, rows, message) => {
  const path = folder();
  if (rows !== null) written(path(name), rows);
  const { code, stderr } = await wai(["export", written(path("a.jsonl")), "--against", path(name)]);
  expect(code).toBe(3);
  expect(stderr).toMatch(message);
});
