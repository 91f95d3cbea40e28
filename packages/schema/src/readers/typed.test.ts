import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Row } from "../row.ts";
import { fromRow } from "../typed/from-row.ts";
import { toRow } from "../typed/to-row.ts";
import { judgmentJson, markerJson, rolloutJson, taskJson, typedRowJson } from "../typed/typed-json.ts";
import { readRows } from "./read-rows.ts";

const ROW: Row = {
  ...{ schema_version: "1", task_id: "t1", rollout_id: "r1", rollout_index: 2, prompt: "Where is it?", seed: 7 },
  steps: [{ tool: "lookup", arguments: { id: "1" }, result: "x" }, { text: "Here." }],
  messages: [{ role: "user", content: "Where is it?" }],
  ...{ final_text: "Here.", model_version: "m", policy_version: "v2", usage: { input_tokens: 3 }, tone: "calm" },
  ...{ world_state: "entity missing", faults: { lookup: { mode: "timeout", rate: 0.5 } } },
  privileged: { hidden_state: { isPaid: true }, reference: "Paid." },
  ...{ reward: 0.5, judge_name: "helpful", reason: "Short.", judge_status: "ok", judge_meta: { version: "3" } },
  ...{ llm_reward: 1, markers: { brief: 1 }, calibration: { n: 4, pass_rate: 0.5 }, my_key: { a: 1 } },
  lineage: { source: "sim" },
};
const parts = fromRow(ROW);
const text = (...records: object[]) => records.map((record) => JSON.stringify(record)).join("\n");
const apart = () => [
  taskJson(parts.task),
  rolloutJson(parts.rollout),
  ...parts.judgments.map(judgmentJson),
  ...parts.markers.map(markerJson),
];

describe("objects come back as the row they were taken from", () => {
  test.each([
    ["together in a record", text(typedRowJson(parts), typedRowJson(fromRow({ ...ROW, rollout_id: "r2" })))],
    ["a record each", text(...apart(), rolloutJson({ ...parts.rollout, rolloutId: "r2" }))],
    ["in any order", text(...apart().reverse(), rolloutJson({ ...parts.rollout, rolloutId: "r2" }))],
  ])("%s", (_, source) => {
    const { rows, report } = readRows(source);
    expect(report).toMatchObject({ format: "typed", rows: 2, warnings: [] });
    const { lineage: _lineage, calibration: _stamp, ...same } = ROW;
    expect(rows[0]).toMatchObject(same);
    expect(rows[0]).toMatchObject({
      lineage: { importer: "typed", source: "sim" },
      calibration: { n: 4, pass_rate: 0.5 },
    });
    expect(fromRow(rows[0]!).task).toEqual(parts.task);
    expect(fromRow(rows[0]!).judgments).toEqual(parts.judgments);
  });

  test("and what a row has no key for is beside it", () => {
    const task = {
      ...parts.task,
      behaviors: ["refund"],
      lineage: { parentTaskId: "t0", transform: "harder", seed: 1 },
    };
    const { passthrough: _, ...extra } = parts.rollout.extra;
    const [row] = readRows(text(taskJson(task), rolloutJson({ ...parts.rollout, extra }))).rows;
    expect(row).toMatchObject({
      typed: { behaviors: ["refund"], lineage: { parent_task_id: "t0", transform: "harder", seed: 1 } },
      privileged: { hidden_state: { isPaid: true }, reference: "Paid." },
    });
    expect(row?.privileged).not.toHaveProperty("rubric");
  });

  test("an older row too", () => {
    const older = { scenario_id: "s", prompt: "p", final_text: "f", reward: 1 };
    const { rows } = readRows(text(typedRowJson(fromRow(older))));
    expect(rows).toMatchObject(
      [{ ...toRow({ ...fromRow(older) }), scenario_id: undefined, task_id: "s", reward: 1 }].map(
        ({ scenario_id: _, lineage: __, ...row }) => row,
      ),
    );
  });
});

describe("several verdicts", () => {
  const [own] = parts.judgments.filter(({ scorer }) => scorer.name === "helpful");
  const strict = { ...own!, reward: 0, scorer: { ...own!.scorer, name: "strict" } };
  const source = text(...apart(), judgmentJson(strict));

  test("are refused until one is named; the others stay beside the row", () => {
    expect(() => readRows(source)).toThrow(/r1 has 2 verdicts .*: helpful, strict\. Pass rewardKey/);
    const [row] = readRows(source, { rewardKey: "strict" }).rows;
    expect(row).toMatchObject({
      reward: 0,
      judge_name: "strict",
      judgments: [{ scorer: { name: "helpful" }, reward: 0.5 }],
    });
  });
});

test("what has no rollout is counted, and a rollout without its task is said", () => {
  const [task, rollout, ...verdicts] = apart();
  const strangers = verdicts.map((one) => ({ ...one, rollout_id: "r9" }));
  const { rows, report } = readRows(text({ ...task, task_id: "t9" }, rollout!, ...strangers));
  expect(rows).toMatchObject([{ task_id: "t1", prompt: "", final_text: "Here." }]);
  expect(report.warnings).toMatchObject([{ code: "no_task" }]);
  expect(report.skipped).toEqual(
    new Map([
      ["judgment_without_rollout", 2],
      ["marker_without_rollout", 1],
      ["task_without_rollout", 1],
    ]),
  );
});

test.each([
  [
    "a scorer of no kind",
    { ...judgmentJson(parts.judgments[0]!), scorer: { name: "x", kind: "oracle" } },
    /scorer whose kind is the text "oracle"/,
  ],
  [
    "a marker without a number",
    { rollout_id: "r1", name: "brief", value: "yes", evidence: {} },
    /marker brief has no number/,
  ],
  ["a rollout of no task", { rollout_id: "r1", policy: {}, ledger: [] }, /A rollout has no task_id/],
])("%s is refused with its line", (_, record, message) => {
  expect(() => readRows(text(...apart(), record))).toThrow(message);
});

test("what passed through may be nothing", () => {
  const rollout = { ...rolloutJson(parts.rollout), extra: { passthrough: null, origin: 3 } };
  expect(readRows(text(taskJson(parts.task), rollout)).rows).toMatchObject([{ rollout_id: "r1", final_text: "Here." }]);
});

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 4 });
const drawn = fc.record(
  {
    ...{ task_id: words, rollout_id: words, prompt: words, final_text: words, model_version: words, tone: words },
    ...{
      rollout_index: fc.nat(9),
      seed: fc.nat(9),
      reward: fc.constantFrom(0, 0.25, 1),
      judge_name: words,
      reason: words,
    },
    markers: fc.dictionary(words, fc.double({ min: 0, max: 1, noNaN: true }), { maxKeys: 2 }),
    privileged: fc.record({ reference: words }),
    my_key: fc.jsonValue({ maxDepth: 1 }),
  },
  { requiredKeys: ["task_id", "rollout_id", "prompt"] },
);

test("what a row says, taken apart, written as JSON and read, it still says", () => {
  fc.assert(
    fc.property(drawn, (given) => {
      const row = JSON.parse(JSON.stringify({ schema_version: "1", ...given })) as Row;
      const [back] = readRows(text(typedRowJson(fromRow(row)))).rows;
      const before = fromRow(row);
      const after = fromRow(back!);
      expect(after.task).toEqual(before.task);
      expect({ ...after.rollout, extra: {} }).toEqual({ ...before.rollout, extra: {} });
      expect(after.judgments.map(judgmentJson)).toEqual(before.judgments.map(judgmentJson));
      expect(after.markers).toEqual(before.markers);
      expect(back!.my_key).toEqual(row.my_key);
    }),
    { numRuns: 50 },
  );
});

test("a verdict outside the scale is refused with its rollout, and the others are read", () => {
  const verdict = (id: string, reward: number) => ({
    ...{ rollout_id: id, scorer: { name: "j", kind: "human" }, reward, status: "ok" },
  });
  const rollout = (id: string) => ({ rollout_id: id, task_id: "t", policy: {}, final_text: "f", ledger: [] });
  const source = text(rollout("a"), rollout("b"), verdict("b", 1), verdict("a", 9));
  const options = { scale: [-1, 1] as [number, number] };
  expect(() => readRows(source, options)).toThrow(
    /line 4: rollout the text "a": reward is 9, outside the scale -1 to 1/,
  );
  const { rows } = readRows(source, { ...options, onBadRow: "skip" });
  expect(rows.map((row) => [row.rollout_id, row.reward])).toEqual([["b", 1]]);
});
