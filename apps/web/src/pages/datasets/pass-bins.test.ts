import { describe, expect, test } from "vitest";
import { passBins } from "./pass-bins.ts";

const task = (passed: number, graded: number) => ({
  task: `t${passed}of${graded}`,
  n: graded,
  graded,
  passed,
  pass_rate: graded === 0 ? null : passed / graded,
});
const profileOf = (pairs: [passed: number, graded: number][], per_task_complete = true) => ({
  per_task: pairs.map(([passed, graded]) => task(passed, graded)),
  per_task_complete,
});

describe("passBins", () => {
  test("a bin for each count where every task has as many rollouts", () => {
    const bins = passBins(
      profileOf([
        [0, 5],
        [0, 5],
        [1, 5],
        [4, 5],
        [5, 5],
      ] as [number, number][]),
    )!;
    expect(bins.bins.map(({ label, tasks, kind }) => [label, tasks, kind])).toEqual([
      ["0/5", 2, "none"],
      ["1/5", 1, "inside"],
      ["2/5", 0, "inside"],
      ["3/5", 0, "inside"],
      ["4/5", 1, "inside"],
      ["5/5", 1, "all"],
    ]);
    expect(bins).toMatchObject({ tasks: 5, inBand: 2, k: 5 });
  });

  test("0.2 and 0.8 are inside the band, 1 of 8 is not", () => {
    const eights = passBins(
      profileOf([
        [1, 8],
        [2, 8],
        [7, 8],
      ] as [number, number][]),
    )!;
    expect(eights.bins.map(({ kind }) => kind).join(" ")).toBe(
      "none outside inside inside inside inside inside outside all",
    );
    expect(eights.inBand).toBe(1);
  });

  test("tenths where the numbers of rollouts differ, and the edges of the band stand between bins", () => {
    const bins = passBins(
      profileOf([
        [0, 3],
        [1, 3],
        [3, 10],
        [2, 2],
      ] as [number, number][]),
    )!;
    expect(bins.k).toBeNull();
    expect(bins.bins.map(({ tasks }) => tasks)).toEqual([1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1]);
    expect([bins.place(0.2), bins.place(0.8)]).toEqual([3, 9]);
  });

  test("the band of counts stands where its rates do", () => {
    const bins = passBins(profileOf([[1, 8]] as [number, number][]))!;
    expect([bins.place(0.2), bins.place(0.8)]).toEqual([2.1, 6.9]);
  });

  test("every task with a rate is in one bin", () => {
    for (const pairs of [
      [
        [0, 4],
        [2, 4],
        [4, 4],
      ],
      [
        [9, 10],
        [99, 100],
        [1, 100],
        [5, 7],
      ],
    ] as [number, number][][]) {
      const { bins, tasks } = passBins(profileOf(pairs))!;
      expect(bins.reduce((sum, bin) => sum + bin.tasks, 0)).toBe(tasks);
    }
  });

  test.each([
    ["one rollout a task has no rate", profileOf([[1, 1]])],
    ["nothing is graded", profileOf([[0, 0]])],
    ["not every task is listed", profileOf([[1, 4]], false)],
  ])("null where %s", (_, profile) => {
    expect(passBins(profile)).toBeNull();
  });
});
