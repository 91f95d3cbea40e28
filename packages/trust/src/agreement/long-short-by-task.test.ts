import { tCdf } from "@while/stats";
import fc from "fast-check";
import { expect, test } from "vitest";
import { longShortByTask, type SidedVerdict } from "./long-short-by-task.ts";

/** `"a+L"`: task a, passed, long. */
function sided(...rows: string[]): SidedVerdict[] {
  return rows.map((row) => ({
    task: row[0]!,
    judge: row[1] === "+" ? 1 : (0 as const),
    isLong: row[2] === "L",
  }));
}

test("the score of a task is what its rows add to the excess of passed long replies", () => {
  // Half are long and half pass: each row scores 1/4 where the two go together, else -1/4. a: 2/4, b: 1/4 + 1/4, c: 0.
  const rows = sided("a+L", "a-S", "b+L", "b-S", "c+S", "c+L", "c-L", "c-S");
  const t = 1 / Math.sqrt(((0.5 ** 2 + 0.5 ** 2) * 3) / 2);
  expect(longShortByTask([rows])).toBeCloseTo(2 * tCdf(-t, 2), 12);
  expect(longShortByTask([rows])).toBeCloseTo(2 * tCdf(-1.154701, 2), 6);
});

test("where no task has two rows the rows are the draws already", () => {
  expect(longShortByTask([sided("a+L", "b-S", "c+L")])).toBeNull();
  expect(longShortByTask([])).toBeNull();
});

test("one task, or verdicts that are all alike, say nothing", () => {
  expect(longShortByTask([sided("a+L", "a-S", "a+L")])).toBeNull();
  expect(longShortByTask([sided("a+L", "a+S", "b+L")])).toBeNull();
});

test("copies of a rollout say nothing new, whatever their number", () => {
  const once = sided("a+L", "b-S", "c+L", "d-L", "e+S", "f+L", "g-S");
  const times = (n: number) => longShortByTask([once.flatMap((row) => Array.from({ length: n }, () => row))]);
  expect(times(2)).toBeCloseTo(times(9)!, 12);
  expect(times(2)).toBeGreaterThan(0.05);
});

test("neither the order of rows nor which length is called long matters", () => {
  const row = fc.record({
    task: fc.constantFrom("a", "b", "c", "__proto__"),
    judge: fc.constantFrom<0 | 1>(0, 1),
    isLong: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.array(row, { maxLength: 30 }), (pass, fail) => {
      const p = longShortByTask([pass, fail]);
      const turned = (rows: SidedVerdict[]) => [...rows].reverse().map((one) => ({ ...one, isLong: !one.isLong }));
      const other = longShortByTask([turned(pass), turned(fail)]);
      expect(other === null).toBe(p === null);
      expect(other ?? 1).toBeCloseTo(p ?? 1, 9);
      expect(p ?? 0).toBeGreaterThanOrEqual(0);
      expect(p ?? 1).toBeLessThanOrEqual(1);
    }),
  );
});
