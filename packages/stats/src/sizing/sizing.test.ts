import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { detectableEffect, detectableEffectClosed } from "./detectable-effect.ts";
import { evalPower } from "./eval-power.ts";
import { formatHoldoutSize } from "./format-holdout-size.ts";
import { type HoldoutSizeOptions, holdoutSize } from "./holdout-size.ts";
import { holdoutSizeT } from "./holdout-size-t.ts";
import { independenceRatio } from "./independence-ratio.ts";
import { mcnemarPower } from "./mcnemar-power.ts";
import { concentratedTaskSd, pairedTaskSd } from "./task-sd.ts";

/** A list of rewards a task. */
const rows = (tasks: readonly (readonly number[])[]): Row[] =>
  tasks.flatMap((rewards, i) => rewards.map((reward): Row => ({ task_id: `t${i}`, reward })));

const BEFORE = rows([
  [1, 0],
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 0],
  [1, 0],
  [0, 1],
]);
const AFTER = rows([
  [1, 1],
  [0, 1],
  [1, 1],
  [0, 1],
  [1, 1],
  [1, 0],
  [1, 0],
  [1, 1],
]);

const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
const k = fc.integer({ min: 1, max: 16 });

test("the t test asks for a little more than the normal formula, and its power is just above the wanted", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 0.8, noNaN: true }),
      fc.double({ min: 0.05, max: 0.6, noNaN: true }),
      (sd, effect) => {
        const { nTasks, nNormal, powerAtN } = holdoutSizeT(sd, effect);
        expect(nTasks).toBeGreaterThanOrEqual(nNormal);
        expect(nTasks).toBeLessThanOrEqual(nNormal + 4);
        expect(powerAtN).toBeGreaterThanOrEqual(0.8);
      },
    ),
  );
});

test("false alarms count for power, in both directions: a power below alpha takes no more tasks than any", () => {
  expect(holdoutSizeT(0.5, 0.05, { power: 0.01 })).toMatchObject({ nTasks: 2, nNormal: 2 });
  // 1,050 tasks shift the test by 0.324 of its standard errors: 5.1% on the side of the gain and 1.1% on the other.
  expect(holdoutSizeT(1, 0.01, { power: 0.051 }).powerAtN).toBeCloseTo(0.0622, 3);
});

test("a smaller gain, more power and a smaller alpha never take fewer tasks; more rollouts never more", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.02, max: 0.3, noNaN: true }),
      fc.double({ min: 0, max: 0.6, noNaN: true }),
      k,
      (effect, base, k) => {
        const { nTasks } = holdoutSize(effect, { base, k });
        expect(holdoutSize(effect * 0.9, { base, k }).nTasks).toBeGreaterThanOrEqual(nTasks);
        expect(holdoutSize(effect, { base, k, power: 0.9 }).nTasks).toBeGreaterThanOrEqual(nTasks);
        expect(holdoutSize(effect, { base, k, alpha: 0.01 }).nTasks).toBeGreaterThanOrEqual(nTasks);
        expect(holdoutSize(effect, { base, k: k + 1 }).nTasks).toBeLessThanOrEqual(nTasks);
      },
    ),
    // Five sizings each: a hundred of them outlast a busy machine.
    { numRuns: 30 },
  );
});

test("detectableEffect is the gain whose size is that many tasks", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 20, max: 2000 }),
      fc.double({ min: 0.1, max: 0.7, noNaN: true }),
      k,
      (nTasks, base, k) => {
        const effect = detectableEffectClosed(nTasks, { base, k })!;
        fc.pre(effect < 1 - base);
        const { nTasks: sized } = holdoutSize(effect, { base, k, inference: "compat" });
        expect(Math.abs(sized - nTasks)).toBeLessThanOrEqual(1);
      },
    ),
  );
});

test("a base of 0 is no perfect set: 54 tasks resolve 3.5 points", () => {
  expect(detectableEffect(54, { base: 0 })).toBe(0.0351);
  expect(detectableEffect(54, { base: 1 })).toBe(0);
});

test("neither the order of rows nor a second copy of the run's tasks under other names changes what a task's spread is", () => {
  const turned = [...BEFORE].reverse();
  expect(holdoutSize(0.1, { before: turned, after: [...AFTER].reverse() })).toEqual(
    holdoutSize(0.1, { before: BEFORE, after: AFTER }),
  );
});

test("k is the harmonic mean: one short task does not halve it", () => {
  const uneven = rows([...Array.from({ length: 9 }, () => [1, 0, 1, 0]), [1]]);
  expect(holdoutSize(0.1, { before: uneven }).k).toBeCloseTo(10 / (9 / 4 + 1), 12);
  expect(holdoutSize(0.1, { before: uneven, inference: "compat" }).k).toBe(1);
});

test("rows without a task are no pair", () => {
  const nameless: Row[] = [{ reward: 1 }, { reward: 0 }, { reward: 1 }];
  expect(() => holdoutSize(0.1, { before: nameless, after: nameless })).toThrow("share 0 graded tasks");
});

test.each([
  [0, {}, "The effect is 0."],
  [0.05, { power: 1 }, "power is 1."],
  [0.05, { alpha: Number.NaN }, "alpha is NaN."],
  [0.05, { taskStd: 0 }, "taskStd is 0."],
  [0.05, { k: 2.5 }, "k is 2.5."],
  [0.05, { base: 1.2 }, "The base pass rate is 1.2."],
  [0.3, { base: 0.9 }, "A gain of 0.3 does not fit above a pass rate of 0.90."],
  [0.05, { after: [] }, "after was given without before."],
  [0.05, { before: [{ task_id: "a", reward: 0.5 }] }, "Grade the rows first"],
  [0.05, { rows: [] }, "There is no option rows."],
])("holdoutSize(%d, %j) is refused", (effect, options, message) => {
  expect(() => holdoutSize(effect, options as HoldoutSizeOptions)).toThrow(message);
});

test("no number of a report is NaN", () => {
  const anyRows = fc
    .array(fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
    .map(rows);
  const inference = fc.constantFrom("strict" as const, "compat" as const);
  fc.assert(
    fc.property(anyRows, inference, (before, inference) => {
      for (const report of [
        holdoutSize(0.05, { before, inference, ceilingPassRate: 0.9 }),
        evalPower(before, { inference }),
      ]) {
        JSON.stringify(report, (_, value) => {
          if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
          return value;
        });
      }
    }),
  );
});

test("a gain in few tasks is never easier to see than one that all share", () => {
  fc.assert(
    fc.property(share, share, k, (base, effect, k) => {
      fc.pre(base + effect <= 1);
      expect(concentratedTaskSd(base, effect, k)).toBeGreaterThanOrEqual(pairedTaskSd(base, effect, k) - 1e-12);
    }),
  );
});

test("the independence ratio is 1 where tasks are alike and grows with their spread", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.2, noNaN: true }), (spread) => {
      const ratio = (by: number) => independenceRatio([0.5 - by, 0.5 + by])!;
      expect(ratio(spread)).toBeGreaterThanOrEqual(1);
      expect(ratio(spread + 0.1)).toBeGreaterThan(ratio(spread));
    }),
  );
});

test("McNemar's power: its size is at most alpha, direction does not matter, more tasks help", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 120 }), fc.double({ min: 0, max: 0.5, noNaN: true }), (n, p) => {
      expect(mcnemarPower(n, p, p)).toBeLessThanOrEqual(0.05);
    }),
  );
  expect(mcnemarPower(50, 0.2, 0.05)).toBeCloseTo(mcnemarPower(50, 0.05, 0.2), 12);
  expect(mcnemarPower(200, 0.05, 0.2)).toBeGreaterThan(mcnemarPower(50, 0.05, 0.2));
  expect([mcnemarPower(0, 0.1, 0.2), mcnemarPower(40, 0, 0), mcnemarPower(5, 0, 1)]).toEqual([0, 0, 0]);
  expect(mcnemarPower(6, 0, 1)).toBeCloseTo(1, 12);
  expect(() => mcnemarPower(10, 0.7, 0.7)).toThrow("p10 is 0.7 and p01 is 0.7.");
});

test("evalPower says why in a sentence and what to do in another", () => {
  expect(evalPower([])).toMatchObject({
    verdict: "empty",
    nNeeded: null,
    warnings: ["no row is graded 0 or 1: grade the rows first"],
  });
  expect(
    evalPower(
      rows([
        [0, 0],
        [0, 0],
      ]),
    ),
  ).toMatchObject({ verdict: "floored", reason: "all 2 tasks fail every rollout" });
  expect(
    evalPower(
      rows([
        [1, 1],
        [1, 1],
      ]),
    ),
  ).toMatchObject({ verdict: "saturated", nNeeded: null });
  expect(evalPower(BEFORE)).toMatchObject({
    verdict: "underpowered",
    inBand: 5,
    warnings: ["8 tasks: proves 42.4% at best, and 5.0% was asked for: add tasks, 781 in all"],
  });
  expect(evalPower(BEFORE, { effect: 0.5 }).verdict).toBe("usable");
  expect(evalPower(rows([[1], [0]])).notes).toEqual([
    "one rollout a task: whether a task can move either way cannot be read",
  ]);
});

test("the printed block", () => {
  expect(formatHoldoutSize(holdoutSize(0.05))).toBe(
    [
      "369 tasks to prove a gain of 5.0% (power 80%, alpha 0.05)",
      "  base 0.60, 4 rollouts a task; a task's difference has std 0.342, modelled; interval ±0.035",
      "  a model: arms that share the tasks and nothing else, and every task gaining alike from a base of 0.60; 411 tasks " +
        "if the gain sits in few tasks. Measure instead: pass rows of both arms (before, after), or taskStd",
    ].join("\n"),
  );
  expect(formatHoldoutSize(holdoutSize(0.1, { before: BEFORE, after: AFTER }))).toBe(
    [
      "55 tasks to prove a gain of 10.0% (power 80%, alpha 0.05)",
      "  base 0.44, 2 rollouts a task; a task's difference has std 0.259, measured on both arms; interval ±0.070",
      "  the spread of a task's difference is measured, on 8 paired tasks",
    ].join("\n"),
  );
  const [first, , warning] = formatHoldoutSize(
    holdoutSize(0.1, {
      before: rows([
        [1, 1],
        [1, 1],
      ]),
    }),
  ).split("\n");
  expect(first).toBe(
    "not sized by what was given, by a model 179 tasks to prove a gain of 10.0% (power 80%, alpha 0.05)",
  );
  expect(warning).toMatch(/^ {2}CEILING: the base is 1.00, so this suite cannot show a gain of 0.1;/);
});

test("guards are sized at alpha divided by their number", () => {
  const { nTasks, nTasksGuards } = holdoutSize(0.05, { guards: 4 });
  expect(nTasksGuards).toBe(holdoutSize(0.05, { alpha: 0.0125 }).nTasks);
  expect(nTasksGuards!).toBeGreaterThan(nTasks);
  expect(holdoutSize(0.05, { guards: 1 })).toMatchObject({ nTasks, nTasksGuards: nTasks });
  expect(holdoutSize(0.05).nTasksGuards).toBeNull();
});

test.each([-1, 0.5, Number.NaN])("%d guards are refused", (guards) => {
  expect(() => holdoutSize(0.05, { guards })).toThrow(`guards is ${guards}.`);
});
