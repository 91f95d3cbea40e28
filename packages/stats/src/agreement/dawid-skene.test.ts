import fc from "fast-check";
import { expect, test } from "vitest";
import { MersenneTwister } from "../rng/mersenne-twister.ts";
import { dawidSkene, type RaterLabel } from "./dawid-skene.ts";

/** Labels by raters of known rates on items of known truth. */
function simulated(rates: readonly [sensitivity: number, specificity: number][], nItems: number, prevalence = 0.5) {
  const random = new MersenneTwister(7);
  const truth = Array.from({ length: nItems }, (): 0 | 1 => (random.random() < prevalence ? 1 : 0));
  const labels = truth.flatMap((isTrue, item) =>
    rates.map(([sensitivity, specificity], rater): RaterLabel => {
      const isRight = random.random() < (isTrue === 1 ? sensitivity : specificity);
      return { item, rater, label: isRight ? isTrue : isTrue === 1 ? 0 : 1 };
    }),
  );
  return { truth, labels };
}

const rightOf = (posteriors: readonly number[], truth: readonly number[]): number =>
  truth.filter((value, i) => (posteriors[i]! > 0.5 ? 1 : 0) === value).length / truth.length;

test("finds each rater's rates, and the truth more often than the majority does", () => {
  const rates: [number, number][] = [
    [0.95, 0.97],
    [0.6, 0.65],
    [0.65, 0.55],
  ];
  const { truth, labels } = simulated(rates, 2000);
  const { raters, posteriors, prevalence, converged } = dawidSkene(labels);
  expect(converged).toBe(true);
  expect(prevalence).toBeCloseTo(0.5, 1);
  for (const [i, [sensitivity, specificity]] of rates.entries()) {
    expect(Math.abs(raters[i]!.sensitivity - sensitivity)).toBeLessThan(0.06);
    expect(Math.abs(raters[i]!.specificity - specificity)).toBeLessThan(0.06);
  }
  const majority = truth.map((_, item) => {
    const ones = labels.filter((label) => label.item === item && label.label === 1).length;
    return ones >= 2 ? 1 : 0;
  });
  expect(rightOf(posteriors, truth)).toBeGreaterThan(rightOf(majority, truth) + 0.05);
});

test("raters as good as one another: the posterior is the majority's", () => {
  const { labels } = simulated(Array(5).fill([0.9, 0.9]), 400, 0.3);
  const { posteriors } = dawidSkene(labels);
  for (const [item, posterior] of posteriors.entries()) {
    const ones = labels.filter((label) => label.item === item && label.label === 1).length;
    expect(posterior > 0.5).toBe(ones >= 3);
  }
});

const anyLabels = fc
  .uniqueArray(fc.record({ item: fc.nat(12), rater: fc.nat(4), label: fc.constantFrom<0 | 1>(0, 1) }), {
    selector: ({ item, rater }) => `${item} ${rater}`,
    maxLength: 50,
  })
  .map((labels): RaterLabel[] => labels);

test("rates and posteriors are chances, and the order of labels does not matter", () => {
  const shuffled = anyLabels.chain((labels) =>
    fc.tuple(fc.constant(labels), fc.shuffledSubarray(labels, { minLength: labels.length })),
  );
  fc.assert(
    fc.property(shuffled, ([labels, other]) => {
      const { posteriors, raters, prevalence } = dawidSkene(labels);
      const chances = [...posteriors, prevalence, ...raters.flatMap((one) => [one.sensitivity, one.specificity])];
      for (const chance of chances) {
        expect(chance).toBeGreaterThanOrEqual(0);
        expect(chance).toBeLessThanOrEqual(1);
      }
      const again = dawidSkene(other);
      expect(again).toEqual({ ...again, posteriors, raters, prevalence });
    }),
  );
});

test("turning every label round turns the truth round", () => {
  const { labels } = simulated(
    [
      [0.9, 0.8],
      [0.7, 0.9],
      [0.8, 0.8],
    ],
    200,
  );
  const turned = labels.map((one): RaterLabel => ({ ...one, label: one.label === 1 ? 0 : 1 }));
  const [before, after] = [dawidSkene(labels), dawidSkene(turned)];
  for (const [i, posterior] of before.posteriors.entries()) expect(after.posteriors[i]).toBeCloseTo(1 - posterior, 5);
  expect(after.raters[0]!.sensitivity).toBeCloseTo(before.raters[0]!.specificity, 5);
});

test("without labels there is nothing to say", () => {
  expect(dawidSkene([])).toMatchObject({ raters: [], posteriors: [], prevalence: 0.5 });
});

test.each<[string, RaterLabel[], RegExp]>([
  ["a label that is none", [{ item: 0, rater: 0, label: 2 as 0 }], /label 2/],
  ["a place that is none", [{ item: -1, rater: 0, label: 1 }], /item -1/],
  [
    "an item labeled twice",
    [
      { item: 0, rater: 1, label: 1 },
      { item: 0, rater: 1, label: 0 },
    ],
    /Rater 1 labels item 0 twice/,
  ],
])("%s is refused", (_what, labels, message) => {
  expect(() => dawidSkene(labels)).toThrow(message);
});
