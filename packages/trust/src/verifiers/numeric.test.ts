import fc from "fast-check";
import { expect, test } from "vitest";
import { numeric } from "./numeric.ts";
import { readNumber } from "./read-number.ts";

test.each<[text: string, value: number | null]>([
  ["42", 42],
  ["-42", -42],
  ["−42", -42],
  ["x = -0.5", -0.5],
  [".5", 0.5],
  ["+3", 3],
  ["$1,234.50", 1234.5],
  ["-$5", -5],
  ["1,234,567", 1234567],
  ["1{,}234", 1234],
  ["1\\,234", 1234],
  ["1\u00a0234,5", 1234.5],
  ["1.234,56", 1234.56],
  ["1'234", 1234],
  ["3,14", 3.14],
  ["5e-3", 0.005],
  ["5 × 10^3", 5000],
  ["5 \\times 10^{-2}", 0.05],
  ["-3/4", -0.75],
  ["- 3/4", -0.75],
  ["\\frac{-3}{4}", -0.75],
  ["-\\dfrac34", -0.75],
  ["1 3/4", 1.75],
  ["-1 3/4", -1.75],
  ["1\\frac{3}{4}", 1.75],
  ["½", 0.5],
  ["2½", 2.5],
  ["3/4 of 12 is 9", 9],
  ["42 km", 42],
  ["42\\text{ cm}^2", 2],
  ["12 apples and 7 pears", 7],
  ["5-3", 3],
  ["x1 = 7", 7],
  ["version v2", null],
  ["2024/05", null],
  ["2024-05-17", null],
  ["17.05.2024", null],
  ["12/31/1999", null],
  ["at 12:30", null],
  ["ratio 3:1", null],
  ["1/0", null],
  ["none", null],
  ["", null],
])("readNumber(%j) is %j", (text, value) => expect(readNumber(text)?.value ?? null).toBe(value));

test.each([
  ["The answer is 42.", "42", 1],
  ["so \\boxed{\\frac{1}{2}}", "0.5", 1],
  ["= 1,234", "1234", 1],
  ["about 17", "7", 0],
  ["none", "3", 0],
  ["x", "abc", null],
  ["The answer is 3.14.", "3.14", 1],
  ["The answer is 3.14. I checked 5 times.", "3.14", 1],
  ["Answer: 50%", "0.5", 1],
  ["Answer: 50%", "50", 1],
  ["Answer: 50%", "50%", 1],
  ["Answer: 50%", "0.5%", 0],
  ["Answer: 0.5", "50%", 1],
  ["Answer: 1.2 million", "1200000", 1],
  ["Answer: 1.2 million", "1.2", 1],
  ["Answer: 1.2 million", "1.2 billion", 0],
  ["Answer: 2024/05", "404.8", 0],
  ["Answer: -3/4", "-0.75", 1],
  ["Answer: 3/4", "-0.75", 0],
  ["Answer: 1.234,5 euros", 1234.5, 1],
  ["Answer: 0.3333333", "1/3", 1],
  ["Answer: 0.333", "1/3", 0],
])("Numeric: %j against %j is %j", (final_text, answer, reward) => {
  expect(numeric()({ final_text, answer }).reward).toBe(reward);
});

test("the tolerance is the wider of tol and rel of the reference", () => {
  const reward = (final_text: string, options: object) => numeric(options)({ final_text, answer: 200 }).reward;
  expect(reward("201", { tol: 1 })).toBe(1);
  expect(reward("202", { tol: 1 })).toBe(0);
  expect(reward("202", { tol: 1, rel: 0.01 })).toBe(1);
  expect(reward("202.5", { tol: 1, rel: 0.01 })).toBe(0);
  expect(() => numeric({ tol: -1 })).toThrow("tol is -1.");
  expect(() => numeric({ rel: Number.NaN })).toThrow("rel is NaN.");
});

test("the number of a privileged key is in no reason", () => {
  expect(numeric()({ final_text: "17", privileged: { answer: "7" } }).reason).toBe("Numeric: got 17, want <reference>");
  expect(numeric()({ final_text: "17", answer: "7" }).reason).toBe("Numeric: got 17, want 7");
});

test("a number passes exactly where it is within the tolerance", () => {
  const value = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 64);
  fc.assert(
    fc.property(value, fc.integer({ min: -64, max: 64 }), fc.integer({ min: 0, max: 32 }), (want, off, tol) => {
      // Sixty-fourths are exact, so the edge of the tolerance is too.
      const { reward } = numeric({ tol: tol / 64 })({ final_text: `It is ${want + off / 64}`, answer: want });
      expect(reward).toBe(Math.abs(off) <= tol ? 1 : 0);
    }),
  );
});

test("a number is read whatever stands around it, and in time", () => {
  for (const text of ["1,".repeat(30_000), "1 ".repeat(30_000), "9".repeat(60_000), "1/".repeat(30_000)]) {
    expect(() => readNumber(text)).not.toThrow();
  }
});
