import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import { type RecommendOptions, recommend } from "./recommend.ts";

test.each<[options: RecommendOptions, situations: number, budget: number]>([
  [{ cells: 10, mode: "sft" }, 2400, 2400],
  [{ cells: 10, mode: "sft", target: 1 }, 100, 100],
  [{ cells: 1201, mode: "sft" }, 2500, 2500],
  [{ cells: 10 }, 250, 2000],
  [{ cells: 10, mixedRate: 0.25, target: 100 }, 50, 400],
  [{ cells: 200, target: 100 }, 400, 3200],
  [{ cells: 1, mixedRate: 0, target: 16 }, 100, 800],
  [{ cells: 1, mixedRate: 1, target: 9 }, 2, 16],
])("recommend(%j) is %i situations and %i rollouts", (options, situations, budget) => {
  const answer = recommend(options);
  expect(answer).toMatchObject({ situations, budget });
  expect(answer.simulateOptions).toEqual({ mode: answer.mode, budget, repeats: answer.rolloutsPerAsk });
  expect(answer.reasoning.at(-1)).toMatch(new RegExp(`${budget}\\.$`));
  expect(Object.keys(toWire(answer) as object)).toContain("simulate_kwargs");
});

test("a rate that nobody measured is said to be none", () => {
  expect(recommend({ cells: 1 }).reasoning.join()).toContain("not measured");
  expect(recommend({ cells: 1, mixedRate: 0.5 }).reasoning.join()).not.toContain("not measured");
});

test.each([
  [{ cells: 0 }, /cells is 0/],
  [{ cells: 1, mixedRate: 2 }, /mixedRate is 2/],
  [{ cells: 1, mode: "dpo" }, /mode is dpo/],
  [{ cells: 1, targt: 3 }, /Did you mean target/],
])("%j is refused", (options, message) => {
  expect(() => recommend(options as RecommendOptions)).toThrow(message);
});
