import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { calibrationStamp, policyRef } from "../calibration.ts";
import { validateRow } from "../checks/validate-row.ts";
import { rowKey } from "../identity/row-key.ts";
import type { Row } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { attach } from "./attach.ts";
import { fromRow } from "./from-row.ts";
import { toRow } from "./to-row.ts";
import type { Judgment, TypedRow } from "./typed-row.ts";

const text = fc.constantFrom("", "a", "Where is order 4473?", "🙂", "__proto__", "unlabeled", "llm");
const share = fc.constantFrom(0, 1, 0.5, 0.75);
const names = fc.constantFrom("polite", "__proto__", "constructor", "chars");
const objects = fc.dictionary(names, fc.oneof(share, text, fc.constant({ mode: "timeout", rate: 0.5 })), {
  maxKeys: 3,
});
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 8 });

/** A row with its version, each key of its documented type, or null, or not there. */
const rows = fc.record(
  {
    schema_version: fc.constant("1"),
    scenario_id: orNull(text),
    task_id: orNull(text),
    rollout_id: orNull(text),
    rollout_index: orNull(fc.nat(3)),
    spec_id: orNull(text),
    prompt: orNull(text),
    opener: orNull(text),
    steps: orNull(
      fc.array(fc.record({ user: text, tool: text, result: text, note: text }, { requiredKeys: [] }), { maxLength: 3 }),
    ),
    messages: fc.array(fc.record({ role: fc.constantFrom("user", "assistant"), content: text }), { maxLength: 2 }),
    final_text: orNull(text),
    seed: orNull(fc.nat(9)),
    tier: orNull(text),
    tone: orNull(text),
    privileged: orNull(objects),
    model_version: orNull(text),
    policy_version: orNull(text),
    lineage: orNull(
      fc.record({ judge_version: text, system_prompt_sha: text, eval_run: fc.nat(2) }, { requiredKeys: [] }),
    ),
    reward: orNull(share),
    reason: orNull(text),
    grader_reason: orNull(text),
    label_source: orNull(text),
    judge_name: orNull(text),
    judge_status: orNull(fc.constantFrom("ok", "error", "timeout")),
    judge_meta: orNull(
      fc.record(
        {
          version: fc.oneof(text, fc.nat(3)),
          scorer_kind: fc.constantFrom("rule", "human", "judge", "odd"),
          failures: objects,
        },
        { requiredKeys: [] },
      ),
    ),
    failure_class: orNull(text),
    llm_reward: orNull(share),
    llm_reason: orNull(text),
    qwen_reward: orNull(share),
    markers: orNull(fc.dictionary(names, orNull(share), { maxKeys: 3 })),
    marker_evidence: orNull(objects),
    calibration: fc.constantFrom<Row["calibration"]>(
      null,
      {},
      { n: 4, pass_rate: 0.5 },
      { n: 0, odd: true },
      { n: "8", pass_rate: "0.5" },
    ),
    usable: fc.boolean(),
    behavior_signature: text,
    steering: objects,
    tool_trace: fc.array(objects, { maxLength: 2 }),
    behaviors: text,
  },
  { requiredKeys: ["schema_version"] },
) as fc.Arbitrary<Row>;

/** null reads as absent, and a row is written with its prompt, steps and final text. */
function isGiven([, value]: [string, unknown]): boolean {
  return value !== null;
}

describe("toRow(fromRow(row))", () => {
  const again = (row: Row) => toRow(fromRow(row));

  test("has every key of the row with an equal value", () => {
    fc.assert(
      fc.property(rows, (row) => {
        const before = structuredClone(row);
        const back = again(row);
        for (const [key, value] of Object.entries(row).filter(isGiven)) expect([key, back[key]]).toEqual([key, value]);
        expect(row).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  test("keeps the task, the row and the reward", () => {
    fc.assert(
      fc.property(rows, (row) => {
        const back = again(row);
        expect([taskKey(back), rowKey(back), back.reward ?? null]).toEqual([
          taskKey(row),
          rowKey(row),
          row.reward ?? null,
        ]);
      }),
    );
  });

  test("is a valid row, if the row is one", () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(validateRow(again(row))).toEqual(validateRow(row));
      }),
    );
  });

  test("changes nothing the second time", () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(again(again(row))).toEqual(again(row));
      }),
    );
  });

  test.each<[string, Row, Row]>([
    [
      "a fault that is no object",
      { faults: { a: "timeout", b: { mode: "deny" } } },
      { faults: { b: { mode: "deny" } } },
    ],
    ["a world that says nothing", { world_state: "unspecified" }, {}],
    ["a marker that is true", { markers: { polite: true as never } }, { markers: { polite: 1 } }],
    ["a reward that is text", { reward: "0.5" as never }, { reward: 0.5 }],
    [
      "a reward that is no number",
      { reward: "good" as never },
      { reward: null, judge_status: "invalid_result", judge_meta: { reward_raw: "good" } },
    ],
  ])("brings %s to canonical form", (_what, change, expected) => {
    const row = { schema_version: "1", task_id: "t", prompt: "p", steps: [], final_text: "f", messages: [] };
    expect(again({ ...row, ...change })).toEqual({ ...row, ...expected });
  });

  test("keeps a key called __proto__", () => {
    const row = JSON.parse('{"schema_version":"1","prompt":"p","__proto__":{"a":1},"markers":{"__proto__":1}}');
    expect(JSON.parse(JSON.stringify(again(row)))).toMatchObject(row);
    expect(Object.keys(again(row))).toContain("__proto__");
  });

  test("a grade that arrived with the row is given no judge and no status", () => {
    const row = { schema_version: "1", task_id: "t", prompt: "p", final_text: "f", reward: 1 };
    expect(again(row)).toEqual({
      ...row,
      steps: [],
      messages: [
        { role: "user", content: "p" },
        { role: "assistant", content: "f" },
      ],
    });
  });
});

describe("fromRow", () => {
  test("reads a row without version in the words people use, and keeps a fraction", () => {
    const { task, rollout, judgments } = fromRow({ question: "q", output: "a", reward: 0.75 });
    expect([task.prompt, rollout.finalText, judgments[0]?.reward]).toEqual(["q", "a", 0.75]);
    expect(rollout.extra.origin?.taskId).toBe("derived");
  });

  test("reads flat columns", () => {
    const { rollout } = fromRow({
      prompt: "p",
      steps_json: '[{"text":"a"}]',
      metadata_json: '{"k":1}',
      x_json: "{oops",
    });
    expect(rollout.steps).toEqual([{ text: "a" }]);
    expect(rollout.extra.passthrough).toEqual({ metadata: { k: 1 }, x_json: "{oops" });
  });

  test("reads three verdicts, the row's own first", () => {
    const row = {
      scenario_id: "s",
      reward: 1,
      label_source: "conduct",
      llm_reward: null,
      llm_reason: "unsure",
      qwen_reward: 0.5,
    };
    const verdicts = fromRow(row).judgments.map(({ scorer, reward, reason }) => [
      scorer.name,
      scorer.kind,
      reward,
      reason,
    ]);
    expect(verdicts).toEqual([
      ["conduct", "rule", 1, ""],
      ["llm", "judge", null, "unsure"],
      ["qwen", "judge", 0.5, ""],
    ]);
  });

  test("reads the ledger, the axes, the privileged block and the policy", () => {
    const { task, rollout } = fromRow({
      scenario_id: "s",
      tier: "gold",
      faults: { pay: { mode: "timeout", rate: 0.5 }, get: { odd: 1 }, x: "deny" },
      privileged: { principle: "Verify first.", hidden_state: { paid: true } },
      model_version: "m",
      lineage: { system_prompt_sha: "64cd44d0b410c60d" },
    });
    expect(rollout.ledger).toEqual([{ tool: "pay", mode: "timeout", rate: 0.5, injected: true }]);
    expect(task.axes).toEqual({ tier: "gold" });
    expect(task.privileged).toEqual({
      principle: "Verify first.",
      hiddenState: { paid: true },
      reference: null,
      rubric: {},
    });
    expect(rollout.policy).toEqual({ name: "m", model: "m", promptHash: "64cd44d0b410c60d", version: null });
  });

  test.each([
    [null, "null"],
    [[], "[]"],
    [{ schema_version: "7" }, '"7"'],
    [{ schema_version: "1", steps: "s" }, '"s"'],
  ])("refuses %j and names what it saw", (row, seen) => {
    expect(() => fromRow(row as never)).toThrow(seen);
  });
});

describe("toRow", () => {
  const typed = (change: (typed: TypedRow) => TypedRow): Row =>
    toRow(
      change(
        fromRow({
          schema_version: "1",
          prompt: "p",
          steps: [],
          final_text: "f",
          reward: 1,
          calibration: { n: 4, pass_rate: 0.5 },
        }),
      ),
    );

  test("a made-up id is not written, one that was given later is", () => {
    expect(typed((same) => same)).not.toHaveProperty("task_id");
    const named = typed(({ task, rollout, ...rest }) => ({
      ...rest,
      task: { ...task, taskId: "t" },
      rollout: { ...rollout, taskId: "t" },
    }));
    expect(named.task_id).toBe("t");
  });

  test("a changed calibration is written whole, and one that was removed stays away", () => {
    const changed = typed((row) => {
      const calibration = { ...row.rollout.extra.calibration!, n: 8 };
      return { ...row, rollout: { ...row.rollout, extra: { ...row.rollout.extra, calibration } } };
    });
    expect(changed.calibration).toMatchObject({ n: 8, pass_rate: 0.5, student: { name: "" } });
    const removed = typed((row) => {
      const { calibration: _, ...extra } = row.rollout.extra;
      return { ...row, rollout: { ...row.rollout, extra } };
    });
    expect(removed).not.toHaveProperty("calibration");
  });

  test("a verdict that was replaced or taken away leaves no word of itself", () => {
    const read = fromRow({
      schema_version: "1",
      prompt: "p",
      reward: 0,
      label_source: "conduct",
      grader_reason: "rude",
    });
    const { label_source, grader_reason } = toRow(read);
    expect([label_source, grader_reason]).toEqual(["conduct", "rude"]);
    const [verdict] = read.judgments;
    const judge = { ...verdict!, scorer: { name: "j", kind: "judge" as const, version: null }, reason: "kind" };
    for (const judgments of [[judge], []]) {
      const row = toRow({ ...read, judgments });
      expect(row).not.toHaveProperty("label_source");
      expect(row).not.toHaveProperty("grader_reason");
      expect(fromRow(row).judgments.map(({ scorer, reason }) => [scorer.name, reason])).toEqual(
        judgments.map(() => ["j", "kind"]),
      );
    }
  });

  test("a key that was put on extra is written", () => {
    const extra = (row: TypedRow) => ({ ...row.rollout.extra, usage: { input_tokens: 3 }, note: "kept" });
    const row = typed((read) => ({ ...read, rollout: { ...read.rollout, extra: extra(read) } }));
    expect(row).toMatchObject({ usage: { input_tokens: 3 }, note: "kept" });
  });

  test("the teacher's block comes back from the row alone, never from the task", () => {
    const privileged = { principle: "p", hiddenState: {}, reference: "42", rubric: {} };
    expect(typed((row) => ({ ...row, task: { ...row.task, privileged } }))).not.toHaveProperty("privileged");
  });

  test("a rollout that came from no row is written with its ids, its verdict and its measurements", () => {
    const { task } = fromRow({ scenario_id: "s", prompt: "p" });
    const rolloutId = "r-1";
    const judgment = {
      rolloutId,
      reward: 0,
      status: "ok",
      reason: "late",
      failureClass: "late",
      evidence: { failures: 2 },
      scorer: { name: "maria", kind: "human" as const, version: "2" },
    };
    const row = toRow({
      task: { ...task, prefix: [{ role: "assistant", content: "Hello." }] },
      rollout: {
        ...{ rolloutId, taskId: "s", index: 2, steps: [], finalText: "f", ledger: [], usable: false },
        ...{ unusableReason: "outage", policy: { ...policyRef("Be brief."), model: "m" }, extra: {} },
      },
      judgments: [judgment],
      markers: [{ rolloutId, name: "polite", value: 1, evidence: { quote: "please" } }],
    });
    expect(row).toMatchObject({
      ...{ schema_version: "1", task_id: "s", rollout_id: "r-1", rollout_index: 2, model_version: "m", usable: false },
      ...{ unusable_reason: "outage", judge_name: "maria", judge_status: "ok", reason: "late", failure_class: "late" },
      judge_meta: { failures: 2, version: "2", scorer_kind: "human" },
      markers: { polite: 1 },
      marker_evidence: { polite: { quote: "please" } },
      messages: [{ content: "Hello." }, { content: "p" }, { content: "f" }],
      lineage: { system_prompt_sha: policyRef("Be brief.").promptHash },
    });
    expect(fromRow(row).judgments).toMatchObject([judgment]);
    expect(toRow(fromRow(row))).toEqual(row);
  });

  test("objects of two rollouts, or two verdicts for one key, are refused", () => {
    const other = (row: TypedRow) => ({ ...row, rollout: { ...row.rollout, taskId: "other" } });
    expect(() => typed(other)).toThrow("rollout of other");
    expect(() => typed((row) => ({ ...row, judgments: [{ ...row.judgments[0]!, rolloutId: "r" }] }))).toThrow("of r.");
    expect(() => typed((row) => ({ ...row, judgments: [row.judgments[0]!, row.judgments[0]!] }))).toThrow(
      "more than one",
    );
  });
});

describe("attach", () => {
  const verdict: Omit<Judgment, "rolloutId"> = {
    ...{ reward: 1, status: "ok", reason: "", failureClass: null, evidence: {} },
    scorer: { name: "judge", kind: "judge", version: null },
  };

  test("leaves no word of the judge before", () => {
    const row = {
      reward: 0,
      reason: "late",
      grader_reason: "late",
      failure_class: "late",
      judge_meta: { version: "1" },
    };
    expect(attach(row, verdict)).toEqual({ reward: 1, judge_name: "judge", judge_status: "ok" });
    expect(row.reason).toBe("late");
  });

  test("what it writes is what fromRow reads", () => {
    const rule: Omit<Judgment, "rolloutId"> = {
      ...{ reward: null, status: "timeout", reason: "30 s", failureClass: "slow", evidence: { timeout_s: 30 } },
      scorer: { name: "math_equal", kind: "rule", version: "3" },
    };
    const row = attach(
      { schema_version: "1", task_id: "t", rollout_id: "r", prompt: "p", steps: [], final_text: "f" },
      rule,
    );
    expect(row.judge_meta).toEqual({ timeout_s: 30, version: "3", scorer_kind: "rule" });
    const [read] = fromRow(row).judgments;
    expect(read).toMatchObject({
      reward: null,
      status: "timeout",
      reason: "30 s",
      failureClass: "slow",
      scorer: rule.scorer,
    });
    expect(toRow(fromRow(row))).toMatchObject(row);
  });
});

test("calibration rides along typed", () => {
  const { calibration } = fromRow({ scenario_id: "s", calibration: { n: 4, pass_rate: 0.5 } }).rollout.extra;
  expect(calibrationStamp(calibration!)).toMatchObject({ task_id: "s", n: 4, pass_rate: 0.5 });
});
