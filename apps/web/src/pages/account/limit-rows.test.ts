import { expect, test } from "vitest";
import { limitRows } from "./limit-rows.ts";

const NONE = { dailyInputTokens: null, dailyOutputTokens: null, storageBytes: null, datasets: null, rows: null };
const USED = { inputTokens: 2_100_000, outputTokens: 0, storageBytes: 137_000_000, datasets: 8, rows: 18_768 };
const resetsAt = "2026-09-20T00:00:00Z";

test("without limits every amount stands alone, in a fixed order", () => {
  const rows = limitRows({ usage: USED, limits: NONE, resetsAt });
  expect(rows.map(({ name }) => name)).toEqual([
    "Storage",
    "Datasets",
    "Rows",
    "Input tokens today",
    "Output tokens today",
  ]);
  expect(rows[0]).toEqual({ name: "Storage", amount: "137 MB", share: null, near: false, resets: null });
});

test("what stops first is on top, and near from 80%", () => {
  const limits = { ...NONE, storageBytes: 171_250_000, datasets: 10, dailyInputTokens: 5_000_000 };
  const rows = limitRows({ usage: USED, limits, resetsAt });
  expect(rows.map(({ name, near }) => [name, near])).toEqual([
    ["Storage", true],
    ["Datasets", true],
    ["Input tokens today", false],
    ["Rows", false],
    ["Output tokens today", false],
  ]);
  expect(rows[0]!.share).toBe(0.8);
  expect(rows[2]).toMatchObject({ share: 0.42, resets: expect.stringMatching(/^resets /) });
});

test("what is not counted is left out, and a limit of nothing is used up", () => {
  const usage = { ...USED, rows: null, datasets: 0 };
  const rows = limitRows({ usage, limits: { ...NONE, datasets: 0 }, resetsAt });
  expect(rows.map(({ name }) => name)).not.toContain("Rows");
  expect(rows[0]).toMatchObject({ name: "Datasets", share: 1, near: true });
});
