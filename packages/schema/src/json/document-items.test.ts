import { expect, test } from "vitest";
import { readRows } from "../readers/read-rows.ts";
import { splitterFor } from "./container.ts";
import { DocumentSplitter } from "./document-splitter.ts";

const filler = "x".repeat(4000);

const simulation = (i: number, more: object = {}) => ({
  ...{ id: `sim-${i}`, task_id: `${i % 50}`, trial: Math.floor(i / 50), termination_reason: "user_stop" },
  messages: [
    { role: "user", content: `Ask ${i} of é, "[{" and \\ ${filler}` },
    { role: "assistant", content: `Answer ${i}` },
  ],
  reward_info: { reward: i % 2 },
  ...more,
});
const tau2 = (simulations: unknown[]) => ({
  info: { environment_info: { domain_name: "shop", policy: "Be brief." }, agent_info: { llm: "m" } },
  tasks: [{ id: "0", evaluation_criteria: { actions: [] } }],
  simulations,
  timestamp: "2026-01-02",
});
const sample = (i: number) => ({
  ...{ id: i, epoch: 1, input: `Ask ${i} ${filler}`, target: "4", output: { completion: "4" } },
  scores: i < 30 ? { match: { value: "C" } } : { late: { value: "I" }, match: { value: i % 2 } },
});
const inspect = (samples: unknown[]) => ({
  ...{ version: 2, status: "success", eval: { task: "sums", model: "m", run_id: "r" } },
  ...{ samples, stats: { model_usage: {} } },
});
const result = (i: number) => ({
  ...{ id: `r${i}`, promptIdx: 0, testIdx: i, prompt: { raw: `Ask ${i} ${filler}` }, vars: { i } },
  ...{ provider: { id: "p" }, response: { output: "a" }, success: i % 3 === 0, score: 1, namedScores: {} },
});
const promptfoo = (results: unknown[]) => ({ evalId: "e", results: { version: 3, prompts: [], results, stats: {} } });

const testCase = (i: number) => ({
  ...{ name: `c${i}`, input: `Ask ${i} ${filler}`, actualOutput: "a", success: i % 3 === 0 },
  metricsData: [{ name: "m", score: 0.5, success: true }],
});
const deepEval = (testCases: unknown[]) => ({
  testCases,
  conversationalTestCases: [],
  testPassed: 100,
  testFailed: 200,
});

const many = (item: (i: number) => unknown) => Array.from({ length: 300 }, (_, i) => item(i));

/** Reads it once with its items apart, and once as a whole, which is how it must be to show its text. */
function bothWays(text: string, options: object = {}) {
  const whole = readRows(text, { ...options, onRecord: () => {} });
  return { apart: readRows(text, options), whole };
}

test.each([
  ["tau2", tau2(many(simulation))],
  ["inspect-json", inspect(many(sample))],
  ["promptfoo", promptfoo(many(result))],
  ["deepeval", deepEval(many(testCase))],
  ["deepeval", { testRunData: deepEval(many(testCase)), lastLink: null }],
])("a large document of %s gives the rows and the report that it gives as a whole", (format, document) => {
  for (const indent of [undefined, 2]) {
    const text = JSON.stringify(document, null, indent);
    expect(text.length).toBeGreaterThan(2 ** 20);
    const { apart, whole } = bothWays(text);
    expect(apart.report.format).toBe(format);
    expect(apart.rows).toHaveLength(300);
    expect(apart.rows).toEqual(whole.rows);
    expect(apart.report).toEqual(whole.report);
  }
});

const span = (i: number) => ({
  ...{ traceId: `t${i % 90}`, spanId: `s${i}`, name: "chat", startTimeUnixNano: String(1e18 + i) },
  attributes: [
    ...(i % 3 === 0 ? [{ key: "gen_ai.conversation.id", value: { stringValue: `c${i % 90}` } }] : []),
    { key: "gen_ai.prompt", value: { stringValue: `Ask ${i} ${filler}` } },
    { key: "gen_ai.completion", value: { stringValue: `Answer ${i}` } },
  ],
});
const serviceOf = (i: number) => ({ attributes: [{ key: "service.name", value: { stringValue: `service ${i}` } }] });
const cut = (spans: unknown[], size: number) =>
  Array.from({ length: Math.ceil(spans.length / size) }, (_, i) => spans.slice(i * size, (i + 1) * size));

test.each<[string, object]>([
  ["a list of them", { spans: many(span) }],
  ["one process", { resourceSpans: [{ scopeSpans: [{ spans: many(span) }], resource: serviceOf(0) }] }],
  [
    "many processes and libraries, some without spans",
    {
      resourceSpans: cut(many(span), 40).map((spans, i) => ({
        resource: serviceOf(i % 3),
        scopeSpans: [
          { scope: { name: "a" }, spans: [] },
          ...cut(spans, 30).map((some) => ({ spans: some })),
          { spans: [] },
        ],
      })),
    },
  ],
  ["an old exporter", { resourceSpans: [{ instrumentationLibrarySpans: [{ spans: many(span) }] }, {}, 7] }],
  [
    "another spelling",
    { resource_spans: [{ resource: serviceOf(1), scope_spans: [{ spans: many(span) }] }], more: [1] },
  ],
])("spans of a large document give the rows that they give as a whole: %s", (_, document) => {
  const { apart, whole } = bothWays(JSON.stringify(document, null, 1));
  expect(apart.report.format).toBe("otlp");
  expect(apart.rows).toHaveLength(90);
  expect(apart.rows).toEqual(whole.rows);
  expect(apart.report).toEqual(whole.report);
});

test("of two lists of spans under one key the last counts, as in JSON", () => {
  const spans = (name: string) => JSON.stringify(many((i) => ({ ...span(i), spanId: `${name}${i}` })));
  const twice = `{"resourceSpans":[{"scopeSpans":[{"spans":${spans("a")},"spans":${spans("b")}}]}]}`;
  const { apart, whole } = bothWays(twice);
  expect(apart.rows).toEqual(whole.rows);
  expect(JSON.stringify(apart.rows)).not.toContain('"span_id":"a0"');
});

test("spans under two names are read as they are of a small document", () => {
  const [one, other] = [many(span), many((i) => span(i + 300))];
  const group = { scopeSpans: [{ spans: one }], instrumentationLibrarySpans: [{ spans: other }] };
  const { apart, whole } = bothWays(JSON.stringify({ resourceSpans: [group] }));
  expect(apart.rows).toEqual(whole.rows);
});

test("what a number cannot hold in one of many spans has its place", () => {
  const groups = cut(many(span), 100).map((spans) => ({ scopeSpans: [{ spans }] }));
  const text = JSON.stringify({ resourceSpans: groups }, null, 1).replace('"Answer 150"', "NaN");
  const { warnings } = readRows(text).report;
  expect(warnings.find(({ code }) => code === "non_finite")?.text).toContain(
    "the first is resourceSpans[1].scopeSpans[0].spans[50].attributes",
  );
});

test("what a document has that a number cannot hold is counted once, with its place", () => {
  const simulations = many((i) => simulation(i, i === 77 ? { cost: "NAN", order_id: "BIG", note: "HALF" } : {}));
  const text = JSON.stringify(tau2(simulations), null, 1)
    .replace('"NAN"', "NaN")
    .replace('"BIG"', "9007199254740993")
    .replace("HALF", "\\ud835");
  const { apart, whole } = bothWays(text);
  expect(apart.report).toEqual(whole.report);
  expect(apart.report).toMatchObject({ nonFinite: 1, unsafeIntegers: 1, loneSurrogates: 1 });
  expect(apart.report.warnings.map((warning) => warning.text).join()).toContain("simulations[77].cost at line 1");
  expect(apart.rows).toEqual(whole.rows);
});

test("an item that is none is refused by its index, and the others are read", () => {
  const text = JSON.stringify(tau2(many((i) => (i === 200 ? "lost" : simulation(i)))), null, 1);
  const { apart, whole } = bothWays(text, { onBadRow: "skip" });
  expect(apart.rows).toHaveLength(299);
  expect(apart.report).toEqual(whole.report);
  expect(apart.report.badLines[0]?.what).toContain("simulations[200]: It is not an object");
});

test.each([
  ["a comma too many", (text: string) => text.replace(/\]\s*,\s*"timestamp"/, ',],"timestamp"')],
  ["a word that is no value", (text: string) => text.replace('"Answer 250"', "Answer")],
  ["an end that is missing", (text: string) => text.slice(0, -200_000)],
  ["two lists of one name", (text: string) => text.replace('"timestamp"', '"simulations":[],"timestamp"')],
  ["no items", (text: string) => text.replace(/"simulations":\[.*\],"timestamp"/s, '"simulations":[],"timestamp"')],
])("with %s a large document is read or refused as it is as a whole", (_, broken) => {
  const text = broken(JSON.stringify(tau2(many(simulation))).replaceAll('{"id"', '\n{"id"'));
  const outcome = (options: object) => {
    try {
      const { rows, report } = readRows(text, options);
      return { rows, report };
    } catch (error) {
      return { what: String(error) };
    }
  };
  expect(outcome({})).toEqual(outcome({ onRecord: () => {} }));
});

test("a large document of a format that takes it as a whole keeps all of its list", () => {
  const log = { prompt: "Ask", final_text: "Answer", samples: many((i) => ({ i, filler })), scenario_id: "s" };
  const { apart, whole } = bothWays(JSON.stringify(log, null, 1));
  expect(apart.rows[0]?.samples).toHaveLength(300);
  expect(apart.rows).toEqual(whole.rows);
});

test("one line alone whose list stands under a key of an evaluation is a document", () => {
  const { rows, report } = readRows(JSON.stringify(inspect(many(sample))));
  expect([report.format, report.files[0]!.container, rows.length]).toEqual(["inspect-json", "json-object", 300]);
});

test("and so is one that has not come to its end within 64 MiB", { timeout: 120_000 }, () => {
  const encoder = new TextEncoder();
  for (const [head, isDocument] of [
    ['{"status":"success","samples":[{"input":"', true],
    ['{"prompt":"', false],
  ] as const) {
    const line = new Uint8Array(2 ** 26 + 1000).fill(0x78);
    line.set(encoder.encode(head));
    expect(splitterFor(line, false, null) instanceof DocumentSplitter).toBe(isDocument);
  }
});
