import fc from "fast-check";
import { expect, test } from "vitest";
import { harnessFor, shareOf } from "./harness-for.ts";

const MIX = [
  ["plain", 0.5],
  ["cot", 0.25],
  ["strict", 0.25],
] as const;

test.each([
  // key, share, label
  ["sc-1", 0.815986, "strict"],
  ["sc-3", 0.234513, "plain"],
  ["sc-7", 0.9802, "strict"],
  ["sc-11", 0.638029, "cot"],
])("%s falls at %d, which is %s", (key, share, label) => {
  expect(shareOf(key, 0)).toBeCloseTo(share, 6);
  expect(harnessFor(key, MIX)).toBe(label);
});

test("weights are shares of their sum, and an empty mix has nothing to draw", () => {
  const doubled = MIX.map(([label, weight]) => [label, 2 * weight] as const);
  fc.assert(
    fc.property(fc.string(), fc.nat(9), (key, seed) => {
      expect(harnessFor(key, doubled, { seed })).toBe(harnessFor(key, MIX, { seed }));
    }),
  );
  expect(harnessFor("a", [])).toBeNull();
});

test("over many tasks each is drawn about as often as its weight says", () => {
  const drawn = Array.from({ length: 4000 }, (_, i) => harnessFor(`t${i}`, MIX));
  const share = (label: string) => drawn.filter((one) => one === label).length / drawn.length;
  expect(share("plain")).toBeCloseTo(0.5, 1);
  expect(share("cot")).toBeCloseTo(0.25, 1);
});
