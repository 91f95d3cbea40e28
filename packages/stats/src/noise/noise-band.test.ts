import fc from "fast-check";
import { expect, test } from "vitest";
import { noiseBand } from "./noise-band.ts";
import { noiseFloorPoints } from "./noise-floor-points.ts";
import { stabilityBand } from "./stability-band.ts";

test.each([
  [{ runStd: -0.01 }, "runStd is -0.01."],
  [{ runStd: Number.NaN }, "runStd is NaN."],
  [{ runStd: 0.02, nA: 2.5 }, "A number of runs is 2.5. Pass whole numbers of at least 1."],
  [{ runStd: 0.02, nB: 0 }, "A number of runs is 0."],
  [{ runStd: 0.02, df: 0 }, "Student's t got 0 degrees of freedom."],
  [{ runStd: 0.02, level: 1 }, "The level is 1."],
])("noiseBand of %j is refused", ({ runStd, ...options }, message) => {
  expect(() => noiseBand(runStd, options)).toThrow(message);
});

const std = fc.double({ min: 0, max: 1, noNaN: true });
const runs = fc.integer({ min: 1, max: 20 });

test("the sides are alike, more runs never widen the band, and an estimated spread is wider than an exact one", () => {
  fc.assert(
    fc.property(std, runs, runs, (runStd, nA, nB) => {
      const band = noiseBand(runStd, { nA, nB, df: 4 });
      expect(noiseBand(runStd, { nA: nB, nB: nA, df: 4 })).toBeCloseTo(band, 12);
      expect(noiseBand(runStd, { nA: nA + 1, nB, df: 5 })).toBeLessThanOrEqual(band);
      expect(noiseBand(runStd, { nA, nB })).toBeLessThanOrEqual(band);
    }),
  );
});

test("the floor does not depend on the order of the runs, nor on where their mean lies", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 2, maxLength: 6 }), (percents) => {
      const means = percents.map((percent) => percent / 100);
      const floor = noiseFloorPoints(means)!;
      expect(noiseFloorPoints([...means].reverse())).toBeCloseTo(floor, 9);
      expect(noiseFloorPoints(means.map((mean) => mean + 0.25))).toBeCloseTo(floor, 9);
    }),
  );
});

test("a score that is no number is refused", () => {
  expect(() => noiseFloorPoints([0.5, Number.NaN])).toThrow("Leave out what was not measured.");
  expect(() => stabilityBand(Number.NaN)).toThrow("runStd is NaN.");
});
