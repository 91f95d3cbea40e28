import { type Row, sha256Hex } from "@while/schema";
import { expect, test } from "vitest";
import { calibrate } from "./calibrate.ts";
import { carryCalibration } from "./carry-calibration.ts";

const rows = (task: string, rewards: (number | null)[], rest: Row = {}): Row[] =>
  rewards.map((reward) => ({ task_id: task, reward, ...rest }));
const stamp = (row: Row | undefined) => row?.calibration;

test("the stamp counts what was graded, not what was kept", () => {
  const graded = rows("a", [1, 0, 0, 0, null], { policy_version: "v2" });
  const { rows: kept, report } = carryCalibration(graded, graded.slice(0, 2));
  expect(stamp(kept[0])).toEqual({
    task_id: "a",
    student: { name: "", model: null, prompt_hash: null, version: "v2" },
    n: 4,
    pass_rate: 0.25,
    mean_kl: null,
    pass_rate_ci95: [0.0456, 0.6994],
  });
  expect(report).toEqual({
    nTasks: 1,
    nRows: 2,
    nStamped: 2,
    nCarried: 0,
    tasks: [{ taskId: "a", n: 4, passRate: 0.25, passRateCi95: [0.0456, 0.6994] }],
  });
});

test("a stamp on more rollouts stays, unless it is another student's", () => {
  const old = { n: 16, pass_rate: 0.75, student: { version: "v1" }, note: "kept" };
  const same = rows("a", [1, 0], { policy_version: "v1", calibration: old });
  expect(stamp(carryCalibration(same, same).rows[0])).toMatchObject({ n: 16, pass_rate: 0.75, note: "kept" });
  const other = rows("a", [1, 0], { policy_version: "v2", calibration: old });
  expect(stamp(carryCalibration(other, other).rows[0])).toMatchObject({ n: 2, pass_rate: 0.5, note: "kept" });
});

test("the student named in the call is stamped", () => {
  const graded = rows("a", [1, 0], { policy_version: "v1" });
  const { rows: kept } = carryCalibration(graded, graded, { policy: "You are brief.", model: "m" });
  expect(stamp(kept[0])?.student).toEqual({
    name: "",
    model: "m",
    prompt_hash: sha256Hex("You are brief.").slice(0, 16),
    version: null,
  });
});

test("rows without a task or without a graded rollout stay as they are", () => {
  const bare: Row = { reward: 1 };
  const ungraded: Row = { task_id: "b" };
  const { rows: kept, report } = carryCalibration([bare, ungraded], [bare, ungraded]);
  expect(kept).toEqual([bare, ungraded]);
  expect(report).toMatchObject({ nTasks: 1, nRows: 2, nStamped: 0, tasks: [] });
});

test("calibrate stamps labelled rows with the rate the grader saw before a penalty", () => {
  const given = [...rows("a", [1, 0, 0.5]), { task_id: "a", reward: 0, reward_before_penalty: 1 }, { reward: 1 }];
  const { rows: stamped, report } = calibrate(given);
  expect(stamped.map((row) => stamp(row)?.pass_rate)).toEqual([2 / 3, 2 / 3, undefined, 2 / 3, undefined]);
  expect(report).toMatchObject({ nTasks: 2, nRows: 5, nStamped: 3, nCarried: 0, nUnstamped: 2, student: null });
  expect(report.passAt.passAt1).toBeCloseTo(2 / 3);
});

test("stamping twice is stamping once", () => {
  const given = rows("a", [1, 0, 0]);
  const once = calibrate(given).rows;
  expect(calibrate(once).rows).toEqual(once);
  expect(carryCalibration(once, once.slice(1)).rows).toEqual(once.slice(1));
});

test("a mistyped option is refused", () => {
  expect(() => calibrate([], { polcy: "x" } as never)).toThrow(/Did you mean policy/);
});
