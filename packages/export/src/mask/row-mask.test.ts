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
] as const)("%j under %s: empty turns and turns left out carry no loss", (row, mode, mask) => {
  expect(rowMask(talk, { ...row }, mode)).toEqual(mask);
});

test.each([[[3]], [[-1]], [[0.5]], ["0"]])("train_turns %j is refused: there are three turns", (train_turns) => {
  expect(() => rowMask(talk, { train_turns }, "assistant")).toThrow(/^schema_invalid in training_rows: train_turns/);
});
