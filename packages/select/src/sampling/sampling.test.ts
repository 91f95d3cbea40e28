import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { balancedPick } from "./balanced-pick.ts";
import { groupGradientWeight } from "./group-gradient-weight.ts";
import { probabilityInBand } from "./probability-in-band.ts";
import { probabilityMixed } from "./probability-mixed.ts";
import { type AdaOptions, type AdaSample, reinforceAda } from "./reinforce-ada.ts";

const rate = fc.double({ min: 0, max: 1, noNaN: true });

test("a group is mixed as often at p as at 1 - p, more often when larger, and never at 0 or 1", () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 64 }), (p, size) => {
      const mixed = probabilityMixed(p, size);
      expect(mixed).toBeCloseTo(probabilityMixed(1 - p, size), 12);
      expect(mixed).toBeGreaterThanOrEqual(0);
      expect(probabilityMixed(p, size + 1)).toBeGreaterThanOrEqual(mixed - 1e-15);
    }),
  );
  expect(probabilityMixed(0, 8)).toBe(0);
  expect(probabilityMixed(1, 8)).toBe(0);
});

test("the chances of below, inside and above the band are 1 together", () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: 1, max: 40 }), (p, k) => {
      // 0.3 and 0.35 lie between the counts of no k up to 40 that is a multiple of neither 10 nor 20.
      fc.pre(k % 10 !== 0 && k % 20 !== 0);
      const parts = [
        probabilityInBand(p, k, [0, 0.3]),
        probabilityInBand(p, k, [0.3, 0.35]),
        probabilityInBand(p, k, [0.35, 1]),
      ];
      expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(1, 12);
    }),
  );
});

test.each([
  [3, 2],
  [-1, 2],
  [0.5, 2],
])("groupGradientWeight(%d, %d) is refused", (passes, k) => {
  expect(() => groupGradientWeight(passes, k)).toThrow(SelectError);
});

test("a unanimous group pushes nowhere", () => {
  expect(groupGradientWeight(8, 8)).toEqual(groupGradientWeight(0, 8));
  expect(groupGradientWeight(8, 8).centeredMeanSquare).toBe(0);
});

test("balancedPick keeps what was asked for, or everything there is, and never more of a side than it has", () => {
  const count = fc.nat(30);
  fc.assert(
    fc.property(count, count, fc.integer({ min: 2, max: 20 }), (nRight, nWrong, keep) => {
      const [right, wrong] = balancedPick(nRight, nWrong, keep);
      expect(right + wrong).toBe(Math.min(keep, nRight + nWrong));
      expect(right).toBeLessThanOrEqual(nRight);
      expect(wrong).toBeLessThanOrEqual(nWrong);
    }),
  );
});

describe("reinforceAda", () => {
  const drawing =
    (rewardOf: (prompt: number, i: number) => number) =>
    (active: readonly number[], size: number): AdaSample[][] =>
      active.map((prompt) => Array.from({ length: size }, (_, i) => ({ reward: rewardOf(prompt, i) })));

  test("every prompt keeps a full group, and a retired one has contrast in it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rate, { minLength: 1, maxLength: 8 }), fc.integer(), async (rates, seed) => {
        let state = seed >>> 0;
        const next = (): number => {
          state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
          return state / 2 ** 32;
        };
        const prompts = rates.map((_, i) => i);
        const { groups, stats } = await reinforceAda(
          prompts,
          drawing((prompt) => Number(next() < rates[prompt]!)),
        );
        for (const { kept, retired, drawn, advantages } of groups.values()) {
          expect(kept).toHaveLength(4);
          expect(drawn % 8).toBe(0);
          if (retired) expect(new Set(advantages).size).toBe(2);
        }
        expect(stats.noGradient).toBeLessThanOrEqual(1 - stats.retired + 1e-12);
      }),
      { numRuns: 50 },
    );
  });

  test("drawing until one is right reads hard prompts too high; the first round does not", async () => {
    let seed = 7;
    const next = (): number => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const prompts = Array.from({ length: 2000 }, (_, i) => i);
    const { stats } = await reinforceAda(
      prompts,
      drawing(() => Number(next() < 0.1)),
      { exit: "positive" },
    );
    expect(stats.passRate).toBeGreaterThan(0.115);
    expect(stats.firstRoundPassRate).toBeCloseTo(0.1, 1.7);
  });

  test("maxDraws ends it and says so", async () => {
    const { rounds, stats } = await reinforceAda(
      [1, 2],
      drawing(() => 0),
      { maxDraws: 20 },
    );
    expect({ rounds, capped: stats.capped }).toEqual({ rounds: 2, capped: true });
  });

  test.each<[AdaOptions, RegExp]>([
    [{ maxRounds: 0 }, /maxRounds/],
    [{ exit: "early" as never }, /balanced, positive/],
    [{ threshold: Number.NaN }, /threshold/],
    [{ kep: 4 } as never, /keep/],
  ])("%j is refused", async (options, message) => {
    await expect(
      reinforceAda(
        [1],
        drawing(() => 1),
        options,
      ),
    ).rejects.toThrow(message);
  });

  test.each<[string, () => AdaSample[][], RegExp]>([
    ["too few lists", () => [], /0 lists for 1 prompts/],
    ["too few samples", () => [[{ reward: 1 }]], /4 samples|keeps 4/],
    ["a reward that is no number", () => [[{ reward: Number.NaN }]], /reward of NaN/],
  ])("draw answering with %s is refused", async (_, draw, message) => {
    await expect(reinforceAda([1], draw, { maxRounds: 2 })).rejects.toThrow(message);
  });
});
