import { describe, expect, test } from "vitest";
import { stepPace } from "./step-pace.ts";

const T0 = 1_758_264_000;
const points = (...pairs: [step: number, seconds: number | null][]) =>
  pairs.map(([step, seconds]) => ({ step, ts: seconds === null ? null : T0 + seconds }));

describe("stepPace", () => {
  test("one pause does not move the pace", () => {
    const pace = stepPace(points([0, 0], [1, 30], [2, 60], [3, 3000], [4, 3030]), 10);
    expect(pace).toEqual({
      step: 4,
      medianStepS: 30,
      elapsedS: 3030,
      leftS: 180,
      lastAt: new Date(1000 * (T0 + 3030)).toISOString(),
    });
  });

  test("points that lie apart count per step, in any order", () => {
    expect(stepPace(points([40, 800], [0, 0], [20, 400]), 60)).toMatchObject({ medianStepS: 20, leftS: 400 });
  });

  test("a step that was logged again, and a clock that went back, say nothing", () => {
    expect(stepPace(points([1, 10], [1, 20], [2, 5]), 3).medianStepS).toBeNull();
    expect(stepPace(points([1, 10], [1, 20], [2, 30]), 3).medianStepS).toBe(10);
  });

  test("without times there is a step and nothing else", () => {
    expect(stepPace(points([3, null], [7, null]), 10)).toEqual({
      step: 7,
      medianStepS: null,
      elapsedS: null,
      leftS: null,
      lastAt: null,
    });
  });

  test("an instant of 0 is none: runs of an agent have no times", () => {
    const untimed = [
      { step: 0, ts: 0 },
      { step: 1, ts: 0 },
    ];
    expect(stepPace(untimed, 5)).toMatchObject({ step: 1, medianStepS: null, lastAt: null });
  });

  test("nothing is left without a total, and at the end", () => {
    expect(stepPace(points([0, 0], [1, 30]), null).leftS).toBeNull();
    expect(stepPace(points([0, 0], [1, 30]), 1).leftS).toBeNull();
  });

  test("no point at all", () => {
    expect(stepPace([], 5)).toEqual({ step: null, medianStepS: null, elapsedS: null, leftS: null, lastAt: null });
  });
});
