import fc from "fast-check";
import { expect, test } from "vitest";
import { nearDuplicatePrompts } from "./near-duplicate-prompts.ts";

const ask = fc.array(fc.constantFrom("cancel", "my", "order", "please", "1", "2", "!!!", "é"), { maxLength: 7 });

test("the index finds exactly the pairs that comparing all of them finds", () => {
  const threshold = fc.oneof(
    fc.constantFrom(0.2, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 14 }), threshold, (asks, share) => {
      const prompts = [...new Set(asks.map((words) => words.join(" ")).filter((prompt) => prompt !== ""))];
      const pairs = allPairs(prompts, share);
      const report = nearDuplicatePrompts(
        asks.map((words) => ({ prompt: words.join(" ") })),
        { threshold: share },
      );
      expect(report.nPrompts).toBe(prompts.length);
      expect(report.nPairs).toBe(pairs.length);
      expect(report.nPromptsInvolved).toBe(new Set(pairs.flat()).size);
      expect(report.examples.map(({ a, b }) => [a, b])).toEqual(pairs.slice(0, 5));
    }),
    { numRuns: 500 },
  );
});

function allPairs(prompts: string[], threshold: number): [string, string][] {
  const sets = prompts.map((prompt) => new Set(prompt.match(/[a-z0-9]+/g)));
  const pairs: [string, string][] = [];
  for (const [i, a] of sets.entries()) {
    for (let j = i + 1; j < sets.length; j++) {
      const b = sets[j]!;
      const shared = [...a].filter((word) => b.has(word)).length;
      if (shared > 0 && shared / (a.size + b.size - shared) >= threshold) pairs.push([prompts[i]!, prompts[j]!]);
    }
  }
  return pairs;
}

test.each([0, -1, 1.01, Number.NaN])("a threshold of %d is refused", (threshold) => {
  expect(() => nearDuplicatePrompts([], { threshold })).toThrow(/threshold is/);
});

test("examples are cut to 80 characters and never through one", () => {
  const prompt = `one two ${"📦".repeat(100)}`;
  const [example] = nearDuplicatePrompts([{ prompt }, { prompt: `${prompt}!` }]).examples;
  expect(example).toEqual({ a: `one two ${"📦".repeat(72)}`, b: `one two ${"📦".repeat(72)}`, jaccard: 1 });
});
