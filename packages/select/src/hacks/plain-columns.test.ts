import { expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { partialWithinRho } from "./partial-within-rho.ts";
import { permutationFloorExact } from "./permutation-floor-exact.ts";
import { stratifiedScore } from "./stratified-score.ts";

const GROUP = ["a", "a", "b", "b", "a", "b"];

test("rollouts of an ask need not stand together, and what asks are called does not matter", () => {
  const reward = [1, 0, 1, 0, 0, 1];
  const feature = [1, 0, 0, 0, 1, 1];
  const once = stratifiedScore({ reward, feature, group: GROUP });
  const order = [2, 0, 5, 1, 3, 4];
  const moved = stratifiedScore({
    reward: order.map((i) => reward[i]!),
    feature: order.map((i) => feature[i]!),
    group: order.map((i) => (GROUP[i] === "a" ? 7 : 3)),
  });
  expect(moved.u).toBeCloseTo(once.u, 12);
  expect(moved.v).toBeCloseTo(once.v, 12);
  expect(moved.pExact).toBe(once.pExact);
});

test.each([
  ["a feature that never varies inside an ask", [1, 1, 0, 0, 1, 0]],
  ["a feature of zeros", [0, 0, 0, 0, 0, 0]],
])("stratifiedScore of %s has no z", (_, feature) => {
  const score = stratifiedScore({ reward: [1, 0, 1, 0, 0, 1], feature, group: GROUP });
  expect(score).toMatchObject({ v: 0, z: null, pExact: null });
});

test("above a million arrangements stratifiedScore leaves z, and permutationFloorExact refuses", () => {
  const group = Array.from({ length: 80 }, (_, i) => i >> 3);
  const reward = group.map((_, i) => i % 2);
  expect(stratifiedScore({ reward, feature: reward, group })).toMatchObject({
    pExact: null,
    nArrangements: Number.POSITIVE_INFINITY,
  });
  expect(() => permutationFloorExact({ reward, features: [reward], group })).toThrow(/over 2\^53 arrangements/);
});

test("a feature that is its control has nothing left", () => {
  const reward = [1, 0, 1, 0, 0, 1];
  const feature = [3, 1, 2, 5, 4, 9];
  expect(partialWithinRho({ reward, feature, control: feature, group: GROUP }).rhoGivenControl).toBeNull();
});

test.each([
  [{ reward: [1], feature: [1, 0], group: ["a", "a"] }, /reward has 1 entries and group 2/],
  [{ reward: [1, Number.NaN], feature: [1, 0], group: ["a", "a"] }, /reward\[1\] is NaN/],
])("lists that do not fit are refused: %j", (input, message) => {
  expect(() => stratifiedScore(input)).toThrow(SelectError);
  expect(() => stratifiedScore(input)).toThrow(message);
});
