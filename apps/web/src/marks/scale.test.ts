import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { domainOf, logScaleOf, logTicks, roundTicks, scaleOf } from "./scale.ts";

describe("roundTicks", () => {
  test.each([
    [
      [0, 100],
      [0, 20, 40, 60, 80, 100],
    ],
    [
      [57.2, 88.1],
      [60, 70, 80],
    ],
    [
      [-2.6, 9.9],
      [-2.5, 0, 2.5, 5, 7.5],
    ],
    [
      [0, 0.3],
      [0, 0.1, 0.2, 0.3],
    ],
    [[5, 5], [5]],
  ] as [[number, number], number[]][])("%j", (domain, ticks) => {
    expect(roundTicks(domain)).toEqual(ticks);
  });

  test("lie inside, in order, and are few", () => {
    const ends = fc.tuple(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
    );
    fc.assert(
      fc.property(ends, fc.integer({ min: 2, max: 9 }), ([low, span], most) => {
        const ticks = roundTicks([low, low + span], most);
        expect(ticks.length).toBeLessThanOrEqual(most + 1);
        for (const [index, tick] of ticks.entries()) {
          expect(tick).toBeGreaterThanOrEqual(low - span * 1e-6);
          expect(tick).toBeLessThanOrEqual(low + span * (1 + 1e-6));
          if (index > 0) expect(tick).toBeGreaterThan(ticks[index - 1]!);
        }
      }),
    );
  });
});

describe("scaleOf", () => {
  test("maps ends to ends, and a point domain to the middle", () => {
    expect([0, 5, 10].map(scaleOf([0, 10], [100, 200]))).toEqual([100, 150, 200]);
    expect(scaleOf([3, 3], [0, 10])(3)).toBe(5);
  });
});

describe("domainOf", () => {
  test.each([
    [[], [0, 1]],
    [
      [Number.NaN, 2, 4],
      [1.88, 4.12],
    ],
    [[0], [-0.06, 0.06]],
  ] as [number[], [number, number]][])("%j", (values, domain) => {
    const [low, high] = domainOf(values);
    expect(low).toBeCloseTo(domain[0], 9);
    expect(high).toBeCloseTo(domain[1], 9);
  });
});

describe("logTicks", () => {
  test.each([
    [
      [1, 10_000],
      [1, 10, 100, 1000, 10_000],
    ],
    [
      [1, 30],
      [1, 2, 5, 10, 20],
    ],
    [
      [0.01, 0.05],
      [0.01, 0.02, 0.05],
    ],
  ] as [[number, number], number[]][])("%j", (domain, ticks) => {
    expect(logTicks(domain)).toEqual(ticks);
  });
});

test("a logarithmic scale has no place for 0 and below", () => {
  const scale = logScaleOf([1, 100], [0, 200]);
  expect([1, 10, 100].map(scale)).toEqual([0, 100, 200]);
  expect(scale(0)).toBeNaN();
  expect(scale(-1)).toBeNaN();
});
