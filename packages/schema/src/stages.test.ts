import { expect, test } from "vitest";
import { type Row, STAGES } from "./row.ts";
import { stageOf, stampStage } from "./stages.ts";

test.each<[Row, string | null]>([
  [{ stage: "SFT" }, "sft"],
  [{ stage: "warmup", purpose: "eval" }, "warmup"],
  [{ stage: "", lineage: { source: "eval" } }, "eval"],
  [{ purpose: "eval" }, "eval"],
  [{ purpose: "holdout" }, "eval"],
  [{ purpose: "train", lineage: { source: "grade" } }, null],
  [{}, null],
])("stageOf(%j) is %j", (row, stage) => {
  expect(stageOf(row)).toBe(stage);
});

test.each(STAGES)("a row stamped %s is of that stage, and the row it came from is not changed", (stage) => {
  const row = { task_id: "t", stage: "mid", reward: 0.5 };
  expect(stampStage([row], stage.toUpperCase())).toEqual([{ ...row, stage }]);
  expect(row.stage).toBe("mid");
});

test("another stage is refused by name", () => {
  expect(() => stampStage([], "pretraining")).toThrow(
    'The stage is "pretraining". Give one of sft, rm, rl, eval, mid.',
  );
});
