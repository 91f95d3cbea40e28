import { toWire } from "@while/schema";
import { type HoldoutSizeOptions, holdoutSize } from "@while/stats";
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
  [["BEFORE"], 0.05, { before: MIXED }],
  [["BEFORE", "AFTER", "--effect", "0.2"], 0.2, { before: MIXED, after: AFTER }],
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

test("rows at the ceiling size nothing, and the exit code says so", async () => {
  const file = written(folder()("solved.jsonl"), rollouts({ a: [1, 1], b: [1, 1] }));
  expect(await wai(["size", file])).toMatchObject({ code: 2, stderr: "" });
});

test("an error speaks of flags; a third file is refused; help says that files are optional", async () => {
  const path = folder();
  const file = written(path("before.jsonl"));
  const { stderr } = await wai(["size", file, written(path("after.jsonl"), rollouts({ x: [1] }))]);
  expect(stderr).toContain("fix: Run both arms on the same tasks, or pass --task-std.");
  expect((await wai(["size", file, file, file])).code).toBe(3);
  expect((await wai(["help", "size"])).stdout).toContain("usage  wai size [FILE...] [flags]");
});
