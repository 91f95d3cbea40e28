import { describe, expect, test } from "vitest";
import { readRows } from "./read-rows.ts";

const lines = (...records: readonly object[]) => records.map((record) => JSON.stringify(record)).join("\n");

describe("a batch of OpenAI", () => {
  const body = {
    ...{ model: "gpt-x", temperature: 0.2, max_completion_tokens: 90 },
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Where is order 4473?" },
    ],
  };
  const request = (id: string, more: object = {}) => ({
    ...{ custom_id: id, method: "POST", url: "/v1/chat/completions", body: { ...body, ...more } },
  });
  const choice = (content: string, index = 0) => ({
    ...{ index, finish_reason: "stop", logprobs: null, message: { role: "assistant", content, refusal: null } },
  });
  const answer = (id: string, choices: object[] = [choice("It shipped.")], more: object = {}) => ({
    ...{ id: `batch_req_${id}`, custom_id: id, error: null },
    response: {
      ...{ status_code: 200, request_id: "req_1" },
      body: {
        ...{ id: "chatcmpl-1", object: "chat.completion", model: "gpt-x-2026", choices },
        usage: { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 },
      },
    },
    ...more,
  });
  const failed = (id: string) => ({
    ...{ id: `batch_req_${id}`, custom_id: id, response: null },
    error: {
      code: "batch_expired",
      message: "This request could not be executed before the completion window expired.",
    },
  });

  test("finds the request of each result, in whatever order they come", () => {
    const { rows, report } = readRows(lines(answer("b"), request("a"), request("b"), answer("a", [choice("Here.")])));
    expect(report).toMatchObject({ format: "openai-batch", rows: 2, warnings: [] });
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
    const [first, second] = rows;
    expect(first).toMatchObject({
      ...{ custom_id: "b", prompt: "Where is order 4473?", final_text: "It shipped.", rollout_index: 0 },
      ...{ model_version: "gpt-x-2026", sampling: { temperature: 0.2, max_tokens: 90 }, finish_reason: "stop" },
      ...{ usage: { input_tokens: 30, output_tokens: 4 }, lineage: { importer: "openai-batch" } },
      batch: { id: "batch_req_b", response: { status_code: 200, request_id: "req_1" } },
      openai_batch: { request: { model: "gpt-x" }, response: { id: "chatcmpl-1" } },
    });
    // One context is one task.
    expect([second?.task_id, second?.rollout_index]).toEqual([first?.task_id, 1]);
  });

  test("several answers of one request are rollouts of one task, and their tokens are nobody's alone", () => {
    const { rows } = readRows(lines(request("a", { n: 2 }), answer("a", [choice("A."), choice("B.", 1)])));
    expect(rows.map(({ final_text, rollout_index, usage }) => [final_text, rollout_index, usage])).toEqual([
      ["A.", 0, undefined],
      ["B.", 1, undefined],
    ]);
    expect(rows[0]?.task_id).toBe(rows[1]?.task_id);
    expect(rows[0]?.openai_batch).toMatchObject({ response: { usage: { total_tokens: 34 } } });
  });

  test("results alone have no prompt, which is said, and their ids are their tasks", () => {
    const { rows, report } = readRows(lines(answer("a"), answer("b")));
    expect(rows).toMatchObject([
      { task_id: "a", prompt: "", final_text: "It shipped.", rollout_index: 0 },
      { task_id: "b", prompt: "", final_text: "It shipped.", rollout_index: 0 },
    ]);
    expect(rows[0]?.rollout_id).not.toBe(rows[1]?.rollout_id);
    expect(report.warnings).toMatchObject([
      { code: "no_requests", text: expect.stringContaining("the batch's input") },
    ]);
  });

  test("lost trials are ungraded and counted: failed, refused with a status, and never answered", () => {
    const refused = {
      id: "r",
      custom_id: "c",
      response: { status_code: 400, body: { error: { message: "bad" } } },
      error: null,
    };
    const text = lines(request("a"), request("b"), request("c"), request("d"), answer("a"), failed("b"), refused);
    const { rows, report } = readRows(text);
    expect(rows.map(({ custom_id: id, judge_status: status, prompt }) => [id, status, prompt])).toEqual([
      ["a", undefined, "Where is order 4473?"],
      ["b", "error", "Where is order 4473?"],
      ["c", "error", "Where is order 4473?"],
      ["d", "error", "Where is order 4473?"],
    ]);
    expect(rows.slice(1).map(({ judge_meta: meta }) => meta?.error)).toEqual([
      failed("b").error,
      { message: "bad" },
      "The batch has no result for it.",
    ]);
    expect(report.warnings).toMatchObject([{ code: "infrastructure_errors", text: expect.stringContaining("3 of") }]);
    expect(readRows(text, { keepErrors: false })).toMatchObject({ rows: [{ custom_id: "a" }] });
    expect(readRows(lines(failed("b"))).rows).toMatchObject([{ task_id: "b", prompt: "", judge_status: "error" }]);
  });

  test("of the Responses API", () => {
    const asked = {
      ...{ custom_id: "a", method: "POST", url: "/v1/responses" },
      body: { model: "gpt-x", instructions: "Be brief.", input: "Where is it?" },
    };
    const said = {
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text: "Here.", annotations: [] }],
    };
    const response = {
      id: "resp_1",
      object: "response",
      status: "completed",
      model: "gpt-x-2026",
      output: [said],
      error: null,
    };
    const result = { id: "r", custom_id: "a", response: { status_code: 200, body: response }, error: null };
    const { rows, report } = readRows(lines(asked, result));
    expect(rows).toMatchObject([
      {
        custom_id: "a",
        prompt: "Where is it?",
        final_text: "Here.",
        model_version: "gpt-x-2026",
        finish_reason: "stop",
      },
    ]);
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
    expect(readRows(lines(asked, { ...asked, custom_id: "b" }, result)).rows[1]).toMatchObject({
      ...{ custom_id: "b", prompt: "Where is it?", judge_status: "error" },
    });
  });

  test("of embeddings has no rollouts", () => {
    const vectors = { status_code: 200, body: { object: "list", data: [] } };
    const { rows, report } = readRows(lines({ id: "r", custom_id: "a", response: vectors, error: null }));
    expect([rows, report.skipped]).toEqual([[], new Map([["no_answer", 1]])]);
  });

  test.each([
    ["requests alone", lines(request("a")), "bad_file", /holds requests of a batch and no result/],
    [
      "an id used twice",
      lines(request("a"), request("a"), answer("a")),
      "bad_value",
      /custom_id "a" is the one of an earlier/,
    ],
    [
      "an id that is a story, of which the beginning is enough",
      lines(request("a".repeat(9000)), request("a".repeat(9000)), answer("b")),
      "bad_value",
      /custom_id "a{80}…" is the one of an earlier request too\. .{0,200}$/,
    ],
    [
      "a request that asks nothing",
      lines({ ...request("a"), body: { model: "m" } }, answer("a")),
      "bad_value",
      /custom_id "a": A request of the batch asks nothing; its keys are "model"/,
    ],
  ])("is refused: %s", (_, text, code, message) => {
    expect(() => readRows(text)).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
  });
});

describe("a batch of Anthropic", () => {
  const params = {
    model: "claude-x",
    max_tokens: 90,
    system: "Be brief.",
    messages: [{ role: "user", content: "Where is it?" }],
  };
  const message = {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "claude-x", stop_reason: "max_tokens" },
    content: [{ type: "text", text: "It shipped." }],
    usage: { input_tokens: 10, output_tokens: 4 },
  };
  const result = (id: string, held: object) => ({ custom_id: id, result: held });
  const succeeded = (id: string) => result(id, { type: "succeeded", message });

  test("finds the request of each result", () => {
    const { rows, report } = readRows(lines({ custom_id: "a", params }, succeeded("a")));
    expect(report).toMatchObject({ format: "anthropic-batch", warnings: [] });
    expect([...report.systemPrompts.values()]).toEqual(["Be brief."]);
    expect(rows).toMatchObject([
      {
        ...{ custom_id: "a", prompt: "Where is it?", final_text: "It shipped.", finish_reason: "length" },
        ...{ model_version: "claude-x", usage: { input_tokens: 10, output_tokens: 4 }, sampling: { max_tokens: 90 } },
      },
    ]);
  });

  test("results alone, and what was errored, canceled or expired", () => {
    const { rows, report } = readRows(
      lines(
        succeeded("a"),
        result("b", { type: "errored", error: { type: "error", error: { type: "api_error", message: "down" } } }),
        result("c", { type: "canceled" }),
        result("d", { type: "expired" }),
      ),
    );
    expect(
      rows.map(({ task_id: id, final_text, judge_status: status, judge_meta: meta }) => [id, final_text, status, meta]),
    ).toEqual([
      ["a", "It shipped.", undefined, undefined],
      ["b", "", "error", { error: { type: "api_error", message: "down" } }],
      ["c", "", "error", { error: { type: "canceled" } }],
      ["d", "", "error", { error: { type: "expired" } }],
    ]);
    expect(report.warnings.map(({ code }) => code)).toEqual(["no_requests", "infrastructure_errors"]);
  });
});
