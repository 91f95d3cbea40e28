import { toWire } from "@while/schema";
import { type HoldoutSizeOptions, holdoutSize, resolvableEffect } from "@while/stats";
import { expect, test } from "vitest";
import { MIXED, rollouts, written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const AFTER = rollouts({ a: [1, 1, 1, 0], b: [1, 1, 1, 1], n: [1, 0, 1, 1], z: [1, 1, 1, 1] });

const CALLS: readonly (readonly [argv: readonly string[], effect: number, options: HoldoutSizeOptions])[] = [
  [[], 0.05, {}],
  [
    ["--effect", "0.1", "--base", "0.5", "--k", "1", "--power", "0.9", "--alpha", "0.01"],
    0.1,
    { base: 0.5, k: 1, power: 0.9, alpha: 0.01 },
  ],
  [["--task-std", "0.38"], 0.05, { taskStd: 0.38 }],
  [["--guards", "3"], 0.05, { guards: 3 }],
  [["--before", "BEFORE"], 0.05, { before: MIXED }],
  [["--before", "BEFORE", "--after", "AFTER", "--effect", "0.2"], 0.2, { before: MIXED, after: AFTER }],
];

test.each(CALLS)("wai size %j --json is toWire of holdoutSize", async (argv, effect, options) => {
  const path = folder();
  const files: Record<string, string> = {
    BEFORE: written(path("before.jsonl")),
    AFTER: written(path("after.jsonl"), AFTER),
  };
  const { code, stdout, stderr } = await wai(["size", ...argv.map((word) => files[word] ?? word), "--json"]);
  expect({ code, stderr, report: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: "",
    report: JSON.parse(JSON.stringify(toWire(holdoutSize(effect, options)))),
  });
});

test("wai size --tasks --json is toWire of resolvableEffect", async () => {
  const { code, stdout, stderr } = await wai(["size", "--tasks", "140", "--base", "0.5", "--json"]);
  expect({ code, stderr, report: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: "",
    report: JSON.parse(JSON.stringify(toWire(resolvableEffect(140, { base: 0.5 })))),
  });
});

test("a base of 1 leaves nothing to prove: exit code 2 and what to do", async () => {
  const { code, stdout } = await wai(["size", "--effect", "0.05", "--base", "1.0"]);
  expect(code).toBe(2);
  expect(stdout).toContain("CEILING: the base is 1.00");
  expect(stdout).toContain("Use harder situations");
});

test("the tasks or the gain: one of them is the answer", async () => {
  const { code, stderr } = await wai(["size", "--tasks", "140", "--effect", "0.1"]);
  expect(code).toBe(3);
  expect(stderr).toContain("size got --tasks and --effect.");
});

test("rows at the ceiling size nothing, and the exit code says so", async () => {
  const file = written(folder()("solved.jsonl"), rollouts({ a: [1, 1], b: [1, 1] }));
  expect(await wai(["size", "--before", file])).toMatchObject({ code: 2, stderr: "" });
});

test("an error speaks of flags; files are taken by flag, and help says so", async () => {
  const path = folder();
  const file = written(path("before.jsonl"));
  const { stderr } = await wai([
    "size",
    "--before",
    file,
    "--after",
    written(path("after.jsonl"), rollouts({ x: [1] })),
  ]);
  expect(stderr).toContain("fix: Run both arms on the same tasks, or pass --task-std.");
  expect((await wai(["size", file])).stderr).toContain("takes files by flag");
  expect((await wai(["help", "size"])).stdout).toContain("usage  wai size [flags]");
});
