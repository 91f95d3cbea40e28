import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { compareRuns, holdoutSizeT, MersenneTwister } from "../src/index.ts";

// Agents whose chances are known, through the same code: do the numbers keep what they promise?

const TRIALS = 600;
const ROLLOUTS = 4;
/** Three standard errors of a share that should be `share`. */
const slack = (share: number): number => 3 * Math.sqrt((share * (1 - share)) / TRIALS);

/** Comparisons of two agents on n tasks: the chance of a task is uniform on 0.2 to 0.7, and the second's is higher. */
function comparisons(n: number, gain: number, inference: "strict" | "compat" = "strict") {
  const rng = new MersenneTwister(`${n} tasks, ${gain}`);
  return Array.from({ length: TRIALS }, () => {
    const chances = Array.from({ length: n }, () => 0.2 + 0.5 * rng.random());
    const arm = (more: number): Row[] =>
      chances.flatMap((chance, task) =>
        Array.from(
          { length: ROLLOUTS },
          (): Row => ({ task_id: `${task}`, reward: Number(rng.random() < chance + more) }),
        ),
      );
    return compareRuns(arm(0), arm(gain), { inference, nBoot: 200 });
  });
}

const shareOf = <T>(list: readonly T[], holds: (item: T) => boolean): number => list.filter(holds).length / list.length;

test.each([[6], [10], [30]])("equal agents on %i tasks are told apart in at most 5 of 100 comparisons", (n) => {
  const alarms = shareOf(comparisons(n, 0), ({ verdict }) => verdict.endsWith("_better"));
  expect(alarms).toBeLessThanOrEqual(0.05 + slack(0.05));
});

test("compat tells them apart more often than it says, on six tasks: why strict is the default", () => {
  const alarms = shareOf(comparisons(6, 0, "compat"), ({ verdict }) => verdict.endsWith("_better"));
  expect(alarms).toBeGreaterThan(0.05 + slack(0.05));
});

test.each([[10], [20]])("the interval on %i tasks holds a gain of 0.1 in 95 of 100 comparisons", (n) => {
  const held = shareOf(comparisons(n, 0.1), ({ ci95 }) => ci95![0] <= 0.1 && ci95![1] >= 0.1);
  expect(held).toBeGreaterThanOrEqual(0.95 - slack(0.95));
});

test("half of the tasks restated under other names: still at most 5 of 100", () => {
  const rng = new MersenneTwister("restated");
  const verdicts = Array.from({ length: TRIALS / 3 }, () => {
    const chances = Array.from({ length: 30 }, () => 0.2 + 0.5 * rng.random());
    const arm = (nameOf: (task: number) => string): Row[] =>
      chances.flatMap((chance, task) =>
        Array.from({ length: ROLLOUTS }, (): Row => ({ task_id: nameOf(task), reward: Number(rng.random() < chance) })),
      );
    return compareRuns(
      arm(String),
      arm((task) => (task % 2 ? `${task}` : `${task} in other words`)),
    ).verdict;
  });
  const alarms = shareOf(verdicts, (verdict) => verdict.endsWith("_better"));
  expect(alarms).toBeLessThanOrEqual(0.05 + slack(0.05) * Math.sqrt(3));
});

test("a set of the size that holdoutSizeT asks for proves its gain four times in five", () => {
  const gain = 0.16;
  // √(E[p(1-p)] + E[q(1-q)]) / √k for p uniform on 0.2 to 0.7 and q = p + gain
  const taskStd = Math.sqrt((0.45 - 0.2025 - 1 / 48 + 0.61 - 0.3721 - 1 / 48) / ROLLOUTS);
  const { nTasks, powerAtN } = holdoutSizeT(taskStd, gain);
  expect(nTasks).toBe(36);
  const found = shareOf(comparisons(nTasks, gain), ({ verdict }) => verdict === "b_better");
  expect(Math.abs(found - powerAtN)).toBeLessThanOrEqual(slack(0.8));
});
