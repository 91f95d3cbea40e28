import { expect, test } from "vitest";
import { type ExitCode, worstOf } from "./exit-code.ts";

test.each<[ExitCode[], ExitCode]>([
  [[], 0],
  [[0, 2], 2],
  [[2, 1, 0], 1],
  [[1, 3], 3],
])("worstOf(%j) is %i: what does not hold outweighs what could not be told", (codes, worst) => {
  expect(worstOf(codes)).toBe(worst);
});
