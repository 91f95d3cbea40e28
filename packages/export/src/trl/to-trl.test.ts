import { expect, test } from "vitest";
import { trainingRows } from "../training-rows.ts";
import { toTrl } from "./to-trl.ts";

const refund = {
  prompt: "Refund 42.",
  steps: [{ tool: "refund", arguments: { id: "42" }, result: "ok" }],
  final_text: "Done.",
  reward: 1,
};

test("training keeps the conversation, with objects for arguments and the ask under prompt_text", () => {
  const [row] = toTrl(trainingRows([refund]), "training").rows;
  expect(row!.messages![1]!.tool_calls![0]!.function.arguments).toEqual({ id: "42" });
  expect(row).toMatchObject({ prompt_text: "Refund 42.", reward: 1 });
  expect(row).not.toHaveProperty("prompt");
  expect(row).not.toHaveProperty("loss_mask");
});

test("the rows given are as they were", () => {
  const rows = trainingRows([refund]);
  const before = structuredClone(rows);
  toTrl(rows, "training");
  toTrl(rows, "completion");
  expect(rows).toEqual(before);
});

test("completion is the turn that trains; what follows is cut and counted", () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "a" },
    { role: "user", content: "thanks" },
  ];
  const report = toTrl(trainingRows([{ messages }]), "completion");
  expect(report).toMatchObject({ noCompletionDropped: 0, trailingMessagesDropped: 1 });
  expect(report.rows[0]).toMatchObject({ prompt: [{ role: "user" }], completion: [{ content: "a" }] });
});

test("an empty last turn is no completion", () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "assistant", content: "a" },
    { role: "assistant", content: "<think>x</think>" },
  ];
  const [row] = toTrl(trainingRows([{ messages }]), "completion").rows;
  expect(row!.completion).toEqual([{ role: "assistant", content: "a" }]);
});

test("rows without a mask are cut at the last turn that says or calls something", () => {
  const messages = [
    { role: "user" as const, content: "q" },
    { role: "assistant" as const, content: "a" },
  ];
  const row = { messages, schema_version: "1" as const } as never;
  expect(toTrl([row], "completion").rows).toHaveLength(1);
});

test("a conversation that the agent opens has no prompt before its only turn", () => {
  const report = toTrl(trainingRows([{ messages: [{ role: "assistant", content: "Hello" }] }]), "completion");
  expect(report).toEqual({ rows: [], noCompletionDropped: 1, trailingMessagesDropped: 0 });
});

test("preference rows are not written here", () => {
  expect(() => toTrl([], "preference" as never)).toThrow(
    /^kind_unsupported: toTrl writes training and completion rows/,
  );
});
