import { expect, test } from "vitest";
import { lossMask } from "./loss-mask.ts";

const roles = (...names: string[]) => names.map((role) => ({ role, content: "" }));
const talk = roles("system", "user", "assistant", "tool", "assistant", "user");

test.each([
  ["assistant", [0, 0, 1, 0, 1, 0]],
  ["final", [0, 0, 0, 0, 1, 0]],
] as const)("lossMask with mode %s", (mode, mask) => {
  expect(lossMask(talk, { mode })).toEqual(mask);
});

test("without an agent turn all are 0, and no messages have no mask", () => {
  expect(lossMask(roles("user", "tool"), { mode: "final" })).toEqual([0, 0]);
  expect(lossMask([])).toEqual([]);
});

test("a function picks turn by turn and sees the row", () => {
  const mode = (message: { role: string }, index: number, row: { writer_model?: string | null }) =>
    message.role === "assistant" && index > 2 && row.writer_model === "m";
  expect(lossMask(talk, { mode, row: { writer_model: "m" } })).toEqual([0, 0, 0, 0, 1, 0]);
});

test("a function may not pick what the agent did not write", () => {
  expect(() => lossMask(talk, { mode: () => true })).toThrow(/^invalid_option: .* message 0, which the system wrote/);
});

test("an unknown mode is refused with the known ones", () => {
  expect(() => lossMask(talk, { mode: "all" as never })).toThrow(
    /^mask_mode_unknown: mask_mode must be one of assistant, final; got "all"/,
  );
});
