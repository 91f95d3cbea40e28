import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  codePointLength,
  conversation,
  countLoneSurrogates,
  exportRow,
  fromMessages,
  groupByTask,
  leakReport,
  normText,
  pyJson,
  type Row,
  rowKey,
  sha256Hex,
  splitHoldout,
  taskKey,
  toolCalls,
} from "../src/index.ts";

describe("half a surrogate pair in a reply", () => {
  const odd: Row = { task_id: "t1", prompt: "solve", final_text: "x = \ud835", reward: 1 };
  const others = Array.from(
    { length: 99 },
    (_, i): Row => ({ prompt: `ask ${i}`, final_text: `reply ${i}`, reward: 0 }),
  );

  test("hashes as U+FFFD, is counted, and is named by the row that has it", () => {
    const replaced = createHash("sha1").update("solve\u001fx = \ufffd").digest("hex").slice(0, 16);
    expect(rowKey(odd)).toBe(replaced);
    const counted = [odd, ...others].map((row) => countLoneSurrogates(row.final_text ?? ""));
    expect(counted).toEqual([1, ...Array(99).fill(0)]);
  });

  test("goes through every reading and leaves as JSON that UTF-8 can hold", () => {
    const line = JSON.stringify(exportRow(odd));
    expect(line).toContain("x = \\ud835");
    expect(Buffer.from(line).toString()).toBe(line);
    expect(pyJson(odd)).toContain("\\ud835");
    expect(codePointLength(odd.final_text!)).toBe(5);
    expect(leakReport([odd]).nRows).toBe(1);
  });

  test("costs no other row anything", () => {
    expect(others.map(rowKey)).toEqual(structuredClone(others).map(rowKey));
    expect(groupByTask([odd, ...others]).groups.size).toBe(100);
    expect(new Set([odd, ...others].map(rowKey)).size).toBe(100);
  });
});

describe("three spellings of tool arguments, and none", () => {
  const spellings = [
    { type: "function", function: { name: "get_order", arguments: '{"order_id":"A1"}' } },
    { type: "function", function: { name: "get_order", arguments: { order_id: "A1" } } },
    { type: "function", function: { name: "list_orders", arguments: null } },
    { type: "function", function: { name: "list_orders", arguments: "" } },
  ];
  const messages = [
    { role: "user", content: "Which orders?" },
    ...spellings.flatMap((call) => [
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", content: "ok" },
    ]),
  ];

  test("read as name and object", () => {
    const { steps, notes } = fromMessages(messages);
    expect(steps).toEqual([
      { tool: "get_order", arguments: { order_id: "A1" }, result: "ok" },
      { tool: "get_order", arguments: { order_id: "A1" }, result: "ok" },
      { tool: "list_orders", arguments: {}, result: "ok" },
      { tool: "list_orders", arguments: {}, result: "ok" },
    ]);
    expect(notes.size).toBe(0);
  });

  test("a fifth that is no JSON keeps its text through the row and back, and is never a call with {}", () => {
    const broken = { type: "function", function: { name: "get_order", arguments: "{order_id: A1}" } };
    const read = fromMessages([...messages, { role: "assistant", content: null, tool_calls: [broken] }]);
    expect(read.notes.get("unreadable_call")).toBe(1);
    const told = conversation({ ...read }).flatMap((message) => toolCalls(message));
    expect(told).toHaveLength(5);
    expect(told.at(-1)).toMatchObject({ name: "get_order", raw: "{order_id: A1}", parseError: expect.any(String) });
  });
});

describe("names that JavaScript objects already have", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const rows: Row[] = names.flatMap((name) => [
    { task_id: name, rollout_index: 0 },
    { task_id: name, rollout_index: 1 },
  ]);

  test("are tasks like any other", () => {
    expect([...groupByTask(rows).groups].map(([key, group]) => [key, group.length])).toEqual(names.map((n) => [n, 2]));
    const { train, holdout } = splitHoldout([...rows, { task_id: "s1" }], 0.5);
    expect(train.length + holdout.length).toBe(9);
  });

  test("are tools, arguments and keys of a row like any other", () => {
    const row: Row = JSON.parse(
      '{"prompt":"p","steps":[{"tool":"__proto__","arguments":{"__proto__":{"a":1}},"result":{"constructor":1}}],"constructor":{"x":1}}',
    );
    const exported = exportRow(row);
    expect(Object.keys(exported)).toContain("constructor");
    const { steps } = fromMessages(conversation(exported));
    expect(pyJson(steps)).toBe(
      '[{"tool": "__proto__", "arguments": {"__proto__": {"a": 1}}, "result": {"constructor": 1}}]',
    );
  });
});

describe("one ask typed on two keyboards", () => {
  const spaced = "Cancel\u00a0order\u2009A1\u3000please";
  const plain = "cancel order A1 please";

  test("has one normal form but stays two prompts: a task key folds nothing", () => {
    expect(normText(spaced)).toBe(normText(plain));
    expect(taskKey({ prompt: spaced })).not.toBe(taskKey({ prompt: plain }));
  });

  test("composed and decomposed letters are different texts, here as in the Python SDK", () => {
    expect(sha256Hex("caf\u00e9")).not.toBe(sha256Hex("cafe\u0301"));
    expect(normText("CAFÉ")).toBe("café");
  });
});
