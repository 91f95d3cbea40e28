import { expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const system = { role: "system", content: "Be brief." };
const user = { role: "user", content: "Where is order 4473?" };

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test("a line is one row without a reward; answers to one context are rollouts of one task", () => {
  const { rows, report } = read([
    { messages: [system, user, { role: "assistant", content: "Shipped." }] },
    { messages: [system, user, { role: "assistant", content: "On its way." }] },
    { messages: [system, { role: "user", content: "Else?" }, { role: "assistant", content: "No." }] },
  ]);
  expect(report.format).toBe("openai-chat");
  expect(rows.map(({ task_id: task, rollout_index: index }) => [task, index])).toEqual([
    [rows[0]!.task_id, 0],
    [rows[0]!.task_id, 1],
    [rows[2]!.task_id, 0],
  ]);
  expect(rows[0]!.task_id).not.toBe(rows[2]!.task_id);
  expect(new Set(rows.map(({ rollout_id: id }) => id)).size).toBe(3);
  expect(rows[0]).toMatchObject({
    prompt: "Where is order 4473?",
    final_text: "Shipped.",
    steps: [{ text: "Shipped." }],
  });
  expect(rows[0]).not.toHaveProperty("reward");
});

test("the rules go to the report; a developer message is kept as it was, too", () => {
  const { rows, report } = read([
    { messages: [system, user] },
    { messages: [{ role: "developer", content: "Be kind." }, user] },
  ]);
  expect([...report.systemPrompts.values()]).toEqual(["Be brief.", "Be kind."]);
  expect(rows[0]?.messages).toEqual([user]);
  expect(rows[0]).not.toHaveProperty("system_prompt");
  expect(rows[1]?.system_messages).toEqual([{ role: "developer", content: "Be kind." }]);
});

test("weights become a loss mask over the messages that stay", () => {
  const messages = [
    system,
    user,
    { role: "assistant", content: "No.", weight: 0 },
    { role: "user", content: "Sure?" },
    { role: "assistant", content: "Yes.", weight: 1 },
    { role: "assistant", content: "Really." },
  ];
  const [row] = read([{ messages }]).rows;
  expect(row?.loss_mask).toEqual([0, 0, 0, 1, 1]);
  expect(row?.messages).toHaveLength(5);
  expect(row?.messages?.[1]).toEqual({ role: "assistant", content: "No." });
  expect(() => read([{ messages: [user, { role: "assistant", content: "x", weight: 2 }] }])).toThrow(/weight is 2/);
});

test("tools are carried, functions from before there were tools become tools", () => {
  const find = { name: "find", parameters: {} };
  const lines = [
    { messages: [user], tools: [{ type: "function", function: find }], parallel_tool_calls: false },
    { messages: [user], functions: [find] },
  ];
  const { rows, report } = read(lines);
  for (const row of rows) expect(row.tools).toEqual([{ type: "function", function: find }]);
  expect(rows[0]?.parallel_tool_calls).toBe(false);
  expect(report.tools).toEqual([{ type: "function", function: find }]);
});

test("a line that ends with the user is for a grader: its other keys are privileged, its own row keys are not", () => {
  const [row] = read([{ messages: [user], answer: "shipped", item: { id: 1 }, task_id: 7, metadata: { a: 1 } }]).rows;
  expect(row).toMatchObject({ privileged: { answer: "shipped", item: { id: 1 } }, task_id: "7", metadata: { a: 1 } });
  expect(row).not.toHaveProperty("answer");
});

test("a line that was graded keeps its reward, and the door looks at it", () => {
  const messages = [user, { role: "assistant", content: "Shipped." }];
  expect(read([{ messages, reward: 1, task_id: "t" }]).rows[0]).toMatchObject({ reward: 1, task_id: "t" });
  expect(() => read([{ messages, reward: 3 }])).toThrow(/line 1: reward is 3, outside 0 to 1/);
  expect(read([{ messages, reward: 3 }], { scale: [1, 5] }).rows[0]?.reward).toBe(0.5);
});

test("a preference is two rows of one task, or one pair when that is asked", () => {
  const line = {
    input: { messages: [system, user], parallel_tool_calls: true },
    preferred_output: [{ role: "assistant", content: "Shipped." }],
    non_preferred_output: [{ role: "assistant", content: "Dunno." }],
    source: "s",
  };
  const { rows, report } = read([line]);
  expect(report.format).toBe("openai-preference");
  expect(rows).toMatchObject([
    { final_text: "Shipped.", reward: 1, label_source: "preference", rollout_index: 0, source: "s" },
    { final_text: "Dunno.", reward: 0, label_source: "preference", rollout_index: 1, parallel_tool_calls: true },
  ]);
  expect(rows[0]!.task_id).toBe(rows[1]!.task_id);
  const pairs = read([line], { as: "pairs" }).rows;
  expect(pairs).toMatchObject([
    {
      prompt: "Where is order 4473?",
      chosen: [system, user, { role: "assistant", content: "Shipped." }],
      rejected: [system, user, { role: "assistant", content: "Dunno." }],
    },
  ]);
});

test.each([
  [{ messages: [{ content: "no role" }] }, /no list of messages with a role/],
  [{ messages: [] }, /no list of messages with a role/],
])("%j is refused with its line", (line, what) => {
  expect(() => read([{ messages: [user] }, line])).toThrow(what);
});
