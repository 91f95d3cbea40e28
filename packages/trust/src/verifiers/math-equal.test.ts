import fc from "fast-check";
import { expect, test } from "vitest";
import { mathEqual } from "./math-equal.ts";

const reward = (final_text: string, answer: string) =>
  mathEqual()({ final_text: `\\boxed{${final_text}}`, answer }).reward;

test.each([
  // numbers
  ["0.5", "\\frac{1}{2}", 1],
  ["\\dfrac12", "0.5", 1],
  ["-\\frac{3}{4}", "\\frac{-3}{4}", 1],
  ["-\\frac{3}{4}", "\\frac{3}{4}", 0],
  ["-3/4", "-.75", 1],
  ["1\\frac{1}{2}", "\\frac{3}{2}", 1],
  ["1 1/2", "1.5", 1],
  ["1,234", "1234", 1],
  ["1{,}234", "1,234", 1],
  ["1234", "1235", 0],
  ["0.333", "\\frac{1}{3}", 0],
  ["0.3333333333333333", "1/3", 0],
  ["3.14", "\\pi", 0],
  ["3.14159265358979", "\\pi", 1],
  ["2^{10}", "1024", 1],
  ["2^{1000}+1", "2^{1000}", 0],
  ["10^{100}", "10^{100}+1", 0],
  ["5!", "120", 1],
  ["\\binom{5}{2}", "10", 1],
  ["50\\%", "0.5", 1],
  ["50\\%", "50", 1],
  ["50\\%", "5\\%", 0],
  ["\\$5", "5", 1],
  ["x = 5", "5", 1],
  ["5", "x=5", 1],
  ["x = 4", "5", 0],
  ["101_2", "101", 1],
  ["101_2", "101_3", 0],
  // units
  ["5\\text{ cm}", "5", 1],
  ["5\\text{ cm}", "5 cm", 1],
  ["5\\text{ cm}", "5\\text{ km}", 0],
  ["12\\text{ cm}^2", "12 cm^2", 1],
  ["90^\\circ", "90", 1],
  ["90°", "91^{\\circ}", 0],
  ["60 km/h", "60", 1],
  ["5 apples", "5", 1],
  ["20^\\circ C", "20", 1],
  // roots and powers
  ["\\frac{\\sqrt{2}}{2}", "\\frac{1}{\\sqrt{2}}", 1],
  ["2\\sqrt{3}", "\\sqrt{12}", 1],
  ["2√3", "\\sqrt{12}", 1],
  ["sqrt(12)", "2\\sqrt3", 1],
  ["\\sqrt[3]{8}", "2", 1],
  ["(-8)^{1/3}", "-2", 1],
  ["\\sqrt{-4}", "2i", 1],
  ["3+4i", "4i + 3", 1],
  ["3+4i", "3-4i", 0],
  ["e^{i\\pi}", "-1", 1],
  ["x²", "x^2", 1],
  ["2^-1", "0.5", 1],
  ["-2^2", "-4", 1],
  // formulas
  ["(x+1)^2", "x^2+2x+1", 1],
  ["(x+1)^2", "x^2+1", 0],
  ["x(x-1)/2", "\\frac{x^2-x}{2}", 1],
  ["\\sin^2 x + \\cos^2 x", "1", 1],
  ["\\sin 2x", "2\\sin x\\cos x", 1],
  ["\\tan^{-1} x", "\\arctan(x)", 1],
  ["\\ln(e^3)", "3", 1],
  ["\\log_2 8", "3", 1],
  ["\\log 100", "2", null],
  ["\\log 100", "2\\log 10", 1],
  ["\\log 100", "7", 0],
  ["|x|", "\\sqrt{x^2}", 1],
  ["x", "\\sqrt{x^2}", 0],
  ["|x-1| + |y|", "|y|+|1-x|", 1],
  ["\\lfloor 2.7 \\rfloor", "2", 1],
  ["a_1 + a_2", "a_2 + a_1", 1],
  ["a_1", "a_2", 0],
  ["\\alpha\\beta", "\\beta \\alpha", 1],
  ["\\frac{x^2-1}{x-1}", "x+1", 1],
  ["n!(n+1)", "(n+1)!", 1],
  // equations and inequalities
  ["y = 2x+1", "y=1+2x", 1],
  ["2x + 2y = 6", "x+y-3=0", 1],
  ["x + y = 4", "x+y=3", 0],
  ["f(x) = 2x", "2x", 1],
  ["3 > x", "x < 3", 1],
  ["x \\le 3", "x < 3", 0],
  ["x > 3", "(3, \\infty)", 1],
  ["1 < x \\leq 2", "(1, 2]", 1],
  ["x \\in [1,2]", "[1,2]", 1],
  ["x \\ne 2", "2 \\neq x", 1],
  // points, intervals, sets, matrices
  ["(1, 2)", "(1,2)", 1],
  ["(1, 2)", "(2,1)", 0],
  ["(1,234)", "1234", 0],
  ["[1, 2)", "[1, 2]", 0],
  ["\\left(\\frac12, \\infty\\right)", "(0.5, \\infty)", 1],
  ["(-\\infty, 1) \\cup (2, \\infty)", "(2,\\infty)\\cup(-\\infty,1)", 1],
  ["(-\\infty, 1)", "(\\infty, 1)", 0],
  ["\\{1, 2, 3\\}", "\\{3,2,1\\}", 1],
  ["\\{1, 1, 2\\}", "\\{1,2\\}", 1],
  ["{1, 2}", "\\{2, 1\\}", 1],
  ["\\{1, 2\\}", "\\{1,2,3\\}", 0],
  ["1, 2", "2, 1", 1],
  ["1 and 2", "1,2", 1],
  ["x = 1 \\text{ or } x = 2", "1, 2", 1],
  ["1, 1, 2", "1, 2", 0],
  ["2 \\pm \\sqrt{3}", "2-\\sqrt3, 2+\\sqrt3", 1],
  ["\\emptyset", "\\{\\}", 1],
  ["\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{bmatrix} 1 & 2 \\\\ 3 & 4 \\\\ \\end{bmatrix}", 1],
  ["\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", "\\begin{pmatrix}1&3\\\\2&4\\end{pmatrix}", 0],
  ["[[1,2],[3,4]]", "\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}", 1],
  ["\\begin{pmatrix}1\\\\2\\end{pmatrix}", "(1,2)", 1],
  // words
  ["\\text{even}", "even", 1],
  ["\\text{Even}", "odd", 0],
  ["no solution", "No solution.", 1],
  ["yes", "\\text{yes}", 1],
  // outside of the grammar
  ["\\int_0^1 x\\,dx", "\\frac12", null],
  ["\\int_0^1 x\\,dx", "\\int_0^1 x dx", 1],
  ["5", "\\sum_{i=1}^n i", null],
  ["1/0", "5", 0],
  ["2024-05-17", "17 May 2024", null],
  ["((((", "1", null],
])("MathEqual: %s against %s is %j", (got, want, verdict) => expect(reward(got, want)).toBe(verdict));

test("the answer is found in the reply, and a reply without one scores 0", () => {
  const verdict = (final_text: string, answer: string) => mathEqual()({ final_text, answer });
  expect(verdict("We get $x^2$. The answer is $\\frac{1}{2}$.", "\\boxed{0.5}").reward).toBe(1);
  expect(verdict("#### 1,234", "1234").reward).toBe(1);
  expect(verdict("", "5")).toMatchObject({ reward: 0, reason: "MathEqual: no answer in the reply" });
  expect(verdict("so 6", "\\int x")).toMatchObject({ reward: null, reason: "MathEqual: cannot read the reference" });
  expect(mathEqual()({ final_text: "#### 6", privileged: { answer: "5" } }).reason).toBe(
    "MathEqual: got 6, want <reference>",
  );
});

/** Expressions in LaTeX, of numbers, variables and what joins them. */
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthIdentifier: "math" },
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.constantFrom("x", "y", "\\pi", "2.5"),
    fc.tuple(tie("node"), fc.constantFrom("+", "-", "\\cdot "), tie("node")).map(([a, op, b]) => `(${a}${op}${b})`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `\\frac{${a}}{${b}}`),
    tie("node").map((a) => `(${a})^{2}`),
    tie("node").map((a) => `\\sin(${a})`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `\\left[${a}, ${b}\\right]`),
  ),
})).node;

test("an answer never fails against itself, and two answers are judged the same from either side", () => {
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      expect(reward(a, a)).toBe(1);
      // Spelled apart, so that the sameness of the text does not decide.
      expect(reward(`(${a})`, a)).not.toBe(0);
      expect(reward(a, b)).toBe(reward(b, a));
    }),
    { numRuns: 300 },
  );
});

test("fractions are told apart exactly, however near", () => {
  const big = fc.bigInt({ min: 1n, max: 10n ** 40n });
  fc.assert(
    fc.property(big, big, (a, b) => {
      expect(reward(`\\frac{${a}}{${b}}`, `${a * 3n}/${b * 3n}`)).toBe(1);
      expect(reward(`\\frac{${a}}{${b}}`, `\\frac{${a * 3n + 1n}}{${b * 3n}}`)).toBe(0);
    }),
  );
});

test("whatever a reply holds, there is a verdict, and soon", () => {
  const parts = [
    "{",
    "}",
    "(",
    "\\frac",
    "^",
    "_",
    "\\sqrt",
    "9",
    "x",
    "|",
    "!",
    ",",
    "\\left",
    "\\begin{matrix}",
    "&",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 40 }), (pieces) => {
      expect([0, 1, null]).toContain(reward(pieces.join(""), "7"));
    }),
    { numRuns: 500 },
  );
  for (const text of [
    "(".repeat(3000),
    "9^".repeat(1900) + 9,
    "1000!".repeat(600),
    "x^".repeat(1000),
    "2+".repeat(1999) + 1,
  ]) {
    expect([0, null]).toContain(reward(text, "7"));
  }
  const nested = (k: number, leaf: string): string =>
    k === 0
      ? leaf
      : `\\{${Array.from({ length: 11 }, (_, i) => nested(k - 1, `${leaf}_${(i * 7) % 11}`)).join(",")}\\}`;
  expect([0, null]).toContain(reward(nested(2, "x"), nested(2, "y")));
  expect(reward("9^{9^{9^9}}", "9^{9^{9^{10}}}")).toBeNull();
});
