import { toWire } from "@while/schema";
import { compareRuns } from "@while/stats";
import { expect, test } from "vitest";
import { rollouts, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const tasks = (n: number, rewards: readonly number[]) =>
  rollouts(Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, rewards])));

const WORSE = tasks(8, [0, 0, 1, 0]);
const BETTER = tasks(8, [1, 0, 1, 1]);

test.each([
  [WORSE, BETTER, 0, "b is better: pass_at_1 +0.500"],
  [BETTER, WORSE, 1, "a is better: pass_at_1 -0.500"],
  [BETTER, tasks(8, [1, 1, 0, 1]), 2, "no difference detected: pass_at_1 +0.000"],
  [tasks(5, [0, 0, 1, 0]), tasks(5, [1, 0, 1, 1]), 2, "insufficient data: pass_at_1 +0.500"],
])("wai compare says which run is better, and its exit code does too", async (a, b, code, line) => {
  const path = folder();
  const outcome = await wai(["compare", written(path("a.jsonl"), a), written(path("b.jsonl"), b)]);
  expect({ ...outcome, stdout: outcome.stdout.slice(0, line.length) }).toEqual({ code, stdout: line, stderr: "" });
});

test("--json is toWire of compareRuns, --metric its option", async () => {
  const path = folder();
  const files = [written(path("a.jsonl"), WORSE), written(path("b.jsonl"), BETTER)];
  const { stdout } = await wai(["compare", ...files, "--metric", "marker:polite", "--json"]);
  expect(JSON.parse(stdout)).toEqual(toWire(compareRuns(WORSE, BETTER, { metric: "marker:polite" })));
});

test.each([[["a.jsonl"]], [["a.jsonl", "a.jsonl", "a.jsonl"]]])("%j are not two files", async (names) => {
  const path = folder();
  written(path("a.jsonl"), WORSE);
  const { code, stderr } = await wai(["compare", ...names.map(path)]);
  expect(code).toBe(3);
  expect(stderr).toContain("fix: Name two: A, and B that may be better.");
});

test("a run against itself is said to be", async () => {
  const path = folder();
  const file = written(path("a.jsonl"), WORSE);
  const { code, stdout } = await wai(["compare", file, file]);
  expect(code).toBe(2);
  expect(stdout).toContain("both runs are the same rows: a run was compared with itself");
});

test("--sequential asks whether a run that is not done may stop", async () => {
  const path = folder();
  // An order that nobody made: every third task of 40.
  const order = Array.from({ length: 40 }, (_, i) => `t${(i * 17 + 5) % 40}`);
  const side = (rewards: readonly number[]) => rollouts(Object.fromEntries(order.map((task) => [task, rewards])));
  const before = written(path("a.jsonl"), side([0, 0, 1, 0]));
  const stop = await wai([
    "compare",
    before,
    written(path("b.jsonl"), side([1, 1, 1, 0]).slice(0, 100)),
    "--sequential",
  ]);
  expect(stop).toMatchObject({ code: 0, stderr: "" });
  expect(stop.stdout).toMatch(/^stop: b is better: pass_at_1 \+0\.500, .*\n {2}25 tasks of both runs, 15 of a alone/);
  const same = await wai(["compare", before, written(path("c.jsonl"), side([1, 0, 0, 0])), "--sequential", "--json"]);
  expect(same.code).toBe(2);
  expect(JSON.parse(same.stdout)).toMatchObject({ verdict: "no_difference_detected", n_tasks: 40, decided_at: null });
  const ordered = written(path("d.jsonl"), tasks(12, [1, 0]));
  expect((await wai(["compare", ordered, ordered, "--sequential"])).stderr).toContain("in the order of their names");
  const both = await wai(["compare", before, before, "--sequential", "--cluster", "category"]);
  expect(both).toMatchObject({
    code: 3,
    stderr: expect.stringContaining("--sequential and --cluster were both given."),
  });
});
