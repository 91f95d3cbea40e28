import { expect, test } from "vitest";
import { calibrationOf } from "./calibration.ts";
import { assignRolloutIds } from "./identity/assign-rollout-ids.ts";
import { leakReport } from "./privileged/leaks.ts";
import { groupByTask } from "./task-key.ts";
import { toWire } from "./wire.ts";

test("Maps become objects whose keys stay as they are, absent becomes null, and numbers must exist", () => {
  expect(toWire({ nRows: 1, by: new Map([["taskA", null]]), list: [undefined] })).toEqual({
    n_rows: 1,
    by: { taskA: null },
    list: [null],
  });
  expect(() => toWire({ rate: Number.NaN })).toThrow("NaN");
  expect(() => toWire({ someNewField: 1 })).toThrow("someNewField");
});

test.each([
  ["leakReport", leakReport([])],
  ["groupByTask", groupByTask([{}])],
  ["assignRolloutIds", assignRolloutIds([{}])],
  ["calibrationOf", calibrationOf({ calibration: { n: 1, pass_rate: 1 } })],
])("what %s returns has its spelling on the wire", (_name, report) => {
  expect(() => toWire(report)).not.toThrow();
});
