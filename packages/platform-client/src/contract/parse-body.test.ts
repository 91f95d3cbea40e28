import { expect, test } from "vitest";
import { upsertAgent } from "./agents.ts";
import { putBehavior } from "./behaviors.ts";
import { createDataset, listDatasets } from "./datasets.ts";
import { putFigure } from "./figures.ts";
import { parseBody, parseQuery } from "./parse-body.ts";
import { postTrain } from "./points.ts";
import { getRows } from "./rows.ts";
import { openRun, patchRun } from "./runs.ts";
import { postEvals } from "./scores.ts";

test("fields are read in snake_case too, at every level that has names of its own", () => {
  const body = {
    trained_on: ["d"],
    cost_usd: 3,
    record: { eval: { cost_per_1k: 4, input_tokens: 5 }, data: { n_train: 6 } },
  };
  expect(parseBody(patchRun, body)).toEqual({
    trainedOn: ["d"],
    costUsd: 3,
    record: { eval: { costPer1k: 4, inputTokens: 5 }, data: { nTrain: 6 } },
  });
});

test("keys of the sender's own keep their spelling", () => {
  const body = {
    summary: { train_loss: 0.9 },
    record: { optimizer: { warmup_steps: 5, lr: 1e-5 }, provenance: { pins: { test_version: "t" } } },
  };
  expect(parseBody(patchRun, body)).toEqual(body);
  expect(parseBody(postTrain, [{ step: 1, completion_length: 180 }])).toEqual([{ step: 1, completion_length: 180 }]);
});

test("a field that is there under its own name wins", () => {
  expect(parseBody(putBehavior, { testVersion: "v2", test_version: "v1" })).toEqual({ testVersion: "v2" });
});

test("null stays null, as it clears, and absent stays absent; unknown fields are left out", () => {
  expect(parseBody(putBehavior, { rubric: null, colour: "red" })).toEqual({ rubric: null });
  expect(parseBody(putBehavior, {})).toEqual({});
});

test.each([
  [{ agent: "a", version: "v1" }, "tracked"],
  [{ name: "sft 3", base_model: "m", total_steps: 9 }, "training"],
  [{ name: "n", version: "v1", agent: "a" }, "tracked"],
])("POST /runs %j opens a %s run", (body, kind) => {
  expect("version" in parseBody(openRun, body)).toBe(kind === "tracked");
});

test("POST /agents has two forms, told apart by `id`", () => {
  expect(parseBody(upsertAgent, { name: "Refund bot", system_prompt: "s" })).toEqual({
    name: "Refund bot",
    system_prompt: "s",
  });
  expect(() => parseBody(upsertAgent, { id: "a/b", name: "x" })).toThrow("id is not 1 to 64 letters, digits");
});

test.each([
  [postEvals, [{ behavior: "b", score: "71" }], "[0].score", 422, '[0].score must be of type number, not "71".'],
  [putBehavior, { n: 0 }, "n", 422, "n must be at least 1, not 0."],
  [putBehavior, [], null, 400, "The body must be of type object, not a list of 0."],
  [
    patchRun,
    { version: "v2" },
    "version",
    422,
    'version cannot be changed: open a run of the other version instead, not "v2".',
  ],
  [
    createDataset,
    { name: "d", purpose: "test" },
    "purpose",
    400,
    'purpose must be one of train, holdout, eval, not "test".',
  ],
  [openRun, { version: "v1" }, "agent", 422, "agent must be of type string, not absent."],
  [
    putFigure,
    { figure: { data: [{ type: "heatmap" }] } },
    "figure.data[0].type",
    422,
    "figure.data[0].type has a type other than scatter, bar, pie",
  ],
])("a refusal names field, rule and value (%#)", (route, body, field, status, message) => {
  expect(() => parseBody(route as never, body)).toThrow(
    expect.objectContaining({ field, status, message: expect.stringContaining(message) }),
  );
});

test("a long value is quoted by its beginning, so that a refusal fits its 400 bytes", () => {
  expect(() => parseBody(createDataset, { name: "d", agent: "x".repeat(100_000) })).toThrow(/^.{0,220}$/);
});

test("a query is text: numbers and switches are read from it", () => {
  expect(parseQuery(listDatasets, { limit: "20", purpose: "raw" })).toEqual({ limit: 20, purpose: "raw" });
  expect(parseQuery(getRows, { ok: "false", "tag.difficulty": ["easy", "hard"] })).toEqual({
    ok: false,
    "tag.difficulty": ["easy", "hard"],
  });
  expect(() => parseQuery(listDatasets, { limit: "0" })).toThrow("limit must be at least 1");
  expect(() => parseQuery(listDatasets, { limit: "ten" })).toThrow("limit");
});
