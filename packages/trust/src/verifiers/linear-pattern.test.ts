import fc from "fast-check";
import { expect, test } from "vitest";
import { linearPattern } from "./linear-pattern.ts";

const PATTERNS: readonly (readonly [pattern: string, flags: string])[] = [
  ["", ""],
  ["a", ""],
  ["a|b|", ""],
  ["^a*$", ""],
  ["(a|ab)(c|bcd)(d*)$", ""],
  ["(?:a{2,3}b?){2}", ""],
  ["a{0}b", ""],
  ["x{2,}", ""],
  ["(?<year>\\d{4})-\\d\\d", ""],
  ["\\bcat\\b", "i"],
  ["\\Bat", ""],
  ["[^\\]a-c]+[\\d-]", ""],
  ["^b$", "m"],
  ["a.c", ""],
  ["a.c", "s"],
  ["\\u{1F600}|\\uD83D\\uDE01|\\x41\\t", ""],
  ["\\p{Lu}\\P{L}", "u"],
  ["(a*)*b", ""],
  ["((a?){3}){2}$", ""],
  ["(?:a|(?:b|c)+?d)*?e", ""],
];

test("a pattern has a match exactly where JavaScript finds one", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."aabbccdex1 -2]\nA😀😁\t.cat"), maxLength: 14 });
  fc.assert(
    fc.property(fc.constantFrom(...PATTERNS), letters, ([pattern, flags], text) => {
      const native = new RegExp(pattern, flags.includes("u") ? flags : `${flags}u`);
      expect(linearPattern(pattern, flags).test(text)).toBe(native.test(text));
    }),
    { numRuns: 4000 },
  );
});

test("a pattern on which JavaScript would not end is answered", () => {
  const text = `${"a".repeat(5000)}!`;
  for (const pattern of ["(a+)+$", "(a|aa)+$", "^(.*a){20}$", "(.*)*x", "a*a*a*a*a*b"]) {
    expect(linearPattern(pattern).test(text)).toBe(false);
  }
});

test.each([
  ["(?=a)b", "The pattern looks ahead or behind"],
  ["(?<!a)b", "The pattern looks ahead or behind"],
  ["(a)\\1", "The pattern refers back to a group"],
  ["(", "Invalid regular expression"],
  ["\\-", "Invalid regular expression"],
  ["(a{1000}){1000}", "The pattern has over 20000 steps."],
  ["((){9999}){9999}", "The pattern has over 20000 steps."],
])("linearPattern(%j) is refused", (pattern, message) => {
  expect(() => linearPattern(pattern)).toThrow(message);
});

test("the flags g and y are refused: they are about where, and this says whether", () => {
  expect(() => linearPattern("a", "g")).toThrow("The flags are g.");
});

test("a text too long for its pattern is refused, not tried", () => {
  expect(() => linearPattern("(?:a?b?){5000}").test("c".repeat(50_000))).toThrow("too much for one test");
});
