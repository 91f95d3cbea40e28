import { expect, test } from "vitest";
import { exportLines } from "../export-lines.ts";

const user = { role: "user", content: "q" };
const call = (name: string, args: string) => ({ id: name, name, arguments: args });

test("text beside calls is a turn of its own, and the first of several calls has the flag", () => {
  const calls = { role: "assistant", content: "Two:", tool_calls: [call("f", '{"id":1.0}'), call("g", "{}")] };
  const { lines, report } = exportLines([{ messages: [user, calls] }], { format: "ms-swift" });
  expect(JSON.parse(lines[0]!).messages).toEqual([
    user,
    { role: "assistant", content: "Two:", loss: true },
    { role: "tool_call", content: '{"name": "f", "arguments": {"id": 1.0}}', loss: true },
    { role: "tool_call", content: '{"name": "g", "arguments": {}}' },
  ]);
  expect(report).toMatchObject({
    trainedMessages: 1,
    maskedMessages: 1,
    toolCallRoundtrip: { checked: 2, encoding: "text" },
  });
});

test("single turns may train, and a call that does not read back is refused", () => {
  const say = { role: "assistant", content: "x" };
  const { lines } = exportLines([{ messages: [user, say, user, say], train_turns: [1] }], { format: "ms-swift" });
  expect(JSON.parse(lines[0]!).messages.map(({ loss }: { loss?: boolean }) => loss)).toEqual([
    undefined,
    false,
    undefined,
    true,
  ]);
  const broken = [user, { role: "assistant", tool_calls: [call("f", "{x")] }];
  expect(() => exportLines([{ messages: broken }], { format: "ms-swift" })).toThrow(/^tool_call_roundtrip_invalid/);
});
