import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { formatGroundingReport } from "./format-grounding-report.ts";
import { groundingReport } from "./grounding-report.ts";

const refund = (task: string, prompt: string, ...ids: string[]): Row => ({
  task_id: task,
  prompt,
  steps: ids.map((order_id) => ({ tool: "refund", arguments: { orders: [{ order_id }], note: "as asked" } })),
});
const ROWS = [
  refund("a", "refund ORD-1", "ORD-1"),
  refund("b", "refund it", "ORD-2", "ORD-3", "ORD-2"),
  refund("c", "refund it", "ORD-4"),
  { task_id: "d", prompt: "hi", final_text: "Hello." },
];

test("rollouts and values are counted apart, positions of lists are one argument", () => {
  const report = groundingReport(ROWS);
  expect(report).toMatchObject({
    ...{
      rules: "v2",
      rows: 4,
      rowsWithCalls: 3,
      groundedRate: 0.5,
      clean: 0.5,
      nCalls: 5,
      nChecked: 4,
      nUngrounded: 3,
    },
    invented: [{ argument: "refund.orders.*.order_id", rows: 2, calls: 4, example: "ORD-2" }],
    assumedFreeText: ["refund.note"],
    warnings: [],
  });
  expect(toWire(report)).toMatchObject({ grounded_rate: 0.5, rows_with_calls: 3, not_stamped: expect.any(Array) });
  expect(report.notStamped.map(({ call }) => call)).toEqual(["traceMarkers", "styleMarkers"]);
});

test("grounding in print", () => {
  expect(formatGroundingReport(groundingReport(ROWS)).split("\n").slice(0, 4)).toEqual([
    "grounding: 50.0% of 4 rows have no made-up argument [0.15..0.85] over tasks",
    "  3 rows with calls, 4 arguments checked",
    '  refund.orders.*.order_id  in 2 rows, 4 times: "ORD-2"',
    "not checked, text of the agent's own: refund.note",
  ]);
  expect(formatGroundingReport(groundingReport([])).split("\n")[0]).toBe("grounding: not measured, no rows");
});

test("rows without calls were not checked, and a constant marker is named", () => {
  expect(groundingReport([ROWS[3]!])).toMatchObject({
    groundedRate: 1,
    degenerate: true,
    warnings: [{ code: "no_calls" }],
  });
  expect(groundingReport([ROWS[0]!])).toMatchObject({ ci95: null, warnings: [{ code: "degenerate" }] });
});

test("calls of which nothing is checked show nothing of where arguments come from, and neither do rows without calls", () => {
  const count = { prompt: "Refund 7.", steps: [{ tool: "refund", arguments: { order: 7 }, result: "ok" }] };
  const headline = (rows: Row[]) => formatGroundingReport(groundingReport(rows)).split("\n")[0];
  expect(groundingReport([count])).toMatchObject({ rowsWithCalls: 1, nChecked: 0 });
  expect(headline([count])).toBe("grounding: not measured, no call has an argument that is checked");
  expect(headline([{ prompt: "hi" }])).toBe("grounding: not measured, none of 1 row has a tool call");
});
