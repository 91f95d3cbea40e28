import { expect, test } from "vitest";
import { drawSeeds } from "./draw-seeds.ts";

test("the first draws do not depend on how many follow, and another seed gives others", () => {
  expect(drawSeeds("ask", 3)).toEqual(drawSeeds("ask", 5).slice(0, 3));
  expect(drawSeeds("ask", 3, { seed: 1 })).not.toEqual(drawSeeds("ask", 3));
});
