import fc from "fast-check";
import { expect, test } from "vitest";
import { ARMS, pinnedWeights, reallocateArms, START_WEIGHTS } from "./arms.ts";

// Computed with the Python SDK.
test.each([
  [
    { structured: 1, open_ended: 0.2 },
    {
      structured: 0.441378,
      llm_guided: 0.402545,
      open_ended: 0.1,
      behavior_targeted: 0.028038,
      failure_mutation: 0.028038,
    },
  ],
  [
    {},
    {
      structured: 0.420676,
      llm_guided: 0.420676,
      open_ended: 0.1,
      behavior_targeted: 0.029324,
      failure_mutation: 0.029324,
    },
  ],
])("reallocateArms with yields %j", (yields, expected) => {
  const weights = reallocateArms(START_WEIGHTS, yields);
  for (const arm of ARMS) expect(weights[arm]).toBeCloseTo(expected[arm], 6);
});

const yields = fc.dictionary(fc.constantFrom(...ARMS), fc.double({ min: 0, max: 3, noNaN: true }));

test("round after round the shares sum to 1, keep their floors and stay under their tops", () => {
  fc.assert(
    fc.property(fc.array(yields, { maxLength: 30 }), (rounds) => {
      const weights = rounds.reduce(reallocateArms, START_WEIGHTS);
      expect(ARMS.reduce((sum, arm) => sum + weights[arm], 0)).toBeCloseTo(1, 9);
      expect(weights.structured).toBeGreaterThan(0.14);
      expect(weights.llm_guided).toBeGreaterThan(0.14);
      expect(weights.open_ended).toBeGreaterThanOrEqual(0.05);
      expect(weights.open_ended).toBeLessThanOrEqual(0.1);
      for (const arm of ["behavior_targeted", "failure_mutation"] as const) {
        expect(weights[arm]).toBeGreaterThan(0.009);
        // What a bound cuts off another arm may lift it a little over the top it would be cut to.
        expect(weights[arm]).toBeLessThanOrEqual(0.09);
      }
    }),
  );
});

test("an arm that finds more gets more", () => {
  const weights = reallocateArms(START_WEIGHTS, { structured: 2, llm_guided: 0.1 });
  expect(weights.structured).toBeGreaterThan(START_WEIGHTS.structured);
  expect(weights.llm_guided).toBeLessThan(START_WEIGHTS.llm_guided);
});

test("shares that were set are scaled to 1, and arms left out get nothing", () => {
  expect(pinnedWeights({ structured: 3, open_ended: 1 })).toEqual({
    ...{ structured: 0.75, llm_guided: 0, open_ended: 0.25, behavior_targeted: 0, failure_mutation: 0 },
  });
});

test.each([
  [{ structued: 1 }, /"structued".*nearest: structured/s],
  [{ structured: -1 }, /armWeights.structured is -1/],
  [{ structured: Number.NaN }, /armWeights.structured is NaN/],
  [{ failure_mutation: 1 }, /nothing to begin with/],
  [{}, /nothing to begin with/],
])("armWeights %j is refused", (given, said) => {
  expect(() => pinnedWeights(given as Record<string, number>)).toThrow(said);
});
