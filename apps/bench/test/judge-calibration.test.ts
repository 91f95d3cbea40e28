import { MersenneTwister } from "@while/stats";
import { judgeAgreement, lengthSensitivity } from "@while/trust";
import { expect, test } from "vitest";
import { draw, WORLDS } from "../src/judge-calibration/worlds.ts";

const N = 4000;
const drawn = (name: RegExp) => draw(WORLDS.find((world) => name.test(world.name))!, N, new MersenneTwister("test"));

test.each([
  [/^honest: /, 0.92, 0.92],
  [/^lenient/, 0.97, 0.75],
  [/^harsh/, 0.6, 0.97],
  [/^a coin/, 0.5, 0.5],
  [/4 rollouts/, 0.92, 0.92],
])("%s is as right as it says", (name, rightOnPasses, rightOnFails) => {
  const { tpr, tnr } = judgeAgreement(drawn(name).rows);
  expect(Math.abs(tpr! - rightOnPasses)).toBeLessThan(0.03);
  expect(Math.abs(tnr! - rightOnFails)).toBeLessThan(0.03);
});

test("a judge that is blind to length is, and a seed is its rows", () => {
  expect(Math.abs(lengthSensitivity(drawn(/^honest: /).rows).pooled!.delta)).toBeLessThan(0.03);
  expect(Math.abs(lengthSensitivity(drawn(/0\.12/).rows).pooled!.delta - 0.12)).toBeLessThan(0.03);
  expect(Math.abs(lengthSensitivity(drawn(/0\.23/).rows).pooled!.delta - 0.23)).toBeLessThan(0.03);
  expect(drawn(/^honest: /).rows).toEqual(drawn(/^honest: /).rows);
});
