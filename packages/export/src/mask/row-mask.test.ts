import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import type { WireMessage } from "../training-row.ts";
import { rowMask } from "./row-mask.ts";

const talk: WireMessage[] = [
  { role: "user", content: "q" },
  { role: "assistant", content: "a" },
  { role: "user", content: "q" },
  { role: "assistant", content: "b" },
  { role: "assistant", content: "" },
];

test.each([
  [{}, "assistant", [0, 1, 0, 1, 0]],
  [{}, "final", [0, 0, 0, 1, 0]],
  [{ train_turns: [0] }, "assistant", [0, 1, 0, 0, 0]],
  [{ train_turns: [0] }, "final", [0, 1, 0, 0, 0]],
  [{ train_turns: [] }, "assistant", [0, 0, 0, 0, 0]],
  [{ train_turns: [2] }, "assistant", [0, 0, 0, 0, 0]],
  [{ train_turns: null }, "assistant", [0, 1, 0, 1, 0]],
  [{ loss_mask: [0, 1, 0, 0, 0] }, "assistant", [0, 1, 0, 0, 0]],
  [{ loss_mask: [0, 0, 1, 0, 0, 0] }, "assistant", [0, 1, 0, 0, 0]],
  [{ loss_mask: [0, 1, 0, 1, 1], train_turns: [1] }, "assistant", [0, 0, 0, 1, 0]],
  [{ loss_mask: [0, 1, 0, 0, 0] }, "final", [0, 1, 0, 0, 0]],
] as const)("%j under %s: empty turns and turns left out carry no loss", (row, mode, mask) => {
  expect(rowMask(talk, row as Row, mode).mask).toEqual(mask);
});

test.each([[[3]], [[-1]], [[0.5]], ["0"]])("train_turns %j is refused: there are three turns", (train_turns) => {
  expect(() => rowMask(talk, { train_turns }, "assistant")).toThrow(/^schema_invalid in training_rows: train_turns/);
});

test("turns held out are counted, empty ones not", () => {
  expect(rowMask(talk, { train_turns: [1] }, "assistant").nHeldOut).toBe(1);
  expect(rowMask(talk, { loss_mask: [0, 1, 0, 1, 0] }, "assistant").nHeldOut).toBe(0);
});

test.each([[[0, 1, 0]], [[1, 0, 1, 0, 1, 0]], [[0, 1, 0, 2, 0]], ["0"]])(
  "the loss_mask %j does not fit",
  (loss_mask) => {
    expect(() => rowMask(talk, { loss_mask } as Row, "assistant")).toThrow(
      /^schema_invalid in training_rows: loss_mask/,
    );
  },
);
