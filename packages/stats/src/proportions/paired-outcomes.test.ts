import fc from "fast-check";
import { expect, test } from "vitest";
import { bonettPrice } from "./bonett-price.ts";
import { mcnemarExact } from "./mcnemar-exact.ts";
import { stratifiedExactTest, type TaskCounts } from "./stratified-exact-test.ts";

const SLACK = 1e-12;
const count = fc.nat(40);
const task = fc
  .tuple(fc.nat(5), fc.nat(5))
  .chain(([nBefore, nAfter]) => fc.tuple(fc.nat(nBefore), fc.constant(nBefore), fc.nat(nAfter), fc.constant(nAfter)));
const turn = ([a, nA, b, nB]: TaskCounts): TaskCounts => [b, nB, a, nA];

test("one rollout a task: the stratified test is McNemar's, and unchanged tasks say nothing", () => {
  fc.assert(
    fc.property(count, count, count, (worse, better, same) => {
      const tasks: TaskCounts[] = [
        ...Array.from({ length: worse }, () => [1, 1, 0, 1] as const),
        ...Array.from({ length: better }, () => [0, 1, 1, 1] as const),
        ...Array.from({ length: same }, () => [1, 1, 1, 1] as const),
      ];
      const { pExact, pMid, nInformative } = stratifiedExactTest(tasks);
      const mcnemar = mcnemarExact(worse, better);
      expect(pExact).toBeCloseTo(mcnemar.pExact, 12);
      expect(pMid).toBeCloseTo(mcnemar.pMid, 12);
      expect(nInformative).toBe(worse + better);
    }),
  );
});

test("the direction does not matter, the order of tasks does not matter, and mid-p is the smaller", () => {
  fc.assert(
    fc.property(fc.array(task, { maxLength: 12 }), (tasks) => {
      const { pExact, pMid } = stratifiedExactTest(tasks);
      const turned = stratifiedExactTest([...tasks].reverse().map(turn));
      expect(turned.pExact).toBeCloseTo(pExact, 12);
      expect(turned.pMid).toBeCloseTo(pMid, 12);
      expect(pMid).toBeLessThanOrEqual(pExact + SLACK);
      expect(pMid).toBeGreaterThanOrEqual(0);
      expect(pExact).toBeLessThanOrEqual(1);
    }),
  );
});

test("far tails keep their digits: 400 tasks that all turn good are 2/2^400", () => {
  const { pExact } = stratifiedExactTest(Array.from({ length: 400 }, () => [0, 1, 1, 1] as const));
  expect(pExact / (2 / 2 ** 400)).toBeCloseTo(1, 10);
  expect(mcnemarExact(0, 400).pExact / (2 / 2 ** 400)).toBeCloseTo(1, 10);
});

test("nothing that could differ has p 1", () => {
  expect(stratifiedExactTest([])).toEqual({ pExact: 1, pMid: 1, nInformative: 0 });
  expect(stratifiedExactTest([[4, 4, 4, 4]])).toEqual({ pExact: 1, pMid: 1, nInformative: 0 });
  expect(mcnemarExact(0, 0)).toEqual({ pExact: 1, pMid: 1 });
});

test("bonettPrice turns with the sides, lies in [-1, 1] and is no point", () => {
  fc.assert(
    fc.property(fc.record({ n11: count, n10: count, n01: count, n00: count }), (outcomes) => {
      const change = bonettPrice(outcomes);
      if (change === null) return;
      const { delta, ci95 } = change;
      expect(ci95[0]).toBeGreaterThanOrEqual(-1);
      expect(ci95[1]).toBeLessThanOrEqual(1);
      expect(ci95[1] - ci95[0]).toBeGreaterThan(0);
      const turned = bonettPrice({ ...outcomes, n10: outcomes.n01, n01: outcomes.n10 })!;
      expect(turned.delta).toBeCloseTo(-delta, 12);
      expect(turned.ci95[0]).toBeCloseTo(-ci95[1], 12);
    }),
  );
  expect(bonettPrice({ n11: 0, n10: 0, n01: 0, n00: 0 })).toBeNull();
});

test("counts are checked", () => {
  expect(() => mcnemarExact(-1, 2)).toThrow("-1 tasks worse and 2 tasks better");
  expect(() => bonettPrice({ n11: 1, n10: 0.5, n01: 0, n00: 0 })).toThrow("n10 0.5");
  expect(() => stratifiedExactTest([[3, 2, 1, 2]])).toThrow("3 successes of 2");
});
