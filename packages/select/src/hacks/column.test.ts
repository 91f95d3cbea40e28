import fc from "fast-check";
import { expect, test } from "vitest";
import { countArrangements } from "./arrangements.ts";
import { asksOf } from "./asks.ts";
import { centredFeature, withinRho } from "./centred-feature.ts";
import { type Column, moved, withoutCopies } from "./column.ts";
import { ConjunctionSearch } from "./conjunctions.ts";
import { partialRho } from "./partial-rho.ts";
import { askScore, perAsk } from "./per-ask.ts";
import { permutationFloor } from "./permutation-floor.ts";
import { rewardsOf } from "./shuffled-rewards.ts";

/** A column of the values at places; 0 has none. */
function column(name: string, entries: readonly number[]): Column {
  const at = Int32Array.from(entries.keys()).filter((i) => entries[i] !== 0);
  const ones = entries.every((value) => value === 0 || value === 1);
  const values = ones ? null : Float64Array.from(at, (i) => entries[i]!);
  return { name, aliases: [], at, values, nObs: at.length, tier: "hand" };
}

const bits = (n: number) => fc.array(fc.constantFrom(0, 1), { minLength: n, maxLength: n });

test("equal columns are one, named as the first; the others are its aliases", () => {
  const given = [column("a", [1, 0, 1]), column("b", [2, 0, 1]), column("c", [1, 0, 1]), column("d", [2, 0, 1])];
  expect(withoutCopies(given).map(({ name, aliases }) => [name, aliases])).toEqual([
    ["a", ["c"]],
    ["b", ["d"]],
  ]);
  expect(given.map(({ aliases }) => aliases)).toEqual([[], [], [], []]);
});

test("no two kept columns are equal, and every name is kept once", () => {
  fc.assert(
    fc.property(fc.array(bits(3), { maxLength: 20 }), (lists) => {
      const kept = withoutCopies(lists.map((entries, i) => column(`c${i}`, entries)));
      expect(kept).toHaveLength(new Set(lists.map(String)).size);
      const names = kept.flatMap(({ name, aliases }) => [name, ...aliases]);
      expect(names.sort()).toEqual(lists.map((_, i) => `c${i}`).sort());
    }),
  );
});

test("a moved column has its values where its places went", () => {
  const { at, values } = moved(column("a", [0, 5, 7, 0, 9]), Int32Array.of(3, 2, -1, 1, 0));
  expect([[...at], [...values!]]).toEqual([
    [0, 2],
    [9, 5],
  ]);
});

/** Pearson correlation of values less the means of their groups, in the plainest way. */
function plainRho(f: readonly number[], r: readonly number[], sizes: readonly number[]): number {
  const centred = (values: readonly number[]): number[] => {
    let from = 0;
    return sizes.flatMap((size) => {
      const part = values.slice(from, from + size);
      from += size;
      const mean = part.reduce((sum, value) => sum + value, 0) / size;
      return part.map((value) => value - mean);
    });
  };
  const [x, y] = [centred(f), centred(r)];
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const square = dot(x, x) * dot(y, y);
  return square < 1e-18 ? 0 : dot(x, y) / Math.sqrt(square);
}

const SIZES = [4, 5, 3];
const anyValues = fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 12 });

test("withinRho is the correlation of both less their means in every ask, with bits and with numbers", () => {
  fc.assert(
    fc.property(fc.oneof(bits(12), anyValues), fc.oneof(bits(12), anyValues), (f, r) => {
      const asks = asksOf(Float64Array.from(r), SIZES);
      const rho = withinRho(centredFeature(column("f", f), asks), rewardsOf(asks), asks.ss);
      expect(rho).toBeCloseTo(plainRho(f, r, SIZES), 9);
    }),
  );
});

test("the pairs found are those of a plain search, on bits and on numbers", () => {
  const columns = fc.array(bits(12), { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(columns, bits(12), fc.constantFrom(1, 2.5), (lists, rewards, scale) => {
      const asks = asksOf(
        Float64Array.from(rewards, (reward) => reward * scale),
        SIZES,
      );
      const features = lists.map((entries, i) => centredFeature(column(`c${i}`, entries), asks));
      const given = rewardsOf(asks);
      const search = new ConjunctionSearch(features, asks, { seeds: 6, minObs: 2 });
      const found = search.found(given, (feature) => withinRho(feature, given, asks.ss));
      const names = found.map(({ a, b, rho }) => `${search.column(a, b).name} ${rho.toFixed(6)}`);

      const count = (entries: readonly number[]): number => entries.filter(Boolean).length;
      const plain: string[] = [];
      for (const [i, one] of lists.entries()) {
        for (const [j, other] of lists.entries()) {
          if (j <= i) continue;
          const both = one.map((value, k) => value * other[k]!);
          if (count(both) < 2 || count(both) >= Math.min(count(one), count(other))) continue;
          const rho = plainRho(both, rewards, SIZES);
          const parts = Math.max(...[one, other].map((entries) => Math.abs(plainRho(entries, rewards, SIZES))));
          // Equal strengths differ in the last digit only, where neither way of adding is right.
          if (Math.abs(Math.abs(rho) - parts) < 1e-9) return;
          if (Math.abs(rho) > parts) plain.push(`c${i} AND c${j} ${rho.toFixed(6)}`);
        }
      }
      expect(names.sort().map((name) => name.replace("-0.000000", "0.000000"))).toEqual(
        plain.sort().map((name) => name.replace("-0.000000", "0.000000")),
      );
    }),
  );
});

test("of equally strong columns the first by name are looked at", () => {
  const asks = asksOf(Float64Array.of(1, 1, 0, 0, 1, 1, 0, 0), [4, 4]);
  const lists = [
    [1, 0, 0, 0, 1, 1, 1, 0],
    [1, 1, 1, 0, 1, 0, 0, 0],
    [1, 1, 1, 0, 0, 1, 0, 0],
  ];
  const features = ["c", "b", "a"].map((name, i) => centredFeature(column(name, lists[i]!), asks));
  const search = new ConjunctionSearch(features, asks, { seeds: 2, minObs: 1 });
  const found = search.found(rewardsOf(asks), () => 0.1);
  expect(found.map(({ a, b }) => search.column(a, b).name)).toEqual(["a AND b"]);
});

test("partialRho holds a third fixed: a feature that only rides on length loses some of its rho", () => {
  // Worked from the three correlations: (0.5 - 0.6 x 0.5) / sqrt(0.64 x 0.75).
  expect(partialRho(0.5, 0.6, 0.5)).toBeCloseTo(0.2 / Math.sqrt(0.48), 12);
  expect(partialRho(0.5, 1, 0.5)).toBeNull();
});

test("askScore of one ask is the variance over all orders of its rewards", () => {
  const asks = asksOf(Float64Array.of(1, 0, 0, 1), [4]);
  const entries = [1, 1, 0, 0];
  const orders = [
    [1, 1, 0, 0],
    [1, 0, 1, 0],
    [1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, 1, 0, 1],
    [0, 0, 1, 1],
  ];
  const scores = orders.map((order) => order.reduce((sum, r, i) => sum + (r - 0.5) * entries[i]!, 0));
  const { u, v } = askScore(perAsk(column("f", entries), asks), asks);
  expect(u).toBe(0);
  expect(v).toBeCloseTo(scores.reduce((sum, score) => sum + score ** 2, 0) / orders.length, 12);
});

test("a stronger column has no larger chance, and the floor is the strongest of the shuffle at its rank", () => {
  fc.assert(
    fc.property(fc.array(bits(12), { minLength: 1, maxLength: 6 }), bits(12), (lists, rewards) => {
      const asks = asksOf(Float64Array.from(rewards), SIZES);
      const features = lists.map((entries, i) => centredFeature(column(`c${i}`, entries), asks));
      const rhos = features.map((feature) => withinRho(feature, rewardsOf(asks), asks.ss));
      const options = { nPerm: 39, alpha: 0.1, seed: 0, search: null, valid: true };
      const { tau, strongest, draws, adjustedP } = permutationFloor(features, rhos, asks, options);
      expect([...strongest]).toEqual([...strongest].sort((a, b) => a - b));
      expect(draws).toBe(countArrangements(asks) <= 39 ? "all" : "sampled");
      expect(tau).toBe(draws === "all" ? strongest[Math.ceil(0.9 * strongest.length - 1e-9) - 1] : strongest[35]);
      for (const [i, rho] of rhos.entries()) {
        for (const [j, other] of rhos.entries()) {
          if (Math.abs(rho) > Math.abs(other)) expect(adjustedP[i]).toBeLessThanOrEqual(adjustedP[j]!);
        }
      }
    }),
  );
});
