import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { written } from "./rollouts.ts";
import { folder, wai } from "./terminal.ts";

const SITUATION = "A customer asks for a refund of an order that arrived broken and has lost the receipt";
/** Sixteen tasks that differ, and one of them again under another id in a few other words. */
const rowsOf = (reworded: boolean) =>
  Array.from({ length: 16 }, (_, i) => ({
    ...{ task_id: `t${i}`, final_text: "so", reward: i % 2 },
    prompt:
      reworded && i < 8 ? `${SITUATION}${i % 2 === 0 ? "" : "!"}` : `${"abcdefghijklmnop"[i]!.repeat(12 + i)} ${i}`,
  }));
const tasksIn = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).task_id);

test("wai split: no task on both sides, and one situation under two ids is named", async () => {
  const path = folder();
  const { code, stdout } = await wai(["split", written(path("a.jsonl"), rowsOf(true)), "--holdout", "0.5"]);
  expect(code).toBe(0);
  const [train, holdout] = [tasksIn(path("a.train.jsonl")), tasksIn(path("a.holdout.jsonl"))];
  expect([...train, ...holdout].sort()).toEqual(
    rowsOf(true)
      .map(({ task_id }) => task_id)
      .sort(),
  );
  expect(stdout).toMatch(/\n! \d of \d+ held-out prompts read like a training prompt of another task /);
  expect(stdout).toMatch(
    /\n {2}(1\.00|0\.9\d) {2}held out t\d: A customer asks .*\n {8}train {4}t\d: A customer asks /,
  );
});

test("where nothing is alike nothing is said, and --json has the count", async () => {
  const path = folder();
  const file = written(path("a.jsonl"), rowsOf(false));
  expect((await wai(["split", file, "--holdout", "0.5"])).stdout).not.toContain("!");
  const { stdout } = await wai(["split", file, "--holdout", "0.5", "--json"]);
  expect(JSON.parse(stdout).near_duplicates).toMatchObject({ scope: "between", n_prompts_involved: 0 });
});

test("--exact meets the share, --together keeps a column on one side, --salt draws others", async () => {
  const path = folder();
  const file = written(
    path("a.jsonl"),
    rowsOf(false).map((row, i) => ({ ...row, persona: `p${i % 4}` })),
  );
  const split = async (...flags: string[]) => {
    expect(await wai(["split", file, "--holdout", "0.25", ...flags])).toMatchObject({ code: 0 });
    return tasksIn(path("a.holdout.jsonl"));
  };
  const exact = await split("--exact");
  expect(exact).toHaveLength(4);
  expect(await split("--exact", "--salt", "b")).not.toEqual(exact);
  const apart = await split("--exact", "--together", "persona");
  expect(new Set(apart.map((task) => Number(task.slice(1)) % 4)).size).toBe(1);
  const { code, stderr } = await wai(["split", file, "--holdout", "0.25", "--together", "persno"]);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^error: --together names persno, and no row has it\.\nfix: /);
});

test("a share that holds nothing out writes nothing", async () => {
  const path = folder();
  const one = rowsOf(false).slice(0, 1);
  const { code, stdout } = await wai(["split", written(path("a.jsonl"), one), "--holdout", "0.01"]);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^held out 0 of 1 tasks/);
  expect(existsSync(path("a.train.jsonl"))).toBe(false);
});
