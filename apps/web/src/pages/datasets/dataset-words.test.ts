import type { Dataset } from "@while/platform-client/contract";
import { describe, expect, test } from "vitest";
import { listLead, setLead } from "./dataset-words.ts";
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
    [[set({ status: "uploading" }), set({ warnings: 3 })], "1 set did not arrive whole."],
    [[set({ warnings: 3 }), set({ warnings: 0 }), set()], "The gate minds something in 1 of the 2 sets that it read."],
    [[set({ warnings: 0 })], "The gate minds nothing in 1 set that it read."],
    [[set(), set({ rows: null })], "2 sets with 4 rows."],
  ])("%#", (sets, lead) => {
    expect(listLead(sets)).toBe(lead);
  });
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
