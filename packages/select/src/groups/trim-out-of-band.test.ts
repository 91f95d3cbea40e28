import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { outsideBand, trimOutOfBand } from "./trim-out-of-band.ts";

test.each([
  // rate, n, side
  [0.2, 5, null],
  [0.8, 5, null],
  [1 / 8, 8, "too_hard"],
  [7 / 8, 8, "too_easy"],
  [0, 8, null],
  [1, 8, null],
  [0.1, 1, null],
  [0.1, null, "too_hard"],
] as const)("a rate of %d over %s rollouts lies %s", (rate, n, side) => {
  expect(outsideBand({ rate, n }, [0.2, 0.8])).toBe(side);
});

test("an edge reached in another way than the constant is still inside", () => {
  expect(outsideBand({ rate: 0.1 + 0.2, n: 10 }, [0, 0.3])).toBeNull();
});

test.each([
  [0.8, 0.2],
  [-0.1, 0.5],
  [0.5, 1.1],
  [Number.NaN, 0.5],
])("the band %d to %d is refused", (lo, hi) => {
  expect(() => trimOutOfBand([], { lo, hi })).toThrow(SelectError);
});

test("labels win over a stamp", () => {
  const labelled: Row[] = [0, 1].map((reward) => ({ task_id: "a", reward, pass_rate: 0.95, n: 20 }));
  expect(trimOutOfBand(labelled).report).toMatchObject({ nDropped: 0, fromRates: 0 });
});

test("every kept task with both outcomes is inside the band", () => {
  const groups = fc.array(fc.array(fc.constantFrom(0, 1), { maxLength: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(groups, (given) => {
      const rows = given.flatMap((rewards, i) => rewards.map((reward) => ({ task_id: `t${i}`, reward })));
      const { rows: kept, report } = trimOutOfBand(rows);
      expect(report.nKept + report.nDropped).toBe(report.n);
      for (const [i, rewards] of given.entries()) {
        const rate = rewards.reduce<number>((sum, reward) => sum + reward, 0) / rewards.length;
        const nKept = kept.filter((row) => row.task_id === `t${i}`).length;
        const stays = rewards.length < 2 || rate === 0 || rate === 1 || (rate >= 0.2 && rate <= 0.8);
        expect(nKept).toBe(stays ? rewards.length : 0);
      }
    }),
  );
});
