import fc from "fast-check";
import { expect, test } from "vitest";
import { calibration } from "./calibration.ts";
import { chanceGap } from "./chance-gap.ts";
import { isotonicAt, isotonicFit } from "./isotonic-fit.ts";
import { reliabilityBins } from "./reliability-bins.ts";
import { rocArea } from "./roc-area.ts";

const SAID = [0.05, 0.1, 0.1, 0.25, 0.3, 0.3, 0.45, 0.55, 0.6, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1];
const CAME: (0 | 1)[] = [0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1];

test("sixteen forecasts, by exact rationals", () => {
  // Isotonic values by the min-max formula over all intervals, the chance gap by enumeration of all outcomes of a bin.
  const report = calibration(SAID, CAME, { nBins: 5 });
  const close = (value: number | null, expected: number) => expect(value).toBeCloseTo(expected, 12);
  expect(report).toMatchObject({ n: 16, nSkipped: 0, nDraws: 16, nBins: 5, binning: "width", note: null });
  close(report.brier, 0.1971875);
  close(report.baseRate, 0.5625);
  close(report.skill, 0.19873015873015873);
  close(report.miscalibration, 0.03885416666666667);
  close(report.discrimination, 0.08776041666666666);
  close(report.uncertainty, 0.24609375);
  close(report.rocArea, 0.7857142857142857);
  close(report.ece, 0.09375);
  close(report.mce, 0.25);
  close(report.eceByChance, 0.17056875);
  close(report.z, 0.964714874972672);
  close(report.pValue, 0.334687642693243);
  expect(report.bins.map(({ n }) => n)).toEqual([3, 3, 2, 3, 5]);
  close(report.bins[4]!.meanForecast, 0.9);
  close(report.bins[4]!.rate, 0.8);
});

test("rows that lack a side are skipped, and no row has no number", () => {
  expect(calibration([0.5, null, 0.2], [1, 1, null])).toMatchObject({ n: 1, nSkipped: 2, brier: 0.25 });
  expect(calibration([], [])).toMatchObject({ n: 0, brier: null, ece: null, bins: [], note: "no_pairs" });
});

test("outcomes of one class have no skill to show", () => {
  const report = calibration([0.9, 0.8, 1], [1, 1, 1]);
  expect(report).toMatchObject({ skill: null, skillCi95: null, rocArea: null, note: "one_class" });
  expect(report.brier).toBeCloseTo(0.05 / 3, 12);
});

test("a forecast of 1 that fails is refuted by itself, and one half throughout says nothing that could be", () => {
  expect(calibration([1, 1, 0], [1, 0, 0])).toMatchObject({ z: null, pValue: 0 });
  expect(calibration([0.5, 0.5], [1, 0])).toMatchObject({ z: null, pValue: null });
});

test("rows of one cluster are one draw: copies narrow nothing", () => {
  const clusters = SAID.map((_, i) => `t${i}`);
  const four = <T>(list: readonly T[]): T[] => list.flatMap((one) => [one, one, one, one]);
  const once = calibration(SAID, CAME, { clusters });
  const copied = calibration(four(SAID), four(CAME), { clusters: four(clusters) });
  expect(copied).toMatchObject({ n: 64, nDraws: 16 });
  expect(copied.brierCi95![0]).toBeCloseTo(once.brierCi95![0], 10);
  expect(copied.skillCi95![1]).toBeCloseTo(once.skillCi95![1], 10);
  // Without them a hundred copies of one chance would be a proof.
  expect(copied.pValue).toBeGreaterThan(calibration(four(SAID), four(CAME)).pValue!);
});

test.each([
  [() => calibration([0.5], []), "bad_value"],
  [() => calibration([1.5], [1]), "bad_value"],
  [() => calibration([Number.NaN], [1]), "bad_value"],
  [() => calibration([0.5], [0.5 as never]), "bad_value"],
  [() => calibration([0.5], [1], { clusters: [] }), "bad_value"],
  [() => calibration([0.5], [1], { nBins: 0 }), "bad_option"],
  [() => calibration([0.5], [1], { binning: "rank" as never }), "bad_option"],
  [() => isotonicFit([1], []), "bad_value"],
  [() => isotonicFit([Number.POSITIVE_INFINITY], [1]), "bad_value"],
])("a wrong call is refused", (call, code) => {
  expect(call).toThrow(expect.objectContaining({ code }));
});

test("bins by mass hold as many rows each, and rows with one forecast stay together", () => {
  const sizes = (said: number[]) =>
    reliabilityBins(
      said,
      said.map(() => 1),
      { nBins: 2, binning: "mass" },
    ).map(({ low, high, n }) => [low, high, n]);
  expect(sizes([0.1, 0.2, 0.3, 0.4])).toEqual([
    [0.1, 0.2, 2],
    [0.3, 0.4, 2],
  ]);
  expect(sizes([0.1, 0.5, 0.5, 0.5])).toEqual([[0.1, 0.5, 4]]);
  expect(sizes([0.1, 0.1, 0.1, 0.5])).toEqual([
    [0.1, 0.1, 3],
    [0.5, 0.5, 1],
  ]);
});

test("an edge belongs to the bin above it, and 1 to the last", () => {
  const bins = reliabilityBins([0, 0.29, 0.3, 0.999, 1], [0, 0, 1, 1, 1], { nBins: 100 });
  expect(bins.map(({ low, n }) => [low, n])).toEqual([
    [0, 1],
    [0.29, 1],
    [0.3, 1],
    [0.99, 2],
  ]);
});

test("the isotonic map: violators are pooled, lines lie between blocks, and ends go on", () => {
  const fit = isotonicFit([0.1, 0.2, 0.3, 0.8, null], [0, 1, 0, 1, 1]);
  expect(fit).toEqual({
    n: 4,
    nSkipped: 1,
    blocks: [
      { low: 0.1, high: 0.1, value: 0, n: 1 },
      { low: 0.2, high: 0.3, value: 0.5, n: 2 },
      { low: 0.8, high: 0.8, value: 1, n: 1 },
    ],
  });
  for (const [score, value] of [
    [-1, 0],
    [0.1, 0],
    [0.15, 0.25],
    [0.25, 0.5],
    [0.55, 0.75],
    [2, 1],
  ]) {
    expect(isotonicAt(fit, score!)).toBeCloseTo(value!, 12);
  }
  expect(isotonicAt(isotonicFit([], []), 0.5)).toBeNull();
});

test("what is said and what comes differ by chance as binomials do", () => {
  // E|X - np| of a binomial is 2 (1 - p)^(n - m) p^(m + 1) (m + 1) C(n, m + 1) with m the floor of np: De Moivre.
  expect(chanceGap([0.5])).toBeCloseTo(0.5, 12);
  expect(chanceGap(Array(10).fill(0.3))).toBeCloseTo(2 * 0.7 ** 7 * 0.3 ** 4 * 4 * 210, 12);
  const [exact, normal] = [1000, 1001].map((n) => chanceGap(Array(n).fill(0.2)) / Math.sqrt(n));
  expect(normal).toBeCloseTo(exact!, 3);
  expect(chanceGap([0, 1, 1])).toBe(0);
});

const rows = fc.array(
  fc.tuple(
    fc.integer({ min: 0, max: 100 }).map((x) => x / 100),
    fc.constantFrom<0 | 1>(0, 1),
  ),
  {
    minLength: 1,
    maxLength: 60,
  },
);
const SLACK = 1e-12;

test("the parts of the Brier score are no less than 0 and add up, and the order of rows does not matter", () => {
  fc.assert(
    fc.property(rows, (pairs) => {
      const [said, came] = [pairs.map(([p]) => p), pairs.map(([, y]) => y)];
      const report = calibration(said, came);
      const { brier, miscalibration, discrimination, uncertainty, ece, mce, bins, n } = report;
      expect(miscalibration!).toBeGreaterThanOrEqual(-SLACK);
      expect(discrimination!).toBeGreaterThanOrEqual(-SLACK);
      expect(miscalibration! - discrimination! + uncertainty!).toBeCloseTo(brier!, 10);
      expect(ece!).toBeLessThanOrEqual(mce! + SLACK);
      expect(bins.reduce((total, bin) => total + bin.n, 0)).toBe(n);
      const turned = calibration([...said].reverse(), [...came].reverse());
      expect(turned.ece).toBeCloseTo(ece!, 10);
      expect(turned.eceByChance).toBeCloseTo(report.eceByChance!, 10);
      expect(turned.rocArea === null ? null : turned.rocArea).toBe(report.rocArea);
    }),
  );
});

test("the isotonic map never falls, keeps the mean, and no other rising map of these rows is nearer", () => {
  fc.assert(
    fc.property(rows, (pairs) => {
      const [said, came] = [pairs.map(([p]) => p), pairs.map(([, y]) => y)];
      const fit = isotonicFit(said, came);
      const mapped = said.map((p) => isotonicAt(fit, p)!);
      const values = fit.blocks.map(({ value }) => value);
      expect(values).toEqual([...values].sort((a, b) => a - b));
      const total = (list: readonly number[]) => list.reduce((all, one) => all + one, 0);
      expect(total(mapped)).toBeCloseTo(total(came), 9);
      const error = (list: readonly number[]) => total(list.map((value, i) => (value - came[i]!) ** 2));
      expect(error(mapped)).toBeLessThanOrEqual(error(said) + 1e-9);
    }),
  );
});

test("the area under the curve is that of counting pairs, and of the reversed ranking its rest", () => {
  fc.assert(
    fc.property(rows, (pairs) => {
      const [said, came] = [pairs.map(([p]) => p), pairs.map(([, y]) => y)];
      const passed = pairs.filter(([, y]) => y === 1);
      const failed = pairs.filter(([, y]) => y === 0);
      const area = rocArea(said, came);
      if (passed.length * failed.length === 0) {
        expect(area).toBeNull();
        return;
      }
      const wins = passed.flatMap(([p]) => failed.map(([q]): number => (p > q ? 1 : p === q ? 0.5 : 0)));
      expect(area).toBeCloseTo(wins.reduce((all, one) => all + one, 0) / wins.length, 10);
      expect(
        rocArea(
          said.map((p) => 1 - p),
          came,
        ),
      ).toBeCloseTo(1 - area!, 10);
    }),
  );
});
