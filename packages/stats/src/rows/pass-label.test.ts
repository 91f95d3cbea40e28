import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { gradedReward } from "./graded-reward.ts";
import { binaryReward, passLabel } from "./pass-label.ts";

/** Rows as a careless file has them. */
const row = (fields: Record<string, unknown>) => fields as Row;

test.each([
  // row, pass label, any verdict
  [{ reward: 1 }, 1, 1],
  [{ reward: "0" }, 0, 0],
  [{ reward: " 1.0 " }, 1, 1],
  [{ reward: true }, null, null],
  [{ reward: 0.5 }, null, 0.5],
  [{ reward: 0.9999999 }, null, 0.9999999],
  [{ reward: null }, null, null],
  [{ reward: Number.NaN, qwen_reward: 0 }, 0, 0],
  [{ reward: 0.5, qwen_reward: 1 }, 1, 0.5],
  [{ reward: true, qwen_reward: 0.25 }, null, 0.25],
  [{}, null, null],
])("%j: pass label %j, verdict %j", (fields, label, graded) => {
  expect(passLabel(row(fields))).toBe(label);
  expect(gradedReward(row(fields))).toBe(graded);
});

test("binaryReward reads one key alone", () => {
  expect(binaryReward(row({ reward: 0.5, qwen_reward: 1 }))).toBeNull();
  expect(binaryReward(row({ gold_reward: 1 }), "gold_reward")).toBe(1);
});
