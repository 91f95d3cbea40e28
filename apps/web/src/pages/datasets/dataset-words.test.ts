import type { Dataset } from "@while/platform-client/contract";
import { describe, expect, test } from "vitest";
import { isBeingRead, listLead, purposeCounts, setLead } from "./dataset-words.ts";
import { readGate } from "./gate-reading.ts";

const set = (changes: Partial<Dataset> = {}) =>
  ({
    name: "a",
    purpose: "train",
    status: "ready",
    createdAt: "2026-09-18T00:00:00Z",
    rows: 4,
    ...changes,
  }) as Dataset;
const gate = (report: Record<string, unknown> | null) => readGate(report, { datasetId: "ds_1", mode: null });

describe("listLead", () => {
  test.each([
    [[set({ status: "uploading" })], "1 set did not arrive whole."],
    [
      [set({ status: "uploading" }), set({ status: "failed" }), set({ warnings: 3 })],
      "2 sets did not arrive whole. The gate minds something in 1 of the 1 set that it read.",
    ],
    [[set({ warnings: 3 }), set({ warnings: 0 }), set()], "The gate minds something in 1 of the 2 sets that it read."],
    [[set({ warnings: 0 })], "The gate minds nothing in 1 set that it read."],
    [[set(), set({ rows: null })], "2 sets with 4 rows."],
  ])("%#", (sets, lead) => {
    expect(listLead(sets)).toBe(lead);
  });
});

test("sets are counted by what they are for, the most first", () => {
  const sets = [set({ purpose: "eval" }), set(), set()];
  expect(purposeCounts(sets)).toEqual(["2 train", "1 eval"]);
  expect(purposeCounts([])).toEqual([]);
});

test.each([
  [set({ status: "processing" }), true],
  [set({ gateState: "pending" }), true],
  [set({ gateState: "done" }), false],
  [set(), false],
])("a set whose state changes by itself is looked at again: %#", (of, being) => {
  expect(isBeingRead(of)).toBe(being);
});

describe("setLead", () => {
  test.each([
    [set(), gate({ ok: true, warnings: [] }), "It may be trained on."],
    [set(), gate({ ok: true, warnings: ["one"] }), "It may be trained on, with 1 warning."],
    [set({ purpose: "holdout" }), gate({ ok: true, warnings: [] }), "It may be measured on."],
    [set(), gate({ ok: false, refusal: "no" }), "The gate refuses this set. Nothing should be trained on it."],
    [set(), gate(null), "The gate has not judged this set."],
    [set({ rows: 0 }), gate({ ok: true }), "It holds no row."],
  ])("%#", (of, reading, lead) => {
    expect(setLead(of, reading, null)).toBe(lead);
  });

  test("a set that is still coming says so before anything else", () => {
    expect(setLead(set({ status: "processing" }), null, null)).toMatch(/^Its rows are being read/);
    expect(setLead(set({ status: "uploading" }), null, null)).toMatch(/not finished/);
  });
});
