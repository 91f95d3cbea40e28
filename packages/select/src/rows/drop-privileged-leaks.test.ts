import { expect, test } from "vitest";
import { dropPrivilegedLeaks } from "./drop-privileged-leaks.ts";

const card = { hidden_state: { card: "card on file ends in 4242" } };

test("a reply that quotes its privileged block leaves, with the quote in the report", () => {
  const clean = { scenario_id: "s2", final_text: "Done.", privileged: card };
  const bare = { scenario_id: "s3", final_text: "The card on file ends in 4242." };
  const leaking = {
    scenario_id: "s1",
    rollout_index: 3,
    final_text: "The  Card on file ends in 4242!",
    privileged: card,
  };
  const { rows, report } = dropPrivilegedLeaks([clean, leaking, bare, "no row" as never]);
  expect(rows).toEqual([clean, bare]);
  expect(report).toEqual({
    checked: true,
    nChecked: 2,
    nDropped: 1,
    nNotRows: 1,
    leaked: [
      {
        carrier: "reply",
        coverage: 1,
        row: 1,
        scenarioId: "s1",
        rolloutIndex: 3,
        field: "hidden_state.card",
        needle: "card on file ends in 4242",
      },
    ],
  });
});

test("rows without a block were not checked, which is no finding", () => {
  expect(dropPrivilegedLeaks([{ final_text: "x" }]).report.checked).toBe(false);
});
