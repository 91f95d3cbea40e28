import fc from "fast-check";
import { expect, test } from "vitest";
import { asksOf } from "./asks.ts";
import { type CentredFeature, centredFeature, withinRho } from "./centred-feature.ts";
import { floorP, isAboveFloor, permutationFloor } from "./permutation-floor.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

const SIZES = [6, 6, 6, 6];
const N = 24;
const bits = fc.array(fc.constantFrom(0, 1), { minLength: N, maxLength: N });

function featureOf(entries: readonly number[], asks: ReturnType<typeof asksOf>): CentredFeature {
  const at = Int32Array.from(entries.keys()).filter((i) => entries[i] !== 0);
  return centredFeature({ name: "f", aliases: [], at, values: null, nObs: at.length, tier: "auto" }, asks);
}

test("drawing that stops early says of every feature what all draws say", () => {
  fc.assert(
    fc.property(fc.array(bits, { minLength: 1, maxLength: 4 }), bits, (lists, rewards) => {
      const asks = asksOf(Float64Array.from(rewards), SIZES);
      const features = lists.map((entries) => featureOf(entries, asks));
      const rhos = features.map((feature) => withinRho(feature, rewardsOf(asks), asks.ss));
      const top = Math.max(...rhos.map(Math.abs));
      const options = { nPerm: 199, alpha: 0.05, seed: 3, search: null, valid: true };
      const whole = permutationFloor(features, rhos, asks, options);
      const early = permutationFloor(features, rhos, asks, options, top);
      for (const rho of rhos) expect(isAboveFloor(early, rho)).toBe(isAboveFloor(whole, rho));
      if (early.draws !== "stopped") {
        expect(early).toEqual(whole);
        return;
      }
      expect(early.strongest.length).toBeLessThan(whole.strongest.length);
      expect(early.tau).toBeGreaterThanOrEqual(top - 1e-9);
      for (const p of early.adjustedP) expect(p).toBeGreaterThan(0.05);
    }),
  );
});

test("where all arrangements are few they are all looked at: the chance of the best is a whole share of them", () => {
  const asks = asksOf(Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0), [4, 4]);
  const feature = featureOf([1, 0, 0, 0, 1, 0, 0, 0], asks);
  const floor = permutationFloor([feature], [1], asks, { nPerm: 99, alpha: 0.1, seed: 0, search: null, valid: true });
  // Both asks have it in the right place in 1 of 16.
  expect(floor.draws).toBe("all");
  expect([...floor.adjustedP]).toEqual([1 / 16]);
  expect(floorP(floor, 1)).toBe(1 / 16);
  expect(isAboveFloor(floor, 1)).toBe(true);
});

test("by the compatible rules nothing is enumerated and nothing stops", () => {
  const asks = asksOf(Float64Array.of(1, 0, 1, 0), [2, 2]);
  const feature = featureOf([1, 0, 0, 1], asks);
  const options = { nPerm: 100, alpha: 0.05, seed: 0, search: null, valid: false };
  const { draws, strongest } = permutationFloor([feature], [0], asks, options, 0);
  expect([draws, strongest.length]).toEqual(["sampled", 100]);
});
