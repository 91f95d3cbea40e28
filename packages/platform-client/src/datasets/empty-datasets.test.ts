import { expect, test } from "vitest";
import { emptyDatasets } from "./empty-datasets.ts";

const ids = (...args: Parameters<typeof emptyDatasets>) => emptyDatasets(...args).map(({ datasetId }) => datasetId);

test("sets without bytes are empty, and with maxRows those of few rows", () => {
  const datasets = [
    { datasetId: "ds_a", sizeBytes: 0, rows: 0 },
    { datasetId: "ds_b", sizeBytes: 900, rows: 2 },
    { datasetId: "ds_c", sizeBytes: 900, rows: 3 },
    { datasetId: "ds_d", sizeBytes: 900, rows: null },
    { datasetId: "ds_e" },
  ];
  expect(ids(datasets, { maxRows: 2, now: 0 })).toEqual(["ds_a", "ds_b", "ds_e"]);
  expect(ids(datasets, { now: 0 })).toEqual(["ds_a", "ds_e"]);
});

test("an upload under way is not empty yet", () => {
  const now = Date.parse("2026-09-20T12:00:00Z");
  const datasets = [
    { datasetId: "ds_filling", sizeBytes: 0, status: "uploading" as const, createdAt: "2026-09-01T00:00:00Z" },
    { datasetId: "ds_young", sizeBytes: 0, status: "ready" as const, createdAt: "2026-09-20T11:30:00Z" },
    { datasetId: "ds_old", sizeBytes: 0, status: "failed" as const, createdAt: "2026-09-20T10:30:00Z" },
  ];
  expect(ids(datasets, { now })).toEqual(["ds_old"]);
  expect(ids(datasets, { now, includePending: true })).toHaveLength(3);
});
