import type { TrainCurve } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { curveCells, curveHeads } from "./curve-table.ts";

test("a curve as a table has each series that was logged, and an empty place where a step has none", () => {
  const none = [null, null];
  const curve = {
    ...{ steps: [1, 2], reward: [0.5, null], kl: none, loss: [1, 2], completionLength: none, clipRatio: none },
    series: { lr: [null, 0.1] },
  } as unknown as TrainCurve;
  expect(curveHeads(curve)).toEqual(["step", "reward", "loss", "lr"]);
  expect(curveCells(curve)).toEqual([
    [1, 0.5, 1, null],
    [2, null, 2, 0.1],
  ]);
});
