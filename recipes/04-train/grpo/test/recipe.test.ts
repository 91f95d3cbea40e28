import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MersenneTwister } from "@while/stats";
import { expect, test } from "vitest";
import { ASKS } from "../desk.ts";
import { act, BASE, klFromBase, type Policy, step } from "../policy.ts";

const recipe = fileURLToPath(new URL("..", import.meta.url));

test("the recipe prints what expected.txt says, also the second time", async () => {
  const expected = readFileSync(join(recipe, "expected.txt"), "utf8");
  for (let time = 1; time <= 2; time += 1) {
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(expected);
  }
  const tasks = readFileSync(join(recipe, "out", "grpo.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
  expect(tasks.map((line) => Object.keys(JSON.parse(line))).every((keys) => keys.includes("prompt"))).toBe(true);
}, 300_000);

function run(): Promise<{ code: number; stdout: string; stderr: string }> {
  const argv = ["--conditions", "@while/source", "--import", "tsx", "recipe.ts"];
  const env = { ...process.env, INIT_CWD: recipe };
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: recipe, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** Share of rollouts over all asks that look. */
function looks(policy: Policy): number {
  const dice = new MersenneTwister(1);
  const rollouts = ASKS.flatMap((ask) => Array.from({ length: 20 }, () => act(policy, ask, dice)));
  return rollouts.filter((acts) => acts.looks).length / rollouts.length;
}

test.each([
  ["for looking", "more", (looked: boolean) => (looked ? 1 : 0)],
  ["against looking", "less", (looked: boolean) => (looked ? 0 : 1)],
  ["alike for everything", "as often", () => 1],
])("a reward %s teaches to look %s", (_what, more, reward) => {
  const dice = new MersenneTwister(2);
  let policy = BASE;
  for (let at = 0; at < 60; at++) {
    const groups = ASKS.slice(at % 80, (at % 80) + 8).map((ask) => {
      const acts = Array.from({ length: 8 }, () => act(policy, ask, dice));
      return { ask, acts, rewards: acts.map(({ looks: looked }) => reward(looked)) };
    });
    policy = step(policy, groups);
  }
  const change = looks(policy) - looks(BASE);
  if (more === "more") expect(change).toBeGreaterThan(0.15);
  else if (more === "less") expect(change).toBeLessThan(-0.15);
  else expect(policy).toEqual(BASE);
});

test("the KL from the base is 0 at the base, and grows with the distance", () => {
  const further = (by: number): Policy => ({ ...BASE, looks: BASE.looks.map((weight) => weight + by) });
  expect(klFromBase(BASE, ASKS)).toBe(0);
  expect(klFromBase(further(0.5), ASKS)).toBeGreaterThan(0);
  expect(klFromBase(further(1), ASKS)).toBeGreaterThan(klFromBase(further(0.5), ASKS));
});
