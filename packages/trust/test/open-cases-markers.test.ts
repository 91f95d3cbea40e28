import { type Row, readRows } from "@while/schema";
import { deltaReport, markerSummary } from "@while/stats";
import { describe, expect, test } from "vitest";
import { argumentGrounding, groundingReport, markGrounding, styleReport, ungroundedArguments } from "../src/index.ts";

const read = (...rows: unknown[]): readonly Row[] =>
  readRows(rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n")).rows;

describe("ids too large for a double, as arguments", () => {
  test("one that was said digit by digit is grounded, its neighbour is made up", () => {
    const row = (said: string, used: string) =>
      `{"task_id":"t","prompt":"Cancel ${said}","steps":[{"tool":"cancel","arguments":{"order_id":"${used}"}}]}`;
    const rows = read(row("9007199254740993", "9007199254740993"), row("9007199254740993", "9007199254740992"));
    expect(rows.map((each) => argumentGrounding(each))).toEqual([1, 0]);
  });

  test("a bare number that JSON cannot hold is not grounded by its neighbour", () => {
    const [row] = read(
      '{"task_id":"t","prompt":"Cancel 9007199254740993","steps":[{"tool":"cancel","arguments":{"order_id":9007199254740995}}]}',
    );
    expect(argumentGrounding(row!)).toBe(0);
  });

  test("leading zeros are part of an id that is text", () => {
    const row: Row = { prompt: "Cancel 007", steps: [{ tool: "cancel", arguments: { code: "0007" } }] };
    expect(argumentGrounding(row)).toBe(0);
  });
});

describe("spellings of tool arguments", () => {
  const spelled = (...calls: unknown[]): Row => ({
    prompt: "Where is A1?",
    messages: [
      { role: "user", content: "Where is A1?" },
      ...calls.flatMap((call, i) => [
        { role: "assistant", content: null, tool_calls: [{ id: `c${i}`, ...(call as object) }] },
        { role: "tool", tool_call_id: `c${i}`, content: "ok" },
      ]),
    ],
  });
  const named = (name: string, given: unknown) => ({ type: "function", function: { name, arguments: given } });

  test("text, object, null and nothing are read as one", () => {
    const row = spelled(
      named("get_order", '{"order_id":"A1"}'),
      named("get_order", { order_id: "A1" }),
      named("list_orders", null),
      named("list_orders", ""),
    );
    expect(groundingReport([row], { minLen: 1 })).toMatchObject({ nCalls: 4, nChecked: 2, nUngrounded: 0 });
  });

  test("arguments that are no JSON accuse nobody", () => {
    expect(argumentGrounding(spelled(named("get_order", "{order_id: Z9}")))).toBe(1);
  });

  test("flat calls and calls in blocks count as well", () => {
    const flat: Row = {
      prompt: "x",
      messages: [{ role: "assistant", tool_calls: [{ name: "get", arguments: { id: "Z-99" } }] }],
    };
    const block: Row = {
      prompt: "x",
      messages: [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "get", input: { id: "Z-99" } }] }],
    };
    for (const row of [flat, block])
      expect(ungroundedArguments(row)).toEqual([{ tool: "get", key: "id", value: "Z-99" }]);
  });
});

describe("markers that are no numbers", () => {
  test("what a report stamps is its own: values that rows came with are not read", () => {
    const rows = read(
      '{"task_id":"a","prompt":"p","final_text":"It depends.","markers":{"no_hedging":NaN}}',
      '{"task_id":"b","prompt":"q","final_text":"It is 4.","markers":{"no_hedging":Infinity}}',
    );
    expect(styleReport(rows).markers.get("no_hedging")).toMatchObject({ clean: 0.5, hits: 1, n: 2 });
  });

  test("stamping over a value that is no number gives a number", () => {
    const [row] = markGrounding([{ prompt: "p", markers: { argument_grounding: "yes" } } as unknown as Row]);
    expect(markerSummary([row!]).get("argument_grounding")).toMatchObject({ nRows: 1, mean: 1, nNonFinite: 0 });
  });
});

test("a run that learned to invent its arguments fails the guard on grounding", () => {
  const run = (invents: boolean): Row[] =>
    Array.from({ length: 20 }, (_, i) => ({
      task_id: `t${i}`,
      prompt: i % 2 === 0 ? `Cancel ORD-${i}` : "Cancel it",
      steps: [{ tool: "cancel", arguments: { order_id: i % 2 === 0 || invents ? `ORD-${i}` : "it" }, result: "ok" }],
      final_text: "Done.",
      reward: invents ? 1 : i % 4 === 0 ? 0 : 1,
    }));
  const [before, after] = [run(false), run(true)].map((rows) => markGrounding(rows));
  const report = deltaReport(before!, after!, { target: "pass_at_1", mustNotRegress: ["marker:argument_grounding"] });
  expect(report).toMatchObject({ ok: false, headline: expect.stringMatching(/^FAIL/) });
  expect(report.metrics.get("marker:argument_grounding")).toMatchObject({ delta: -0.5 });
});
