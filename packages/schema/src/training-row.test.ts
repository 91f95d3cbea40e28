import { expect, test } from "vitest";
import { preferenceRowSchema, trainingRowSchema } from "./training-row.ts";

const turn = { role: "assistant", content: "a" };

test.each([
  [{ messages: [turn], loss_mask: [1], group_id: "t", extra: 1 }, true],
  [{ messages: [] }, false],
  [{ messages: [turn], loss_mask: [true] }, false],
  [{ messages: [{ content: "a" }] }, false],
])("trainingRowSchema takes %j: %s", (row, taken) => {
  expect(trainingRowSchema.safeParse(row).success).toBe(taken);
});

test.each([
  [{ prompt: "p", chosen: [turn], rejected: [turn], same_policy: null, margin: 1 }, true],
  [{ prompt: [turn], chosen: [turn], rejected: [turn] }, true],
  [{ prompt: "p", chosen: "a", rejected: [turn] }, false],
  [{ prompt: "p", chosen: [turn], rejected: [] }, false],
])("preferenceRowSchema takes %j: %s", (row, taken) => {
  expect(preferenceRowSchema.safeParse(row).success).toBe(taken);
});
