import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const span = (name: string, type: string, input: unknown, output: unknown, rest: object = {}) => ({
  ...{
    trace_id: "b64",
    span_id: name,
    parent_span_id: "root",
    name,
    start_time_unix_nano: 2,
    status: { code: "STATUS_CODE_OK" },
  },
  attributes: {
    "mlflow.spanType": JSON.stringify(type),
    "mlflow.spanInputs": JSON.stringify(input),
    "mlflow.spanOutputs": JSON.stringify(output),
  },
  ...rest,
});
const root = span("agent", "AGENT", { question: "Where is order 4473?" }, "It shipped.", {
  ...{ parent_span_id: null, start_time_unix_nano: 1 },
});
const feedback = (name: string, value: unknown, rest: object = {}) => ({
  ...{ assessment_name: name, source: { source_type: "LLM_JUDGE", source_id: "gpt-x" }, feedback: { value } },
  ...{ rationale: `${name} read it`, valid: true },
  ...rest,
});
const trace = (assessments: object[], spans: object[] = [root], info: object = {}) => ({
  info: { trace_id: "tr-1", state: "OK", request_time: "2026-01-02T03:04:05Z", assessments, ...info },
  data: { spans },
});

function read(lines: readonly object[], options: object = {}) {
  return readRows(lines.map((line) => JSON.stringify(line)).join("\n"), options);
}

test("a trace is a row with its one feedback, and what was expected is privileged", () => {
  const expectation = { assessment_name: "expected_response", expectation: { value: "Shipped with UPS." } };
  const { rows, report } = read([
    trace([feedback("correct", "yes"), expectation]),
    trace([], [root], { trace_id: "tr-2" }),
  ]);
  expect(report.format).toBe("mlflow");
  expect(rows).toMatchObject([
    {
      ...{ rollout_id: "tr-1", prompt: "Where is order 4473?", final_text: "It shipped.", rollout_index: 0 },
      ...{
        reward: 1,
        judge_name: "correct",
        reason: "correct read it",
        label_source: "llm_judge",
        markers: { correct: 1 },
      },
      privileged: { hidden_state: { expectations: [expectation] } },
    },
    { reward: null, rollout_index: 1 },
  ]);
  expect(JSON.stringify({ ...rows[0], privileged: null })).not.toContain("UPS");
});

test("a trace of version 2 says request and response as JSON text", () => {
  const data = { request: '{"question":"Where?"}', response: '"Here."', spans: [] };
  const { rows } = read([{ info: { request_id: "tr-9", status: "OK" }, data }]);
  expect(rows).toMatchObject([{ rollout_id: "tr-9", prompt: "Where?", final_text: "Here.", reward: null }]);
});

describe("which feedback is the verdict", () => {
  test("is never picked in silence, and rewardKey names it", () => {
    const two = trace([feedback("correct", true), feedback("safe", "no")]);
    expect(() => read([two])).toThrow(/2 scores .*: correct, safe\. Pass rewardKey/);
    expect(read([two], { rewardKey: "safe" }).rows).toMatchObject([{ reward: 0, markers: { correct: 1, safe: 0 } }]);
  });

  test.each([
    [
      "one that failed",
      [feedback("correct", null, { feedback: { value: null, error: { error_code: "TIMEOUT" } } })],
      null,
    ],
    ["one that was overridden", [feedback("correct", "no", { valid: false }), feedback("correct", "yes")], 1],
    ["two that differ", [feedback("correct", "no"), feedback("correct", "yes")], null],
    ["a word", [feedback("tone", "polite"), feedback("correct", 0.5)], 0.5],
  ])("%s", (_, assessments, reward) => {
    expect(read([trace(assessments)]).rows[0]?.reward).toBe(reward);
  });
});

test("tool spans are steps in the order of time, and one that failed is an error", () => {
  const late = span("refund", "TOOL", {}, null, {
    start_time_unix_nano: 9,
    status: { code: "STATUS_CODE_ERROR", message: "down" },
  });
  const early = span("lookup", "TOOL", { order_id: "4473" }, [{ type: "order" }], { start_time_unix_nano: 5 });
  const [row] = read([trace([], [late, early, root])]).rows;
  expect(row?.steps).toMatchObject([
    { tool: "lookup", arguments: { order_id: "4473" }, result: [{ type: "order" }] },
    { tool: "refund", result: { error: "down", status: "error" } },
    { text: "It shipped." },
  ]);
});

test("a trace that failed without an output is ungraded, whatever it was given", () => {
  const failed = trace([feedback("correct", "no")], [span("agent", "AGENT", "Where?", null, { parent_span_id: "" })], {
    state: "ERROR",
  });
  const { rows, report } = read([failed]);
  expect(rows).toMatchObject([{ reward: null, judge_status: "error" }]);
  expect(report.warnings).toMatchObject([{ code: "infrastructure_errors" }]);
  expect(read([failed], { keepErrors: false }).rows).toEqual([]);
});

test.each([
  // what the trace that failed was given, what MLflow makes of it
  ["no", "and 0.500 as MLflow counts it, with what its scorers gave them."],
  [null, "; MLflow leaves them out too."],
])("a trace that failed and was given %s is said to be in MLflow's own mean, or not", (given, theirs) => {
  const silent = [span("agent", "AGENT", "Where?", null, { parent_span_id: "" })];
  const failed = trace(given === null ? [] : [feedback("correct", given)], silent, {
    trace_id: "tr-2",
    state: "ERROR",
  });
  const { report } = read([trace([feedback("correct", "yes")]), failed]);
  expect(report.warnings[0]?.text).toContain("1 of 2 rollouts ended in an error and has no reward");
  expect(report.warnings[0]?.text).toContain(`the mean over the others is 1.000${given === null ? "" : ", "}${theirs}`);
});

test("a span that does not say when it began is put in front, whatever stands there", () => {
  const odd = span("odd", "TOOL", {}, "1", { start_time_unix_nano: { toString: null } });
  const steps = read([trace([], [root, span("lookup", "TOOL", {}, "2"), odd])]).rows[0]?.steps;
  expect(steps?.map(({ tool }) => tool)).toEqual(["odd", "lookup", undefined]);
});
