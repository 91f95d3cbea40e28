import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatMarkerSummary } from "./format-marker-summary.ts";
import { markerSummary, markerSummaryStream } from "./marker-summary.ts";
import { metricSummary } from "./metric-summary.ts";

const ROWS: Row[] = [
  { task_id: "a", markers: { brief: 0.5, cites: 1 } },
  { task_id: "b", markers: { brief: 0.25, cites: 1 } },
  { task_id: "c", markers: { brief: 0.75, cites: 1, late: 0 } },
  { task_id: "d" },
  { task_id: "d", markers: { late: 1 } },
];

test("each marker is its metricSummary, names in code-point order", () => {
  const report = markerSummary(ROWS);
  expect([...report.keys()]).toEqual(["brief", "cites", "late"]);
  for (const [name, summary] of report) expect(summary).toEqual(metricSummary(ROWS, `marker:${name}`));
});

test("names choose and order; an empty list means all; a name no row carries is in the report", () => {
  expect([...markerSummary(ROWS, { names: ["late", "zz"] }).keys()]).toEqual(["late", "zz"]);
  expect(markerSummary(ROWS, { names: ["zz"] }).get("zz")).toMatchObject({ nTasks: 0, mean: null, nRowsTotal: 5 });
  expect(markerSummary(ROWS, { names: [] }).size).toBe(3);
});

test("a stream gives the same", async () => {
  async function* stream() {
    yield* ROWS;
  }
  expect(await markerSummaryStream(stream())).toEqual(markerSummary(ROWS));
});

test("an unknown option is refused, and names is a known one", () => {
  expect(() => markerSummary([], { name: ["x"] } as object)).toThrow("There is no option name. Did you mean names?");
});

test("the printed block", () => {
  expect(formatMarkerSummary(markerSummary(ROWS))).toBe(
    [
      "brief  0.50 [0.13..0.87] (3 tasks, 3 of 5 rows)",
      "cites  1.00 (3 tasks, 3 of 5 rows)",
      "  marker:cites is 1.00 on every row that carries it (3): nothing shows that it can take another value, " +
        "a misspelt key would look the same; do not guard with it (must_not_regress)",
      "late   0.50 (2 tasks, 2 of 5 rows)",
      "  no interval for marker:late: carried by 2 tasks and the interval is over tasks, at least 3 " +
        "(add situations, not rollouts)",
    ].join("\n"),
  );
  expect(formatMarkerSummary(new Map())).toBe("markers: not measured, no row carries any");
});
