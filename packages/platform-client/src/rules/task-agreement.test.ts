import fc from "fast-check";
import { expect, test } from "vitest";
import { rolloutAgreement, taskAgreement } from "./task-agreement.ts";

test.each([
  // n, passed, share of pairs alike
  [1, 1, null],
  [2, 1, 0],
  [2, 2, 1],
  [4, 2, 1 / 3],
  [4, 1, 1 / 2],
  [4, 0, 1],
  [8, 5, (10 + 3) / 28],
])("of %i rollouts %i pass: %f of the pairs are graded alike", (n, passed, share) => {
  const found = rolloutAgreement({ n, passed });
  if (share === null) expect(found).toBeNull();
  else expect(found).toBeCloseTo(share, 12);
});

test("every task counts once, and one without a repeat in nothing but the number of tasks", () => {
  const tasks = [
    { n: 4, passed: 4 },
    { n: 8, passed: 4 },
    { n: 1, passed: 0 },
  ];
  expect(taskAgreement(tasks)).toEqual({ tasks: 3, repeated: 2, unanimous: 1, agreement: (1 + 24 / 56) / 2 });
});

test("without a repeated task the agreement is null, and not 0", () => {
  expect(taskAgreement([{ n: 1, passed: 1 }])).toEqual({ tasks: 1, repeated: 0, unanimous: 0, agreement: null });
  expect(taskAgreement([])).toEqual({ tasks: 0, repeated: 0, unanimous: 0, agreement: null });
});

const grades = fc.integer({ min: 2, max: 60 }).chain((n) => fc.record({ n: fc.constant(n), passed: fc.nat(n) }));

test("it is the share of pairs, counted one by one, and the same with passes and failures exchanged", () => {
  fc.assert(
    fc.property(grades, ({ n, passed }) => {
      let alike = 0;
      for (let a = 0; a < n; a += 1) for (let b = a + 1; b < n; b += 1) alike += Number(a < passed === b < passed);
      const share = rolloutAgreement({ n, passed });
      expect(share).toBeCloseTo(alike / ((n * (n - 1)) / 2), 12);
      expect(rolloutAgreement({ n, passed: n - passed })).toBe(share);
    }),
  );
});
