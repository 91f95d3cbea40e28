import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const trace = (id: string, rest: object = {}) => ({
  ...{ id, timestamp: "2026-01-02 03:04:05.000000", name: "shop", project_id: "p", session_id: "s1", user_id: null },
  ...{ input: "Where is order 4473?", output: "It shipped.", metadata: "{}", tags: ["shop"] },
  ...rest,
});
const observation = (id: string, type: string, second: number, rest: object = {}) => ({
  ...{ id, trace_id: "t1", type, name: id, parent_observation_id: "root", level: "DEFAULT", status_message: null },
  ...{ start_time: `2026-01-02 03:04:0${second}.000000`, input: null, output: null },
  ...rest,
});
const score = (name: string, value: unknown, rest: object = {}) => ({
  ...{ id: `s-${name}`, trace_id: "t1", observation_id: null, name, value, data_type: "NUMERIC", source: "EVAL" },
  ...{ comment: null, string_value: null },
  ...rest,
});
const lookup = observation("lookup", "TOOL", 1, { input: '{"order_id":"4473"}', output: '{"status":"shipped"}' });
const said = observation("chat", "GENERATION", 2, {
  ...{ provided_model_name: "gpt-x", model_parameters: '{"temperature":0.2}' },
  usage_details: { input: "30", output: "4", total: "34" },
});

function read(records: readonly object[], options: object = {}) {
  return readRows(records.map((record) => JSON.stringify(record)).join("\n"), options);
}

test.each([
  ["in the order of the tables", [trace("t1"), lookup, said, score("helpful", "0.5")]],
  ["in any order", [score("helpful", 0.5), said, lookup, trace("t1")]],
])("tables in one file are traces, %s", (_, records) => {
  const { rows, report } = read(records);
  expect(report).toMatchObject({ format: "langfuse-tables", warnings: [] });
  expect(rows).toMatchObject([
    {
      ...{
        rollout_id: "t1",
        prompt: "Where is order 4473?",
        final_text: "It shipped.",
        reward: 0.5,
        judge_name: "helpful",
      },
      steps: [
        { tool: "lookup", arguments: { order_id: "4473" }, result: { status: "shipped" } },
        { text: "It shipped." },
      ],
      ...{ model_version: "gpt-x", sampling: { temperature: 0.2 }, usage: { input_tokens: 30, output_tokens: 4 } },
      ...{
        markers: { helpful: 0.5 },
        tags: ["shop"],
        langfuse: { session_id: "s1" },
        lineage: { importer: "langfuse" },
      },
    },
  ]);
});

test("observations that say what their trace is are enough: the outermost one is the trace", () => {
  const root = observation("root", "SPAN", 0, {
    ...{ parent_observation_id: null, input: "Where is order 4473?", output: "It shipped.", session_id: "s1" },
  });
  const { rows } = read([lookup, root, said, score("helpful", 1)]);
  expect(rows).toMatchObject([
    {
      rollout_id: "t1",
      prompt: "Where is order 4473?",
      final_text: "It shipped.",
      reward: 1,
      langfuse: { session_id: "s1" },
    },
  ]);
});

test("an export of a later hour has a line once more, and that one counts", () => {
  const { rows, report } = read([
    ...[trace("t1", { output: null }), trace("t1"), score("helpful", 0), score("helpful", 1)],
    ...[{ ...lookup, output: null }, lookup],
  ]);
  expect(rows).toMatchObject([
    { final_text: "It shipped.", reward: 1, steps: [{ result: { status: "shipped" } }, {}] },
  ]);
  expect(report.skipped).toEqual(new Map([["replaced_by_later_line", 1]]));
});

describe("what is missing is said", () => {
  test("scores alone are no rows", () => {
    expect(() => read([score("helpful", 1)])).toThrow(/holds scores and no trace\. Put the tables into one file/);
  });

  test("a table alone is read without the others", () => {
    const { rows, report } = read([trace("t1"), trace("t2")]);
    expect(rows).toMatchObject([{ reward: null }, { reward: null }]);
    expect(report.warnings).toMatchObject([
      { code: "tables_missing", text: expect.stringContaining("no observations and no scores") },
    ]);
  });

  test("scores of sessions and of traces that are not there", () => {
    const { rows, report } = read([
      trace("t1"),
      lookup,
      score("a", 1, { trace_id: null }),
      score("b", 1, { trace_id: "t9" }),
    ]);
    expect(rows).toHaveLength(1);
    expect(report.skipped).toEqual(
      new Map([
        ["score_of_no_trace", 1],
        ["score_without_trace", 1],
      ]),
    );
  });

  test("several scores, until one is named; a trace that failed without an output is lost", () => {
    const two = [trace("t1"), lookup, score("helpful", 1), score("toxic", 0)];
    expect(() => read(two)).toThrow(/2 scores .*: helpful, toxic\. Pass rewardKey/);
    expect(read(two, { rewardKey: "toxic" }).rows).toMatchObject([{ reward: 0 }]);
    const failed = observation("chat", "GENERATION", 2, { level: "ERROR", status_message: "down" });
    expect(read([trace("t1", { output: null }), failed, score("helpful", 1)]).rows).toMatchObject([
      { reward: null, judge_status: "error", judge_meta: { error: "down" } },
    ]);
  });
});
