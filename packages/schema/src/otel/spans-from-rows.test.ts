import { describe, expect, test } from "vitest";
import type { Row } from "../row.ts";
import { otlpLines, spansFromRows } from "./spans-from-rows.ts";

const NOW = 1_700_000_000_000;
const options = { agent: "orders", now: NOW };
const spansOf = (rows: readonly Row[], more: object = {}) =>
  spansFromRows(rows, { ...options, ...more }).resourceSpans[0]!.scopeSpans[0]!.spans;
const attributesOf = (span: { attributes: { key: string; value: object }[] } | undefined) =>
  Object.fromEntries(span!.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const row: Row = {
  ...{ scenario_id: "s1", prompt: "Where is order 4473?", final_text: "It shipped.", model_version: "m-1" },
  ...{ reward: 0.75, duration_ms: 2.5 },
};

test("a run is one span, with the names the platform reads", () => {
  const { resourceSpans } = spansFromRows([row], { ...options, dataset: "set", passAt: 0.5 });
  expect(resourceSpans[0]?.resource.attributes).toEqual([
    { key: "service.name", value: { stringValue: "orders" } },
    { key: "zeroproof.dataset", value: { stringValue: "set" } },
    { key: "whileai.dataset", value: { stringValue: "set" } },
  ]);
  expect(resourceSpans[0]?.scopeSpans).toEqual([
    {
      scope: { name: "whileai.send_runs" },
      spans: [
        {
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
          ...{ name: "agent.run", kind: 1 },
          ...{ startTimeUnixNano: "1699999999999000000", endTimeUnixNano: "1700000000001500000" },
          attributes: [
            { key: "gen_ai.agent.name", value: { stringValue: "orders" } },
            { key: "test.case.name", value: { stringValue: "s1" } },
            { key: "gen_ai.prompt", value: { stringValue: "Where is order 4473?" } },
            { key: "gen_ai.completion", value: { stringValue: "It shipped." } },
            { key: "gen_ai.request.model", value: { stringValue: "m-1" } },
            { key: "zeroproof.score", value: { doubleValue: 0.75 } },
            { key: "zeroproof.score.pass_at", value: { doubleValue: 0.5 } },
          ],
        },
      ],
    },
  ]);
});

test.each([
  ["prompt by another name", { question: "Q?" }, { "gen_ai.prompt": "Q?" }],
  ["prompt in info", { info: { input: "Q?" } }, { "gen_ai.prompt": "Q?" }],
  ["prompt that is a number", { prompt: 4473 }, { "gen_ai.prompt": "4473" }],
  ["reply by another name", { prompt: "Q?", answer: "A." }, { "gen_ai.completion": "A." }],
  ["score", { prompt: "Q?", score: 3 }, { "zeroproof.score": 3, "zeroproof.score.pass_at": 1 }],
  ["truth value", { prompt: "Q?", reward: true }, { "zeroproof.score": 1 }],
  ["task id", { prompt: "Q?", task_id: "t" }, { "test.case.name": "t" }],
  ["no task", { prompt: "Q?" }, { "test.case.name": expect.stringMatching(/^p-[0-9a-f]{12}$/) }],
  ["model of the call", { prompt: "Q?" }, { "gen_ai.request.model": "any" }],
  ["model of the row before that of the call", { prompt: "Q?", info: { model: "m" } }, { "gen_ai.request.model": "m" }],
])("a row may hold its %s", (_, given, expected) => {
  const [span] = spansOf([given as unknown as Row], { model: "any" });
  expect(attributesOf(span)).toMatchObject(expected);
});

test("no reward and no reply are no attributes", () => {
  const [span] = spansOf([{ prompt: "Q?", final_text: "", reward: null }]);
  expect(Object.keys(attributesOf(span))).toEqual(["gen_ai.agent.name", "test.case.name", "gen_ai.prompt"]);
});

test("runs start a millisecond apart, in their order, each with its own trace", () => {
  const spans = spansOf([row, row, row]);
  expect(spans.map(({ startTimeUnixNano: start }) => Number(BigInt(start) / 1_000_000n) - NOW)).toEqual([-3, -2, -1]);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(3);
  expect(spansOf([row, row, row])).toEqual(spans);
});

test("steps sends tool calls as children, between the ask and the reply", () => {
  const steps = [
    { tool: "lookup", arguments: { id: "1" }, result: { status: "shipped" }, id: "c1" },
    { text: "Hm." },
    { tool: "refund", arguments: {}, result: { error: "down" } },
  ];
  const { duration_ms: _, ...fast } = row;
  const [run, lookup, refund, ...rest] = spansOf([{ ...fast, steps }], { steps: true });
  expect(rest).toEqual([]);
  expect(attributesOf(lookup)).toEqual({
    ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "lookup", "gen_ai.tool.call.id": "c1" },
    ...{ "gen_ai.tool.call.arguments": '{"id": "1"}', "gen_ai.tool.call.result": '{"status": "shipped"}' },
  });
  expect(lookup).toMatchObject({ name: "execute_tool lookup", traceId: run!.traceId, parentSpanId: run!.spanId });
  expect(refund).toMatchObject({ status: { code: 2 } });
  expect(lookup).not.toHaveProperty("status");
  const times = [run, lookup, refund].map((span) => BigInt(span!.startTimeUnixNano));
  expect(times).toEqual([times[0], times[0]! + 1n, times[0]! + 2n]);
  expect(BigInt(run!.endTimeUnixNano)).toBe(times[0]! + 3n);
});

test("otlpLines writes one request a run, with the spans of the document", () => {
  const lines = [...otlpLines([row, row], options)].map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  const spans = lines.map((line) => line.resourceSpans[0].scopeSpans[0].spans[0]);
  expect(spans).toEqual(spansOf([row, row]));
});

describe("is refused:", () => {
  test.each([
    ["a blank agent", [row], { agent: " " }, /agent is " "/],
    ["a blank dataset", [row], { dataset: "" }, /dataset is blank/],
    ["a time in seconds", [row], { now: 1_700_000_000 }, /now is 1700000000\. Give a time in milliseconds/],
    ["a mistyped option", [row], { pasAt: 1 }, /no option pasAt\. Did you mean passAt/],
    ["a bar that is no number", [row], { passAt: Number.NaN }, /passAt is NaN/],
    ["nothing", [], {}, /no rows to send/],
    ["a row that is none", [row, null], {}, /Row 1 is null and not an object/],
    ["a row that is a list", [[]], {}, /Row 0 is a list/],
    [
      "a row that asks nothing",
      [{ final_text: "A.", reward: 1 }],
      {},
      /Row 0 asks nothing; its keys are final_text, reward/,
    ],
    ["a reward that is text", [{ prompt: "Q?", reward: "good" }], {}, /Row 0 has the reward good, which is no number/],
    ["a reward that is NaN", [{ prompt: "Q?", reward: Number.NaN }], {}, /reward NaN/],
  ])("%s", (_, rows, more, message) => {
    expect(() => spansOf(rows as unknown as Row[], more)).toThrow(message);
  });
});
