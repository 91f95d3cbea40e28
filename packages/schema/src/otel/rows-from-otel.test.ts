import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readRows } from "../readers/read-rows.ts";
import type { Row } from "../row.ts";
import { rowsFromOtel } from "./rows-from-otel.ts";
import { otlpLines, spansFromRows } from "./spans-from-rows.ts";

const NOW = 1_700_000_000_000;

interface SpanRest {
  at?: number;
  until?: number;
  trace?: string;
  parent?: string;
  [key: string]: unknown;
}

/** A span that begins at a second and takes half of one, unless it says otherwise. */
function span(
  spanId: string,
  attributes: object,
  { at = 0, until = at + 0.5, trace = "t1", parent, ...rest }: SpanRest = {},
) {
  const nanos = (seconds: number) => String(BigInt(NOW + seconds * 1000) * 1_000_000n);
  return {
    ...{
      traceId: trace,
      spanId,
      name: spanId,
      startTimeUnixNano: nanos(at),
      endTimeUnixNano: nanos(until),
      attributes,
    },
    ...(parent === undefined ? {} : { parentSpanId: parent }),
    ...rest,
  };
}

const user = (content: string) => ({ role: "user", parts: [{ type: "text", content }] });
const says = (content: string) => ({ role: "assistant", parts: [{ type: "text", content }] });
const calls = (id: string, name: string, given: object) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name, arguments: given }],
});
const answers = (id: string, response: unknown) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});
const chat = (inputs: readonly unknown[], outputs: readonly unknown[], more: object = {}) => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.input.messages": JSON.stringify(inputs),
  "gen_ai.output.messages": outputs,
  ...more,
});
const tool = (name: string, given: object, result: unknown, more: object = {}) => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  "gen_ai.tool.call.arguments": JSON.stringify(given),
  "gen_ai.tool.call.result": result,
  ...more,
});

const read = (spans: readonly object[], options: object = {}) => rowsFromOtel(spans, options);
/** A conversation in a line a turn. */
const told = ({ rows }: { rows: readonly Row[] }) =>
  rows[0]!.messages!.map(({ role, content, tool_calls }) => {
    const asked = Array.isArray(tool_calls) ? tool_calls.map((call) => `-> ${call.function.name}`) : [];
    return [`${role}:`, typeof content === "string" ? content : JSON.stringify(content), ...asked].join(" ").trim();
  });

const ASK = user("Where is order 4473?");
const LOOKUP = calls("call_1", "lookup_order", { order_id: "4473" });
const TURNS = [
  span("a", chat([ASK], [LOOKUP], { "gen_ai.request.model": "m-1", "gen_ai.usage.input_tokens": "120" })),
  span("b", tool("lookup_order", { order_id: "4473" }, '{"status":"shipped"}', { "gen_ai.tool.call.id": "call_1" }), {
    at: 1,
  }),
  span(
    "c",
    chat([ASK, LOOKUP, answers("call_1", { status: "shipped" })], [{ ...says("It shipped."), finish_reason: "stop" }], {
      "gen_ai.usage.input_tokens": 160,
      "gen_ai.usage.output_tokens": 6,
      "whileai.reward": 1,
    }),
    { at: 2 },
  ),
];

/** Attributes as OTLP/JSON wraps them. */
function wrapped(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(wrapped) } };
  return { kvlistValue: { values: listed(value as object) } };
}
function listed(attributes: object) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: wrapped(value) }));
}
const listedSpans = TURNS.map((one) => ({ ...one, attributes: listed(one.attributes) }));
const exported = { resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: listedSpans }] }] };

describe("one conversation", () => {
  const expected = {
    ...{ schema_version: "1", prompt: "Where is order 4473?", final_text: "It shipped.", conversation_id: "t1" },
    steps: [
      { tool: "lookup_order", arguments: { order_id: "4473" }, result: { status: "shipped" }, id: "call_1" },
      { text: "It shipped." },
    ],
    ...{ ts: 1_700_000_000_000_000_000, reward: 1, model_version: "m-1", finish_reason: "stop" },
    usage: { input_tokens: 280, output_tokens: 6 },
    lineage: { importer: "otel", trace_ids: ["t1"] },
  };
  const snakeSpans = listedSpans.map(({ traceId, spanId, startTimeUnixNano, endTimeUnixNano, ...rest }) => ({
    ...{
      trace_id: traceId,
      span_id: spanId,
      start_time_unix_nano: startTimeUnixNano,
      end_time_unix_nano: endTimeUnixNano,
    },
    ...rest,
  }));
  const printed = TURNS.map(({ traceId, spanId, startTimeUnixNano: start, endTimeUnixNano: end, ...rest }) => ({
    ...{ context: { trace_id: traceId, span_id: spanId }, parent_id: null, status: { status_code: "OK" } },
    start_time: new Date(Number(start) / 1e6).toISOString(),
    end_time: new Date(Number(end) / 1e6).toISOString(),
    ...rest,
  }));
  test.each<[string, unknown]>([
    ["an export", exported],
    ["an export with older names", { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: listedSpans }] }] }],
    ["an export in snake_case", { resource_spans: [{ scope_spans: [{ spans: snakeSpans }] }] }],
    ["an object with spans", { spans: TURNS }],
    ["a list of spans", TURNS],
    ["spans as an SDK prints them", printed],
    ["the text of an export", JSON.stringify(exported, null, 2)],
    ["the bytes of an export", new TextEncoder().encode(JSON.stringify(exported))],
    ["exports, one a line", TURNS.map((one) => JSON.stringify({ spans: [one] })).join("\r\n")],
    ["spans, one a line", listedSpans.map((one) => JSON.stringify(one)).join("\n")],
    ["a list of exports", JSON.stringify([exported])],
  ])("is one row, from %s", (_, source) => {
    const { rows, report } = rowsFromOtel(source);
    expect(rows).toMatchObject([expected]);
    expect(report).toMatchObject({ nSpans: 3, nGroups: 1, rows: 1, warnings: [], dialects: ["attributes"] });
    if (typeof source === "string") expect(readRows(source)).toMatchObject({ rows, report: { format: "otlp" } });
  });

  test("keeps what its spans say besides, and what its process says", () => {
    const [row] = read([{ ...TURNS[0], resource: { attributes: { "service.name": "orders" } } }]).rows;
    expect(row?.otel).toEqual({
      spans: [{ name: "a", span_id: "a", start: "1700000000000000000", end: "1700000000500000000" }],
      resources: [{ "service.name": "orders" }],
    });
    const [other] = read([span("a", chat([ASK], [says("A.")], { "server.address": "x" }))]).rows;
    expect(other?.otel).toMatchObject({ spans: [{ attributes: { "server.address": "x" } }] });
  });

  test("says each resource once, however often an exporter repeats it, and whatever another conversation asked of it", () => {
    const resource = { attributes: { "service.name": "orders", "gen_ai.agent.name": "helper" } };
    const named = (id: string, agent: object) =>
      span(id, chat([ASK], [says("A.")], { "gen_ai.conversation.id": id, ...agent }), { resource });
    // The agent of the first is its resource's, and that of the second its own.
    const own = { "gen_ai.agent.name": "other" };
    const rows = read([named("a", {}), named("a", {}), named("b", own)]).rows;
    expect(rows.map(({ otel }) => (otel as { resources: unknown }).resources)).toEqual([
      [{ "service.name": "orders" }],
      [{ "service.name": "orders", "gen_ai.agent.name": "helper" }],
    ]);
    expect(rows.map(({ lineage }) => lineage?.agent)).toEqual(["helper", "other"]);
  });
});

describe("which spans are one conversation", () => {
  const said = (id: string, more: object, rest: SpanRest = {}) => span(id, chat([user(id)], [says("ok")], more), rest);
  test.each<[string, object[], string[]]>([
    [
      "an id across traces",
      [said("a", { "session.id": "s" }), said("b", { "session.id": "s" }, { trace: "t2" })],
      ["s"],
    ],
    ["the id of a trace claims its other spans", [said("a", {}), said("b", { "thread.id": "c" })], ["c"]],
    ["a trace without an id", [said("a", {}), said("b", {}, { trace: "t2" })], ["t1", "t2"]],
    [
      "two ids in one trace",
      [said("a", { "conversation.id": "x" }), said("b", { "conversation.id": "y" })],
      ["x", "y"],
    ],
    ["neither a trace nor an id", [said("a", {}, { trace: "" }), said("b", {}, { trace: "" })], ["span:a", "span:b"]],
  ])("%s", (_, spans, ids) => {
    expect(read(spans).rows.map(({ conversation_id: id }) => id)).toEqual(ids);
  });
});

describe("history that is sent again is not told again", () => {
  const turn = (at: number, inputs: readonly unknown[], outputs: readonly unknown[]) =>
    span(`c${at}`, chat(inputs, outputs), { at });
  const yes = user("Yes.");
  test.each([
    [
      "a user who says the same thing twice",
      [turn(0, [yes], [says("Sure?")]), turn(1, [yes, says("Sure?"), yes], [says("Done.")])],
      ["user: Yes.", "assistant: Sure?", "user: Yes.", "assistant: Done."],
    ],
    [
      "a window on the end of it",
      [
        turn(0, [user("A"), says("B"), user("C")], [says("D")]),
        turn(1, [user("C"), says("D"), user("E")], [says("F")]),
      ],
      ["user: A", "assistant: B", "user: C", "assistant: D", "user: E", "assistant: F"],
    ],
    [
      "only the new turn",
      [turn(0, [user("A")], [says("B")]), turn(1, [user("C")], [says("D")])],
      ["user: A", "assistant: B", "user: C", "assistant: D"],
    ],
    [
      "spaces and capitals",
      [turn(0, [user("A  b")], [says("C")]), turn(1, [user("a b"), says(" C"), user("D")], [says("E")])],
      ["user: A  b", "assistant: C", "user: D", "assistant: E"],
    ],
    [
      "spans out of order",
      [turn(1, [user("A"), says("B"), user("C")], [says("D")]), turn(0, [user("A")], [says("B")])],
      ["user: A", "assistant: B", "user: C", "assistant: D"],
    ],
  ])("%s", (_, spans, expected) => {
    expect(told(read(spans))).toEqual(expected);
  });

  test("the agent's rules leave it for the report", () => {
    const rules = { role: "system", parts: [{ type: "text", content: "Be brief." }] };
    const inParts = { "gen_ai.system_instructions": '[{"type":"text","content":"Be brief."}]' };
    for (const spans of [
      [
        span("a", chat([rules, ASK], [says("A.")])),
        span("b", chat([rules, ASK, says("A."), user("B?")], [says("C.")]), { at: 1 }),
      ],
      [span("a", chat([ASK], [says("A.")], inParts)), span("b", chat([user("B?")], [says("C.")], inParts), { at: 1 })],
    ]) {
      const result = read(spans);
      expect([...result.report.systemPrompts.values()]).toEqual(["Be brief."]);
      expect(told(result)).toEqual(["user: Where is order 4473?", "assistant: A.", "user: B?", "assistant: C."]);
    }
  });
});

describe("spans around others", () => {
  test("an agent's ask and conclusion are those of the calls inside it, and so are its tokens", () => {
    const agent = {
      ...chat([ASK], [says("It shipped.")], { "gen_ai.usage.input_tokens": 280, "gen_ai.usage.output_tokens": 6 }),
      ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "orders" },
    };
    const inside = TURNS.map((one) => ({ ...one, parentSpanId: "root" }));
    const { rows } = read([...inside, span("root", agent, { until: 9 })]);
    expect(rows).toMatchObject([
      { final_text: "It shipped.", usage: { input_tokens: 280, output_tokens: 6 }, lineage: { agent: "orders" } },
    ]);
    expect(rows[0]?.steps).toHaveLength(2);
    expect(rows[0]).toMatchObject({ model_version: "m-1" });
  });

  test("an agent may conclude otherwise than its last call", () => {
    const agent = span("root", chat([ASK], [says("Checked: it shipped.")]), { until: 9 });
    const [row] = read([agent, ...TURNS.map((one) => ({ ...one, parentSpanId: "root" }))]).rows;
    expect(row).toMatchObject({ final_text: "Checked: it shipped." });
    expect(row?.steps?.map(({ text, tool: name }) => text ?? name)).toEqual([
      ...["lookup_order", "It shipped.", "Checked: it shipped."],
    ]);
  });

  test("what a model does inside a tool is that tool's work", () => {
    const inner = span("d", chat([user("Find it.")], [says("Found.")], { "gen_ai.usage.input_tokens": 1 }), {
      at: 1.1,
      parent: "b",
    });
    const result = read([...TURNS, inner]);
    expect(told(result)).toEqual(told(read(TURNS)));
    expect(result.rows[0]?.usage).toEqual({ input_tokens: 281, output_tokens: 6 });
  });

  test("parents that go in circles end", () => {
    const spans = [span("a", chat([ASK], [says("A.")]), { parent: "b" }), span("b", {}, { parent: "a" })];
    expect(read(spans).rows).toHaveLength(1);
  });
});

describe("the run of a tool", () => {
  const asked = [span("a", chat([ASK], [LOOKUP])), span("z", chat([user("And?")], [says("Done.")]), { at: 5 })];
  const run = (result: unknown, more: object = {}, rest: SpanRest = {}) =>
    span("b", tool("lookup_order", { order_id: "4473" }, result, more), { at: 1, ...rest });
  const lookedUp = (spans: readonly object[]) =>
    read(spans).rows[0]?.steps?.filter(({ tool: name }) => name === "lookup_order");

  test.each<[string, object, unknown]>([
    ["its result, as JSON", run('{"n":1}'), { n: 1 }],
    ["its result, as a list", run("[1]"), [1]],
    ["its result, as a text", run("4473"), "4473"],
    ["its result, as a structure", run({ n: 1 }), { n: 1 }],
    ["no result", run(undefined), undefined],
    [
      "a failure that only the span says",
      run("down", {}, { status: { code: 2 } }),
      { status: "error", output: "down", error: "error" },
    ],
    [
      "an exception",
      run(
        undefined,
        {},
        {
          status: { code: "STATUS_CODE_ERROR" },
          events: [{ name: "exception", attributes: { "exception.message": "boom" } }],
        },
      ),
      { status: "error", error: "boom" },
    ],
    ["the type of an error", run(undefined, { "error.type": "timeout" }), { status: "error", error: "timeout" }],
    ["a failed status", run("x", { "gen_ai.tool.status": "Failed" }), { status: "error", output: "x", error: "error" }],
    [
      "a failure that its result says",
      run('{"status":"denied"}', {}, { status: { code: 2, message: "no" } }),
      { status: "denied" },
    ],
  ])("is the answer to its call: %s", (_, ran, result) => {
    const steps = lookedUp([...asked, ran]);
    expect(steps).toHaveLength(1);
    expect(steps![0]!.result).toEqual(result);
  });

  test("is found by its words where ids are missing, the oldest first", () => {
    const twice = [LOOKUP, LOOKUP].map(({ parts: [part], ...rest }, i) => ({
      ...rest,
      parts: [{ ...part, id: `x${i}` }],
    }));
    const spans = [span("a", chat([ASK], twice)), run("1"), { ...run("2", {}, { at: 2 }), spanId: "c" }];
    expect(lookedUp(spans)?.map(({ result }) => result)).toEqual(["1", "2"]);
  });

  test("stands in its place where no model asked for it", () => {
    const spans = [span("a", chat([ASK], [says("One moment.")])), run("ok"), asked[1]!];
    expect(told(read(spans))).toEqual([
      ...["user: Where is order 4473?", "assistant: One moment.", "assistant:  -> lookup_order", "tool: ok"],
      ...["user: And?", "assistant: Done."],
    ]);
  });

  test("keeps the answer that the model was given, and only adds that it failed", () => {
    const spans = [asked[0]!, run("raw", {}, { status: { code: 2, message: "down" } })];
    spans.push(span("c", chat([ASK, LOOKUP, answers("call_1", "no answer")], [says("Sorry.")]), { at: 2 }));
    expect(lookedUp(spans)).toMatchObject([{ result: { status: "error", output: "no answer", error: "down" } }]);
  });
});

describe("dialects", () => {
  const openInference = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "m-2",
    "llm.token_count.prompt": 3,
    "llm.token_count.completion": 4,
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.contents.0.message_content.type": "text",
    "llm.input_messages.0.message.contents.0.message_content.text": "Hi",
    "llm.output_messages.0.message.role": "assistant",
    "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c1",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "look",
    "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": '{"a":1}',
  };
  const openLlmetry = {
    "gen_ai.prompt.0.role": "system",
    "gen_ai.prompt.0.content": "Be brief.",
    "gen_ai.prompt.1.role": "user",
    "gen_ai.prompt.1.content": '[{"type":"text","text":"Hi"}]',
    "gen_ai.completion.0.role": "assistant",
    "gen_ai.completion.0.tool_calls.0.id": "c1",
    "gen_ai.completion.0.tool_calls.0.name": "look",
    "gen_ai.completion.0.tool_calls.0.arguments": '{"a":1}',
  };
  const called = [{ id: "c1", type: "function", function: { name: "look", arguments: '{"a":1}' } }];
  const events = [
    { name: "gen_ai.system.message", attributes: { content: "Be brief." } },
    { name: "gen_ai.user.message", attributes: { content: "Hi" } },
    {
      name: "gen_ai.choice",
      attributes: { index: 0, finish_reason: "tool_calls", message: JSON.stringify({ tool_calls: called }) },
    },
    { name: "gen_ai.choice", attributes: { index: 1, message: { content: "Another." } } },
  ];
  const parts = [{ type: "tool_call", id: "c1", name: "look", arguments: { a: 1 } }];
  const inEvent = { "gen_ai.input.messages": [user("Hi")], "gen_ai.output.messages": [{ role: "assistant", parts }] };
  test.each<[string, object, object[], string]>([
    ["OpenInference", openInference, [], "openinference"],
    ["OpenLLMetry", openLlmetry, [], "openllmetry"],
    ["an event a message", {}, events, "events"],
    [
      "an event of details",
      {},
      [{ name: "gen_ai.client.inference.operation.details", attributes: inEvent }],
      "attributes",
    ],
    [
      "OpenAI's messages",
      {
        "gen_ai.prompt": '{"messages":[{"role":"user","content":"Hi"}]}',
        "gen_ai.completion": [{ role: "assistant", content: null, tool_calls: called }],
      },
      [],
      "attributes",
    ],
    [
      "messages under message",
      {
        "llm.input_messages": '[{"message.role":"user","message.content":"Hi"}]',
        "llm.output_messages": [{ message: { role: "assistant", tool_calls: called } }],
      },
      [],
      "attributes",
    ],
  ])("%s", (_, attributes, given, dialect) => {
    const { rows, report } = read([span("a", attributes, { events: given })]);
    expect(rows).toMatchObject([{ prompt: "Hi", steps: [{ tool: "look", arguments: { a: 1 }, id: "c1" }] }]);
    expect(report.dialects).toEqual([dialect]);
  });

  test.each([
    ["Where is it?", "Where is it?"],
    ["[draft] where is it?", "[draft] where is it?"],
    ['{"order": 1}', '{"order": 1}'],
    ['["a"]', '["a"]'],
  ])("the text %j is what the user said", (text, prompt) => {
    expect(read([span("a", { "gen_ai.prompt": text, "gen_ai.completion": "A." })]).rows).toMatchObject([
      { prompt, final_text: "A." },
    ]);
  });

  test("the tools of a model, how it was asked and why it stopped", () => {
    const [row] = read([
      span(
        "a",
        chat([ASK], [says("A.")], {
          "gen_ai.tool.definitions": '[{"type":"function","name":"look","parameters":{}}]',
          "gen_ai.request.temperature": 0.5,
          "gen_ai.request.max_tokens": "90",
          "gen_ai.response.finish_reasons": ["max_tokens"],
        }),
      ),
    ]).rows;
    expect(row).toMatchObject({
      tools: [{ type: "function", function: { name: "look", parameters: {} } }],
      sampling: { temperature: 0.5, max_tokens: 90 },
      finish_reason: "length",
    });
  });
});

describe("the reward", () => {
  const graded = (more: object, events: object[] = []) => [span("a", chat([ASK], [says("A.")], more), { events })];
  const evaluated = (name: string, rest: object) => ({
    name: "gen_ai.evaluation.result",
    attributes: { "gen_ai.evaluation.name": name, ...rest },
  });
  const helpful = evaluated("helpful", {
    "gen_ai.evaluation.score.value": 0.5,
    "gen_ai.evaluation.explanation": "Fine.",
  });
  const tone = evaluated("tone", { "gen_ai.evaluation.score.label": "polite" });

  test.each<[string, object, object[], object, object]>([
    ["is the attribute", { "whileai.reward": 0.5 }, [], {}, { reward: 0.5 }],
    ["may be text or a truth value", { "whileai.reward": "1", ok: true }, [], { rewardKeys: ["ok"] }, { reward: 1 }],
    ["is the first of several", { b: 0 }, [], { rewardKeys: ["a", "b"] }, { reward: 0 }],
    ["is no number outside 0 to 1", { "whileai.reward": 3 }, [], {}, { reward: null, judge_status: "invalid_result" }],
    [
      "is a score at its bar",
      { "zeroproof.score": 0.7, "zeroproof.score.pass_at": 0.7 },
      [],
      {},
      { reward: 1, judge_meta: { rating: 0.7 } },
    ],
    [
      "is a score below its bar",
      { "whileai.score": 0.6, "whileai.score.pass_at": 0.7 },
      [],
      {},
      { reward: 0, judge_meta: { rating: 0.6 } },
    ],
    [
      "is no evaluation that is not named",
      {},
      [helpful, tone],
      {},
      {
        reward: null,
        markers: { helpful: 0.5 },
        judge_meta: { evaluations: [{ name: "helpful" }, { name: "tone", label: "polite" }] },
      },
    ],
    [
      "is the evaluation that is named",
      {},
      [helpful],
      { rewardKeys: ["helpful"] },
      { reward: 0.5, judge_name: "helpful", reason: "Fine." },
    ],
  ])("%s", (_, more, events, options, expected) => {
    expect(read(graded(more, events), options).rows).toMatchObject([expected]);
  });

  test("that is named and nowhere is refused where there are evaluations, which are listed", () => {
    expect(() => read(graded({}, [helpful, tone]), { rewardKeys: ["helpfull"] })).toThrow(
      /no span has an attribute or an evaluation helpfull\. Pass rewardKey as one of helpful, tone/i,
    );
    expect(read(graded({}), { rewardKeys: ["helpful"] }).rows).toMatchObject([{ reward: null }]);
  });

  test("that spans of one conversation disagree about is the first, and it is said", () => {
    const spans = [...graded({ "whileai.reward": 1 }), span("b", { "whileai.reward": 0 }, { at: 1 })];
    const { rows, report } = read(spans);
    expect(rows).toMatchObject([{ reward: 1 }]);
    expect(report.warnings).toMatchObject([{ code: "rewards_differ", text: expect.stringContaining("(1, 0)") }]);
  });
});

describe("what could not be read is counted", () => {
  test("an error without an answer is no failure of the agent", () => {
    const failed = span(
      "a",
      { ...chat([ASK], []), "whileai.reward": 0 },
      { status: { code: 2, message: "overloaded" } },
    );
    const { rows, report } = read([failed]);
    expect(rows).toMatchObject([{ reward: null, judge_status: "error", judge_meta: { error: "overloaded" } }]);
    expect(report.warnings).toMatchObject([{ code: "infrastructure_errors" }]);
    expect(readRows(JSON.stringify(failed), { keepErrors: false })).toMatchObject({
      ...{ rows: [], report: { skipped: new Map([["infrastructure_error", 1]]) } },
    });
  });

  test("calls of models without messages, rows without a prompt, and times", () => {
    const silent = span("a", { "gen_ai.operation.name": "chat" }, { trace: "t2" });
    const unasked = span("b", chat([], [says("Hello.")]), { startTimeUnixNano: "soon", endTimeUnixNano: null });
    const { rows, report } = read([silent, unasked]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).not.toHaveProperty("ts");
    expect(report).toMatchObject({ nGroups: 2, nWithoutContent: 1, nWithoutPrompt: 1 });
    expect(report.skipped).toEqual(new Map([["conversation_without_content", 1]]));
    expect(report.warnings.map(({ code }) => code)).toEqual([
      ...["spans_without_content", "rows_without_prompt", "spans_without_time"],
    ]);
  });

  test.each<[string, unknown, object, RegExp]>([
    ["a text that is no export", '{"prompt":"a"}', {}, /holds no spans; its keys are "prompt"/],
    ["nothing", null, {}, /no object and no list of objects/],
    ["no reward keys", [], { rewardKeys: [] }, /rewardKeys is empty/],
    ["a mistyped option", [], { rewardKey: "a" }, /Did you mean rewardKeys/],
    ["JSON that breaks off", '{"resourceSpans":[', {}, /JSON/],
  ])("%s is refused", (_, source, options, message) => {
    expect(() => rowsFromOtel(source, options)).toThrow(message);
  });
});

const words = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }),
  fc.constantFrom(
    '{"role":"user","content":"x"}',
    '[{"role":"system","parts":[]}]',
    "[1]",
    '{"messages":[{"role":"tool"}]}',
    "[]",
    "null",
    " ",
  ),
);
const results = fc.oneof(
  words.filter((text) => !/^\s*[[{]/.test(text)),
  fc.dictionary(words, words, { maxKeys: 2 }).map((object) => ({ ...object })),
  fc.constantFrom({ error: "down" }, { status: "timeout" }, { status: "ok" }, [1, "a"]),
);
const runs = fc.record({
  scenario_id: words,
  prompt: words,
  final_text: words,
  model_version: words,
  reward: fc.constantFrom(null, 0, 0.25, 1),
  steps: fc.array(fc.record({ tool: words, arguments: fc.dictionary(words, words, { maxKeys: 2 }), result: results }), {
    maxLength: 3,
  }),
});

test("rows that were sent as spans come back, with the reward against its bar and the calls of tools", () => {
  fc.assert(
    fc.property(fc.array(runs, { minLength: 1, maxLength: 4 }), fc.boolean(), (rows, steps) => {
      const options = { agent: "orders", passAt: 0.5, steps, now: NOW };
      const sources = [spansFromRows(rows, options), [...otlpLines(rows, options)].join("\n")];
      for (const source of sources) {
        const back = rowsFromOtel(source).rows;
        expect(
          back.map(({ scenario_id, prompt, final_text, model_version }) => ({
            scenario_id,
            prompt,
            final_text,
            model_version,
          })),
        ).toEqual(rows.map(({ reward: _, steps: __, ...row }) => row));
        expect(back.map(({ reward }) => reward)).toEqual(
          rows.map(({ reward }) => (reward === null ? null : Number(reward >= 0.5))),
        );
        expect(back.map(({ judge_meta: meta }) => meta?.rating ?? null)).toEqual(rows.map(({ reward }) => reward));
        const told = back.map((row) => row.steps?.filter(({ tool: name }) => name !== undefined));
        expect(told).toEqual(rows.map((row) => (steps ? row.steps : [])));
      }
    }),
    { numRuns: 50 },
  );
});
