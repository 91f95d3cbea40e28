import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { dropReason } from "./drop-reason.ts";
import { filterRlRows } from "./filter-rl-rows.ts";

const row = (rest: Row): Row => ({ prompt: "please cancel order A1001", final_text: "Cancelled.", ...rest });

test.each<[reason: string | null, title: string, row: Row]>([
  [null, "a graded reply", row({ reward: 1 })],
  ["incomplete_junk", "an empty reply", row({ reward: 1, final_text: " " })],
  ["do_nothing", "an ungraded reply without the call that was asked for", row({})],
  ["unusable_label", "the same with the call", row({ steps: [{ tool: "cancel", result: {} }] })],
  ["unusable_label", "partial credit", row({ reward: 0.5 })],
  [
    null,
    "a trusted zero over an empty reply with a call",
    row({ reward: 0, label_source: "Gold", final_text: "", steps: [{ tool: "x" }] }),
  ],
  ["incomplete_junk", "a trusted zero over nothing at all", { reward: 0, label_source: "gold" }],
  ["incomplete_junk", "a trusted one", row({ reward: 1, label_source: "gold", final_text: "" })],
])("%s: %s", (reason, _, given) => {
  expect(dropReason(given)).toBe(reason);
});

test("a table of labels passes without the text gates", () => {
  expect(dropReason({ reward: 1 }, { textGates: false })).toBeNull();
  expect(dropReason({ reward: null }, { textGates: false })).toBe("unusable_label");
});

test("an agent without tools is never blamed for not calling one", () => {
  expect(dropReason(row({}), { hasTools: false })).toBe("unusable_label");
});

test("filterRlRows keeps count of every row", () => {
  const zero = row({ reward: 0, label_source: "claude-judge", final_text: "", steps: [{ tool: "x", result: 1 }] });
  const rows = [
    row({ reward: 1 }),
    row({}),
    row({ reward: 2 }),
    row({ reward: 0, final_text: "" }),
    zero,
    null as never,
  ];
  const { rows: kept, report } = filterRlRows(rows);
  expect(kept).toEqual([rows[0], zero]);
  expect(report).toEqual({
    n: 6,
    nKept: 2,
    nDropped: 4,
    nNotRows: 1,
    dropped: { do_nothing: 1, incomplete_junk: 1, unusable_label: 1 },
    keptVerifiedZero: 1,
  });
});

test("a mistyped option is refused by name", () => {
  expect(() => filterRlRows([], { hasTool: true } as never)).toThrow(/hasTool.*hasTools/s);
});
