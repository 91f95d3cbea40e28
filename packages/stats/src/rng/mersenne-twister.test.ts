import fc from "fast-check";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import { MersenneTwister } from "./mersenne-twister.ts";

// Values of the generator itself are golden cases (mt19937.*); here is what holds for every seed.

test.each([0.5, -0, 2 ** 53, Number.NaN])("seed %d is refused", (seed) => {
  expect(() => new MersenneTwister(seed)).toThrow(StatsError);
});

test("a negative seed is its absolute value", () => {
  expect(new MersenneTwister(-7).random()).toBe(new MersenneTwister(7).random());
});

test("the 10000th word of a two-word seed is CPython's", () => {
  const rng = new MersenneTwister(0x123 + 0x234 * 2 ** 32);
  for (let i = 0; i < 9999; i++) rng.word();
  expect(rng.word()).toBe(4170962263);
});

test.each([
  ["", 0.9602256525641875],
  ["\0a", 0.33944202963739156],
])("the string seed %j is CPython's", (seed, first) => {
  expect(new MersenneTwister(seed).random()).toBe(first);
});

test.each([0, 1.5, -3, 2 ** 53])("below(%d) is refused", (n) => {
  expect(() => new MersenneTwister(0).below(n)).toThrow(/whole number/);
});

test("below(n) stays under n, for small and large n", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (seed, n) => {
      const draw = new MersenneTwister(seed).below(n);
      expect(Number.isSafeInteger(draw) && draw >= 0 && draw < n).toBe(true);
    }),
  );
});

test("shuffle keeps every element and leaves its input alone", () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat()), (seed, list) => {
      const before = [...list];
      const shuffled = new MersenneTwister(seed).shuffle(list);
      expect(list).toEqual(before);
      expect(shuffled.toSorted((a, b) => a - b)).toEqual(before.toSorted((a, b) => a - b));
    }),
  );
});
