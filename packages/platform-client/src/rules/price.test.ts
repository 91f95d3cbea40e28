import { expect, test } from "vitest";
import type { PriceBook } from "../contract/price-book.ts";
import { formatTrainingCost, priceEval, trainingCost } from "./price.ts";

const book: PriceBook = {
  version: "b1",
  formula: "",
  models: { "m-a": { in_usd_per_m: 2, out_usd_per_m: 10, cached_in_usd_per_m: 0.2 } },
  gpus: { L40S: { usd_per_hour: 1.95 } },
};
const tokens = { model: "m-a", inputTokens: 2148276, outputTokens: 120552, replies: 1833 };

test.each([
  ["tokens of a model", tokens, 3.0016759, "book"],
  ["any case and a provider before it", { ...tokens, model: "anthropic/M-A" }, 3.0016759, "book"],
  ["hours of a GPU", { gpu: "L40S", gpuHours: 1.98, replies: 1836 }, 2.1029412, "book"],
  ["four GPUs", { gpu: "4xl40s", gpuHours: 1.98, replies: 1836 }, 8.4117647, "book"],
  ["both: the model", { ...tokens, gpu: "L40S", gpuHours: 1 }, 3.0016759, "book"],
  [
    "half a set of tokens: the GPU",
    { model: "m-a", inputTokens: 1, gpu: "L40S", gpuHours: 1.98, replies: 1836 },
    2.1029412,
    "book",
  ],
  [
    "a model the book does not have: the agent's word",
    { ...tokens, model: "unknown-x", costPer1k: 3.01, costBasis: "list price" },
    3.01,
    "agent",
  ],
  ["nothing", {}, null, null],
])("%s", (_what, setup, usd, source) => {
  const price = priceEval(setup, book);
  if (usd === null) expect(price.usdPer1k).toBeNull();
  else expect(price.usdPer1k).toBeCloseTo(usd, 6);
  expect(price.source).toBe(source);
});

test("what is missing is named", () => {
  expect(priceEval({ model: "m-z", inputTokens: 1 }, book).missing).toEqual([
    "a price of m-z",
    "outputTokens",
    "replies",
  ]);
  expect(priceEval({ gpu: "B200", gpuHours: 1, replies: 1 }, book)).toMatchObject({
    missing: ["a price of B200"],
    basis: "not priced: no a price of B200",
  });
  expect(priceEval({}, book).missing).toEqual(["model", "inputTokens", "outputTokens", "replies"]);
});

test("a price of cached input shows what an agent that caches all of it would pay", () => {
  expect(priceEval(tokens, book).cachedUsdPer1k).toBeCloseTo(0.8920764, 6);
});

test.each([
  ["A10G", 56.4, 0.02],
  ["a10g", 56.4, 0.02],
  ["L40S", 329.5, 0.18],
  ["A100", 180, 0.12],
  ["A100", 540, 0.38],
  ["H100", 7200, 7.9],
  ["TPUv5", 56.4, null],
  [null, 56.4, null],
  ["A10G", null, null],
])("training on %s for %s s costs %s", (gpu, seconds, usd) => {
  expect(trainingCost(gpu, seconds).costUsd).toBe(usd);
});

test("a cost says that it is an estimate and by which price, and none says why", () => {
  expect(trainingCost("A10G", 56.4).costBasis).toBe("estimate: A10G at $1.10/h, modal.com/pricing 2026-09-20");
  expect(formatTrainingCost(trainingCost("A10G", 56.4), "A10G", 56.4)).toBe("about $0.02 (A10G, 56 s, estimate)");
  expect(formatTrainingCost(trainingCost(null, 1), null, 1)).toBe(
    "cost: no gpu was reported; the price book 2026-09-20 has A10G, L40S, H100, A100, T4",
  );
});
