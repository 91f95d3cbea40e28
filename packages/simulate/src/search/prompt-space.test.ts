import fc from "fast-check";
import { expect, test } from "vitest";
import { embedPrompt, PromptSpace } from "./prompt-space.ts";

test("a text that is there is no news, one of other words is", () => {
  const space = new PromptSpace();
  expect(space.add("Where is order A1001?")).toBe(1);
  expect(space.add("where is ORDER A1001")).toBeCloseTo(0, 6);
  const near = space.add("Where is order A1002, please?");
  const far = space.add("Compose a limerick about rain.");
  expect(near).toBeGreaterThan(0.05);
  expect(near).toBeLessThan(0.6);
  expect(far).toBeGreaterThan(0.7);
});

test("texts of any script have a place of length 1, and one without letters has none", () => {
  for (const text of ["私の注文はどこですか", "Где мой заказ?", "x"]) {
    const length = Math.hypot(...embedPrompt(text));
    expect(length).toBeCloseTo(1, 5);
  }
  expect(Math.hypot(...embedPrompt("?? ... !"))).toBe(0);
});

test("farthest first is every candidate once, each at most as new as the one before", () => {
  const words = fc.array(fc.constantFrom("order", "refund", "late", "joke", "Lima", "where", "17"), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.array(words, { maxLength: 5 }), (candidates, known) => {
      const space = new PromptSpace();
      for (const prompt of known) space.add(prompt.join(" "));
      const picked = space.farthestFirst(candidates.map((prompt) => prompt.join(" ")));
      expect(picked.map(({ at }) => at).sort((a, b) => a - b)).toEqual([...candidates.keys()]);
      for (const [n, { novelty }] of picked.entries()) {
        if (n > 0) expect(novelty).toBeLessThanOrEqual(picked[n - 1]!.novelty + 1e-9);
      }
    }),
  );
});

test("among equals the first comes first", () => {
  const picked = new PromptSpace().farthestFirst(["joke", "joke", "order"]);
  expect(picked.map(({ at }) => at)).toEqual([0, 2, 1]);
  expect(picked[2]!.novelty).toBeCloseTo(0, 6);
});
