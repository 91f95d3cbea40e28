import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { conversation } from "../conversation/conversation.ts";
import { toolCalls } from "../conversation/tool-calls.ts";
import { readRows } from "../readers/read-rows.ts";
import type { Message, Row } from "../row.ts";
import type { RowSource } from "../row-source.ts";
import { taskKey } from "../task-key.ts";
import { formatWritten } from "./format-written.ts";
import { WRITE_FORMATS, writeRowsAs } from "./write-rows-as.ts";
import type { WrittenRows } from "./write-tally.ts";

const NOW = Date.UTC(2026, 0, 2);

function written(source: readonly Row[] | RowSource, format: string): { text: string; report: WrittenRows } {
  const file = writeRowsAs(source, format, { now: NOW });
  const text = [...file].join("");
  return { text, report: file.report() };
}

/** Who said and called what, whatever the spelling of the calls. */
function told(row: Row): unknown {
  return conversation(row).map((message: Message) => [
    message.role,
    message.content ?? "",
    toolCalls(message).map(({ name, arguments: given }) => [name, given]),
  ]);
}

const gist = (row: Row) => [taskKey(row), row.rollout_index, row.reward ?? null, told(row)];

// A result that begins like JSON is read as JSON, and text without ink is none.
const text = fc.stringMatching(/^[a-zé✓][a-zé✓ "\\\n]{0,11}$/u);
const values = fc.dictionary(text, fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)), { maxKeys: 3 });
const step = fc.oneof(
  fc.record({ user: text }),
  fc.record({ text }),
  fc.record({ tool: text, arguments: values }),
  fc.record({ tool: text, arguments: values, result: fc.oneof(text, values), text }),
);
const rollout = fc.record({
  task: fc.nat(3),
  prompt: text,
  steps: fc.array(step, { maxLength: 5 }),
  final_text: text,
  reward: fc.constantFrom(0, 1),
});
const rollouts = fc.array(rollout, { minLength: 1, maxLength: 6 }).map((list): Row[] => {
  const seen = new Map<number, number>();
  return list.map(({ task, ...row }) => {
    const rollout_index = seen.get(task) ?? 0;
    seen.set(task, rollout_index + 1);
    const id = `tau-bench/retail/${task}`;
    return { scenario_id: id, rollout_id: `${id}#${rollout_index}`, rollout_index, ...row };
  });
});

test.each(WRITE_FORMATS.map((format) => [format]))("%s: tasks, rewards and conversations are read back", (format) => {
  fc.assert(
    fc.property(rollouts, (rows) => {
      const { text: file, report } = written(rows, format);
      const read = readRows(file, { env: "retail", keepFractional: true }).rows;
      expect(read.map(gist)).toEqual(rows.map(gist));
      expect([...report.leftOut, ...report.changed]).toEqual([]);
      expect([...report.left.keys()]).toEqual(format === "tau-bench" ? ["rollout_id"] : []);
      if (format !== "tau-bench") expect(read.map((row) => row.rollout_id)).toEqual(rows.map((row) => row.rollout_id));
    }),
    { numRuns: 60 },
  );
});

describe("what a file cannot hold is counted", () => {
  const CALLS: Row = {
    task_id: "a",
    prompt: "Refund it.",
    messages: [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: "x" },
          { type: "text", text: "Refund it." },
        ],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "refund", input: { n: 1 } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "closed", is_error: true }] },
      { role: "critic", content: "hm" },
      { role: "assistant", content: "It is closed.", reasoning: "…" },
    ],
    final_text: "It is closed.",
    reward: 0.25,
    judge_name: "maria",
    markers: { brief: 1 },
    privileged: { reference: "the books are closed" },
  };

  test.each([
    ["openai", ["privileged", "judge_name", "markers"], { keepFractional: true }],
    ["inspect", ["privileged"], {}],
  ])("%s", (format, keys, options) => {
    const { text: file, report } = written([CALLS], format);
    const parts = ["block:image_url", "role:critic", "message:reasoning"];
    expect([...report.left.keys()].sort()).toEqual([...keys, ...parts].sort());
    expect(file).not.toContain("books");
    const { rows } = readRows(file, options);
    expect(rows[0]!.reward).toBe(0.25);
    expect(rows[0]!.steps).toMatchObject([
      { tool: "refund", arguments: { n: 1 }, result: { error: "closed", status: "error" } },
      { text: "It is closed." },
    ]);
  });

  test("inspect: markers are further scorers, and a judge of its own for one row is said", () => {
    const rows: Row[] = [
      { ...CALLS, rollout_index: 4 },
      { ...CALLS, rollout_index: 4, judge_name: "bo", reward: 0, reason: "no" },
      { ...CALLS, rollout_index: 1, judge_name: "", reward: null, judge_status: "error", reason: "cut" },
    ];
    const { text: file, report } = written(rows, "inspect");
    expect([...report.changed]).toEqual([
      ["judge_name", 2],
      ["rollout_index", 1],
    ]);
    const read = readRows(file).rows;
    expect(
      read.map((row) => [row.task_id ?? row.scenario_id, row.rollout_index, row.reward, row.judge_status]),
    ).toEqual([
      ["a", 4, 0.25, undefined],
      ["a", 0, 0, undefined],
      ["a", 1, null, "error"],
    ]);
    expect(read[0]!.markers).toEqual({ reward: 0.25, brief: 1 });
    expect(read[1]!.reason).toBe("no");
    expect(read[2]!.judge_meta).toMatchObject({ error: "cut" });
  });

  test("inspect: the task that all rows share is the log's, ids of many tasks are whole", () => {
    const ids = (keys: string[]) => {
      const { text: file } = written(
        keys.map((scenario_id) => ({ scenario_id, prompt: "p", final_text: "f", reward: 1 })),
        "inspect",
      );
      const log = JSON.parse(file);
      const samples = log.samples.map(({ id }: { id: string }) => id);
      return [log.eval.task, samples, readRows(file).rows.map(taskKey)];
    };
    expect(ids(["shop/a", "shop/b"])).toEqual(["shop", ["a", "b"], ["shop/a", "shop/b"]]);
    expect(ids(["shop/a", "b"])).toEqual(["while-rows", ["shop/a", "b"], ["shop/a", "b"]]);
    expect(ids(["shop/", "shop/a"])[2]).toEqual(["shop/", "shop/a"]);
  });

  test("tau-bench: ungraded rows are left out, failed ones are errors, others of its rules are refused", () => {
    const row = (fields: Row): Row => ({ scenario_id: "tau-bench/retail/7", prompt: "p", final_text: "f", ...fields });
    const { text: file, report } = written(
      [row({ reward: 1 }), row({}), row({ judge_status: "error", judge_meta: { error: "timeout" } })],
      "tau-bench",
    );
    expect(report).toMatchObject({ rows: 2, leftOut: new Map([["is ungraded", 1]]) });
    expect(
      readRows(file, { env: "retail" }).rows.map((read) => [taskKey(read), read.rollout_index, read.reward]),
    ).toEqual([
      ["tau-bench/retail/7", 0, 1],
      ["tau-bench/retail/7", 2, null],
    ]);
    expect(formatWritten(report)).toBe(
      [
        "2 rows written as tau-bench",
        "  ! 1 row not written: each is ungraded",
        "  not in the file  conversation of a failed rollout (1 row), judge_meta (1 row), judge_status (1 row)",
        "  Read it with --env retail: a file of tau-bench names no environment.",
      ].join("\n"),
    );
    const airline = { ...row({ reward: 0 }), scenario_id: "tau-bench/airline/7" };
    for (const [rows, what] of [
      [[row({ reward: 0.5 })], "Row 0 has the reward 0.5, and tau-bench takes what is not 1 for a failure."],
      [
        [row({ reward: 1 }), airline],
        "Rows are of the environments retail and airline, whose tasks share their numbers.",
      ],
      [[{ task_id: "a" }], 'Row 0 is of the task "a", and tau-bench has environments with numbered tasks.'],
    ] as const) {
      expect(() => written(rows, "tau-bench")).toThrow(expect.objectContaining({ what }));
    }
  });

  test("openai: rules, tools and the loss mask go along; a row that says nothing has no line", () => {
    const rows: Row[] = [
      {
        task_id: "a",
        messages: [
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Ho" },
        ],
        loss_mask: [0, 0],
        lineage: { system_prompt_sha: "x" },
      },
      { task_id: "b", reward: null },
    ];
    const tools = [{ type: "function", function: { name: "refund" } }];
    const { text: file, report } = written({ rows, systemPrompts: new Map([["x", "Be kind."]]), tools }, "openai");
    expect(file).toBe(
      `${JSON.stringify({
        messages: [
          { role: "system", content: "Be kind." },
          { role: "user", content: "Hi" },
          { role: "assistant", content: "Ho", weight: 0 },
        ],
        tools,
        task_id: "a",
      })}\n`,
    );
    expect(report.leftOut).toEqual(new Map([["has no conversation", 1]]));
    expect(readRows(file).rows[0]!.loss_mask).toEqual([0, 0]);
  });
});

test.each([
  [() => writeRowsAs([{}], "opena"), 'Rows are not written as "opena" (nearest: openai).'],
  [() => writeRowsAs([], "openai"), "There are no rows to write."],
  [() => [...writeRowsAs([{}], "inspect")], "now is missing."],
])("%s is refused", (write, what) => {
  expect(write).toThrow(expect.objectContaining({ what }));
});
