import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";

const user = { role: "user", content: "q" };
const call = (id: string) => ({ role: "assistant", tool_calls: [{ id, name: "f", arguments: "{}" }] });
const answer = (id: string) => ({ role: "tool", content: "r", tool_call_id: id });
const done = { role: "assistant", content: "x" };

test("ids are nine characters, the same on a call and its answer", () => {
  const { lines } = exportLines([{ messages: [user, call("toolu_01ABC"), answer("toolu_01ABC"), done] }], {
    format: "mistral",
  });
  const { messages } = JSON.parse(lines[0]!);
  expect([messages[1].tool_calls[0].id, messages[2].tool_call_id]).toEqual(["66e360e7c", "66e360e7c"]);
  expect(messages[1]).not.toHaveProperty("content");
});

test.each([
  ["a call without its answer", [user, call("a"), done], /the call 86f7e437f is never answered/],
  ["two calls of one id", [user, call("a"), answer("a"), call("a"), answer("a"), done], /same id of nine/],
])("refused: %s", (_, messages, message) => {
  expect(() => exportLines([{ messages }], { format: "mistral" })).toThrow(message);
});

test("what the trainer does with weights beside tools is said", () => {
  const rows = [{ messages: [user, done] }];
  expect(exportLines(rows, { format: "mistral" }).report.maskMode).toMatch(/^assistant; of rows with tools/);
  expect(exportLines(rows, { format: "mistral", unroll: true }).report.maskMode).toBe("final (unrolled)");
});
