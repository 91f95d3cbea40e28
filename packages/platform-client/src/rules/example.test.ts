import { expect, test } from "vitest";
import { cutExample, cutSample, defaultSample } from "./example.ts";

const rowsOf = (fails: number, passes: number) =>
  Array.from({ length: fails + passes }, (_, i) => ({ ok: i >= fails, i }));

test("the default sample is the first 14 failures and then passes, in their order", () => {
  const rows = Array.from({ length: 620 }, (_, i) => ({ ok: i % 3 !== 0, i }));
  expect(defaultSample(rows).map(({ i }) => i)).toEqual([
    0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 1, 2, 4, 5, 7, 8,
  ]);
});

test.each([
  [3, 97, 3, 17],
  [40, 0, 14, 0],
  [0, 5, 0, 5],
  [0, 0, 0, 0],
])("of %i failures and %i passes it takes %i and %i", (fails, passes, f, p) => {
  const sample = defaultSample(rowsOf(fails, passes));
  expect([sample.filter(({ ok }) => !ok).length, sample.filter(({ ok }) => ok).length]).toEqual([f, p]);
});

test("texts lose their middle at 2000 and 400, in a sample at 1200, and the caller hears which", () => {
  const long = "x".repeat(5000);
  const { example, cut } = cutExample({ ok: true, prompt: long, reply: "r", why: long, detail: null });
  expect([example.prompt?.length, example.reply, example.why?.length, example.detail]).toEqual([2000, "r", 400, null]);
  expect(cut).toEqual([
    { field: "prompt", cap: 2000 },
    { field: "why", cap: 400 },
  ]);
  expect(cutSample(example).example.prompt).toHaveLength(1200);
  expect(cutSample(example).example.prompt).toContain("chars cut");
});

test("the first eight tags stay, with keys of 32 and values of 80 characters", () => {
  const tags = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`${i}`.padEnd(40, "k"), "v".repeat(100)]));
  const { example, cut } = cutExample({ ok: false, tags });
  const entries = Object.entries(example.tags ?? {});
  expect(entries).toHaveLength(8);
  for (const [key, value] of entries) expect([key.length, value.length]).toEqual([32, 80]);
  expect(cut).toEqual([{ field: "tags", cap: 8 }]);
});

test("a row within its caps is as it was", () => {
  const row = { ok: true, prompt: "p", tags: { a: "b" } };
  expect(cutExample(row)).toEqual({ example: row, cut: [] });
});
