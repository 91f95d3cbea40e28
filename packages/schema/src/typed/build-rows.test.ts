import { describe, expect, test } from "vitest";
import { validateRow } from "../checks/validate-row.ts";
import { rowKey } from "../identity/row-key.ts";
import { buildRows } from "./build-rows.ts";

test("a row says the task, the repeat, the conversation, the verdict and who gave it", () => {
  const rows = buildRows(["2 + 3?"], [["5", "6"]], {
    reward: [[1, 0]],
    references: ["5"],
    taskIds: ["gsm8k/1"],
    markers: [[{ chars: 1 }, { chars: 0 }]],
    scorer: "math_equal",
  });
  expect(rows[1]).toEqual({
    schema_version: "1",
    task_id: "gsm8k/1",
    rollout_index: 1,
    prompt: "2 + 3?",
    steps: [],
    messages: [
      { role: "user", content: "2 + 3?" },
      { role: "assistant", content: "6" },
    ],
    final_text: "6",
    markers: { chars: 0 },
    privileged: { reference: "5" },
    reward: 0,
    judge_name: "math_equal",
    judge_status: "ok",
    judge_meta: { scorer_kind: "rule" },
  });
  for (const row of rows) expect(validateRow(row, { level: "strict" })).toEqual([]);
});

test("without a reward there is no verdict; null is one that is missing", () => {
  expect(buildRows(["p"], ["a"])[0]).not.toHaveProperty("judge_name");
  expect(buildRows(["p"], ["a"], { reward: [null] })[0]).toMatchObject({
    reward: null,
    judge_status: "missing_reward",
  });
});

test("a conversation is a task of its own, whatever its last turn says", () => {
  const talk = (first: string) => [
    { role: "user", content: first },
    { role: "assistant", content: "Sure?" },
    { role: "user", content: "yes" },
  ];
  const rows = buildRows([talk("Refund it."), talk("Cancel it.")], ["Done.", "Done."]);
  expect(rows.map(({ prompt }) => prompt)).toEqual(["yes", "yes"]);
  expect(rows[0]?.messages).toEqual([...talk("Refund it."), { role: "assistant", content: "Done." }]);
  expect(rows[0]?.task_id).not.toBe(rows[1]?.task_id);
});

test("a prompt that comes twice is one task, and its repeats count on", () => {
  const rows = buildRows(["p", "p"], [["a", "b"], "a"]);
  expect(rows.map(({ task_id, rollout_index }) => [task_id, rollout_index])).toEqual(
    [0, 1, 2].map((index) => [rows[0]?.task_id, index]),
  );
  expect(new Set(rows.map(rowKey)).size).toBe(2); // the same reply to the same prompt, without a row id
});

test.each<[string, () => unknown, string[]]>([
  ["completions of another length", () => buildRows(["p"], []), ["1 prompts", "0 completions"]],
  ["rewards of another length", () => buildRows(["p"], ["a"], { reward: [1, 0] }), ["1 prompts", "2 reward"]],
  [
    "ragged rewards",
    () => buildRows(["p", "q"], ["a", ["b", "c"]], { reward: [1, [0]] }),
    ["Prompt 1", "2", "1 under"],
  ],
  ["a reward over 1", () => buildRows(["p"], [["a", "b"]], { reward: [[1, 3]] }), ["prompt 0, completion 1 is 3"]],
  ["NaN", () => buildRows(["p"], ["a"], { reward: [Number.NaN] }), ["NaN"]],
  ["a marker that is none", () => buildRows(["p"], ["a"], { markers: [{ x: Number.NaN }] }), ["marker x", "NaN"]],
  [
    "one id for two prompts",
    () => buildRows(["p", "q"], ["a", "b"], { taskIds: ["t", "t"] }),
    ['"t"', "two different"],
  ],
  ["an unknown option", () => buildRows(["p"], ["a"], { rewards: [1] } as never), ["rewards", "reward?"]],
])("refuses %s", (_what, call, said) => {
  for (const part of said) expect(call).toThrow(part);
});

describe("a reward function", () => {
  const grade = (reward: (text: string) => unknown, concurrency?: number) =>
    buildRows(["p"], [["a", "b", "c"]], {
      reward: async (row) => reward(row.final_text ?? "") as number,
      scorer: { name: "grader", kind: "judge", version: "2" },
      ...(concurrency === undefined ? {} : { concurrency }),
    });

  test("may say a number or a verdict, fail, or say nonsense, each for its own row", async () => {
    const [failed] = await grade(() => {
      throw new Error("no answer");
    });
    expect(failed).toMatchObject({ reward: null, judge_status: "error", reason: "no answer" });
    const rows = await grade((text) => ({ a: 1, b: { reward: 0.5, reason: "half" }, c: 7 })[text]);
    expect(rows).toMatchObject([
      { reward: 1, judge_status: "ok", judge_meta: { version: "2" } },
      { reward: 0.5, reason: "half" },
      { reward: null, judge_status: "invalid_result", judge_meta: { reward_out_of_range: 7 } },
    ]);
    const said = await grade((text) => ({ a: "good", b: null, c: Number.NaN })[text]);
    expect(said.map(({ judge_status, judge_meta }) => [judge_status, judge_meta])).toEqual([
      ["invalid_result", { reward_raw: "good", version: "2" }],
      ["missing_reward", { version: "2" }],
      ["invalid_result", { reward_out_of_range: "NaN", version: "2" }],
    ]);
  });

  test("keeps the order of rows and the number of calls at a time", async () => {
    let running = 0;
    let most = 0;
    const rows = await buildRows(["p"], [["a", "bb", "c", "d"]], {
      async reward({ final_text: text }) {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, text === "a" ? 5 : 0));
        running--;
        return text === "bb" ? 1 : 0;
      },
      concurrency: 2,
    });
    expect([rows.map(({ reward }) => reward), most]).toEqual([[0, 1, 0, 0], 2]);
    await expect(grade(() => 1, 0)).rejects.toThrow("concurrency is 0");
  });
});
