import { expect, test } from "vitest";
import { liveSeries } from "./live-series.ts";

const day = (name: string, version: string, replies: number, flagged: number, costUsd: number | null) => ({
  ...{ day: name, version, replies, flagged, costUsd },
});
const days = [
  day("2026-09-10", "v2", 1000, 60, 1),
  day("2026-09-11", "v3", 2000, 70, 1.5),
  day("2026-09-12", "v3", 0, 0, null),
  day("2026-09-13", "v3", 2400, 98, 1.7),
];

test("days by time, shares of them, and the week that ends on the last", () => {
  const live = liveSeries(days.toReversed(), "v3");
  expect(live).toMatchObject({ servedAtIndex: 1, replies7d: 5400, newFailures: 228 });
  expect(live.flaggedPct).toEqual([6, 3.5, null, 4.08]);
  expect(live.costPer1k).toBeCloseTo(0.7778, 4);
});

test("a day before the seven is in the series and not in the week", () => {
  const live = liveSeries([day("2026-09-06", "v1", 9, 9, 9), ...days], "v1");
  expect([live.days.length, live.replies7d, live.servedAtIndex]).toEqual([5, 5400, 0]);
});

test("no traffic is no cost, and nothing served is no index", () => {
  expect(liveSeries([], "v1")).toMatchObject({ days: [], replies7d: 0, costPer1k: null, servedAtIndex: null });
});

test("of more than 90 days the last are shown", () => {
  const many = Array.from({ length: 120 }, (_, i) =>
    day(new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10), "v1", 1, 0, null),
  );
  expect(liveSeries(many, null).days).toHaveLength(90);
});
