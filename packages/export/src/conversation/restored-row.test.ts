import { expect, test } from "vitest";
import { restoredRow } from "./restored-row.ts";

test("a tool_trace becomes steps where there are none; a call without output stays unanswered", () => {
  const tool_trace = [{ tool: "f", input: { a: 1 }, output: "ok" }, { tool: "g", input: {} }, null];
  expect(restoredRow({ tool_trace }).steps).toEqual([
    { tool: "f", arguments: { a: 1 }, result: "ok" },
    { tool: "g", arguments: {} },
  ]);
  const steps = [{ text: "hi" }];
  expect(restoredRow({ steps, tool_trace }).steps).toBe(steps);
});

test("prompt and completion lists are one conversation", () => {
  const user = { role: "user", content: "q" };
  const agent = { role: "assistant", content: "a" };
  const row = { prompt: [user], completion: [agent], prompt_text: "q" } as never;
  expect(restoredRow(row)).toMatchObject({ messages: [user, agent], prompt: "q" });
});

test.each([[{ metadata_json: '{"faults": {"a": 1.0}}' }], [{ prompt_text: "q", metadata: { faults: { a: 1 } } }]])(
  "what was moved into one column comes back: %j",
  (row) => {
    expect(JSON.parse(JSON.stringify(restoredRow(row).faults))).toEqual({ a: 1 });
  },
);

test("tools as text are a list again, text that is no JSON stays for the check to name", () => {
  expect(restoredRow({ tools: '[{"type": "function"}]' } as never).tools).toEqual([{ type: "function" }]);
  expect(restoredRow({ tools: "[{" } as never).tools).toBe("[{");
});

test("a row with nothing to restore comes back as it is", () => {
  const row = { prompt: "q", steps: [{ text: "a" }] };
  expect(restoredRow(row)).toBe(row);
});
