import fc from "fast-check";
import { expect, test } from "vitest";
import { dedupeGroups } from "./dedupe-groups.ts";

test("same words after other calls are another trajectory", () => {
  const call = { tool: "get", arguments: {}, result: { status: "ok" } };
  const rows = [
    { prompt: "p", final_text: "Done.", reward: 1 },
    { prompt: "p", final_text: "done. ", reward: 0, steps: [call] },
    { prompt: "p", final_text: "DONE.", reward: 0, steps: [call] },
    { prompt: "p", final_text: "Done.", reward: 0 },
    { prompt: "p\nDone.", final_text: "" },
    { prompt: "p", final_text: "Done.", reward: 1 },
  ];
  const { rows: kept, report } = dedupeGroups([...rows, null as never]);
  expect(kept).toEqual([rows[0], rows[1], rows[4]]);
  expect(report).toEqual({
    n: 7,
    nKept: 3,
    nDropped: 3,
    nNotRows: 1,
    groupsAffected: 1,
    duplicateRate: 3 / 7,
    conflictingRewards: 1,
  });
});

test("no rows have no duplicate rate", () => {
  expect(dedupeGroups([]).report.duplicateRate).toBeNull();
});

test("what is kept has no duplicate left, in the order given", () => {
  const row = fc.record({
    prompt: fc.constantFrom("a", "b"),
    final_text: fc.constantFrom("x", "X ", "I can't."),
    n: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      const { rows: kept } = dedupeGroups(rows);
      expect(dedupeGroups(kept).rows).toEqual(kept);
      expect(rows.filter((r) => kept.includes(r))).toEqual(kept);
      expect(new Set(kept.map((r) => `${r.prompt}:${r.final_text?.trim().toLowerCase()}`)).size).toBe(kept.length);
    }),
  );
});
