import fc from "fast-check";
import { expect, test } from "vitest";
import { PyFloat, pyJson } from "../text/python-json.ts";
import { checkBehaviorName } from "./behavior-name.ts";
import { fingerprint, type Harness, harnessVersion } from "./fingerprint.ts";

const harnesses: fc.Arbitrary<Harness> = fc.record({
  model: fc.string(),
  instructions: fc.string({ unit: "binary" }),
  tools: fc.uniqueArray(fc.string({ unit: "binary" }), { maxLength: 4 }),
  disclosure: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
});

test("the order of tools and of keys does not matter, and no input is changed", () => {
  fc.assert(
    fc.property(harnesses, ({ model, instructions, tools, disclosure }) => {
      const harness: Harness = { model, instructions, tools, disclosure } as Harness;
      const before = structuredClone(harness);
      const turned = Object.fromEntries(Object.entries(disclosure!).reverse());
      const other = { disclosure: turned, tools: tools!.toReversed(), instructions, model } as Harness;
      expect(fingerprint(other)).toBe(fingerprint(harness));
      expect(harness).toEqual(before);
    }),
  );
});

test.each<[string, Harness]>([
  ["model", { model: "n" }],
  ["instructions", { instructions: "Be kind." }],
  ["tools", { tools: ["a", "b"] }],
  ["disclosure", { disclosure: { retries: 1 } }],
])("another %s is another harness", (_what, change) => {
  const harness = { model: "m", instructions: "Be brief.", tools: ["a"] };
  expect(fingerprint({ ...harness, ...change })).not.toBe(fingerprint(harness));
});

test.each<[Harness, Harness]>([
  [{ disclosure: {} }, {}],
  [{ disclosure: { retries: null } }, { disclosure: null }],
  [{ model: null, tools: [] }, {}],
  [{ label: "v12" }, {}],
  [{ disclosure: { sampling: { top_p: 1 } } }, { disclosure: { sampling: { top_p: { float: 1 } } } }],
])("%j is %j", (one, other) => {
  expect(fingerprint(one)).toBe(fingerprint(other));
});

test("a whole number that is a float in Python is other content", () => {
  const top = (top_k: unknown) => fingerprint({ disclosure: { sampling: { top_k } } });
  expect(top({ float: 1 })).not.toBe(top(1));
});

test.each([
  [1, "1.0"],
  [0.7, "0.7"],
  [1e15, "1000000000000000.0"],
  [1e16, "1e+16"],
  [1.5e22, "1.5e+22"],
  [1e-5, "1e-05"],
  [-0, "-0.0"],
])("Python writes the float %d as %s", (x, text) => {
  expect(pyJson(new PyFloat(x))).toBe(text);
});

test("harnessVersion is the label, or h- and the fingerprint", () => {
  expect(harnessVersion({ label: "v12" })).toBe("v12");
  expect(harnessVersion({ label: "" })).toBe(`h-${fingerprint({})}`);
});

test.each([
  [{ tools: [{ name: "a" }] }, '{"name":"a"}'],
  [{ disclosure: { max_turns: Number.NaN } }, "max_turns of the disclosure is NaN"],
])("refuses %j", (harness, said) => {
  expect(() => fingerprint(harness as never)).toThrow(said);
});

test.each(["refund_policy", "a", "0.5-x", "a".repeat(64)])("a behavior may be called %s", (name) => {
  expect(() => checkBehaviorName(name, "here")).not.toThrow();
});

test.each(["", "refund policy", "_private", "größe", "a\n", "a".repeat(65)])(
  "a behavior may not be called %j",
  (name) => {
    expect(() => checkBehaviorName(name, "the judge's markers")).toThrow("Rename it in the judge's markers");
  },
);
