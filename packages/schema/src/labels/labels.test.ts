import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validateRow } from "../checks/validate-row.ts";
import { rowKey } from "../identity/row-key.ts";
import type { Row } from "../row.ts";
import { toWire } from "../wire.ts";
import { attachLabels } from "./attach-labels.ts";
import { formatLabels } from "./format-labels.ts";
import { isTrustedGold } from "./gold-votes.ts";
import { LabelError } from "./label-error.ts";
import type { Labels } from "./resolve-labels.ts";

const human = { kind: "human", now: 100 };

const ROWS: readonly Row[] = [
  { scenario_id: "s1", rollout_index: 0, prompt: "A", final_text: "x" },
  { scenario_id: "s1", rollout_index: 1, prompt: "A", final_text: "z" },
  { rollout_id: "r-3", scenario_id: "s2", rollout_index: 0, prompt: "C", final_text: "v" },
  { prompt: "B", final_text: "y" },
  { task_id: "t1", rollout_index: 4, prompt: "D", final_text: "w" },
  { scenario_id: "__proto__", rollout_index: 0, prompt: "r-3", final_text: "u" },
];

describe("a label finds its row by", () => {
  test.each<[string, object, number]>([
    ["key, a scenario and an index", { key: "s1#1" }, 1],
    ["key, a row id", { key: "r-3" }, 2],
    ["key, what names a row of no id", { key: rowKey(ROWS[3]!) }, 3],
    ["key, a scenario of one rollout", { key: "s2" }, 2],
    ["row id", { rollout_id: "r-3" }, 2],
    ["scenario and index", { scenario_id: "s2", rollout_index: 0 }, 2],
    ["prompt and reply, where several rows have the prompt", { prompt: "A", final_text: "z" }, 1],
    ["prompt alone, where one row has it", { prompt: "B" }, 3],
    ["prompt, although it reads like a row id", { prompt: "r-3" }, 5],
    ["scenario alone, where it has one rollout", { scenario_id: "s2" }, 2],
    ["task and index", { task_id: "t1", rollout_index: 4 }, 4],
    ["a name that objects have of their own", { key: "__proto__#0" }, 5],
    ["the first of several names", { key: "s1#0", rollout_id: "r-3" }, 0],
  ])("%s", (_what, identity, at) => {
    const { rows, report } = attachLabels(ROWS, [{ ...identity, label: 1 }], human);
    expect(rows.map(({ gold_reward }) => gold_reward)).toEqual(ROWS.map((_, i) => (i === at ? 1 : undefined)));
    expect(report).toMatchObject({ matched: 1, warnings: [] });
    for (const [i, row] of rows.entries()) if (i !== at) expect(row).toBe(ROWS[i]);
  });
});

test.each<[string, Labels]>([
  ["records", [{ key: "s2", label: 1 }]],
  ["an object by key", { s2: 1 }],
  ["a Map by key", new Map([["s2", true]])],
  ["JSONL text", '{"key":"s2","reward":1}\n'],
  ["records by key", { s2: { gold_reward: 1 } }],
])("labels may be %s", (_what, labels) => {
  expect(attachLabels(ROWS, labels, human).rows[2]).toMatchObject({
    gold_reward: 1,
    gold_kind: "human",
    gold_labels: [{ label: 1, annotator: "unknown", kind: "human", ts: 100 }],
  });
});

test("a record's own annotator, kind, time and note win over the call's", () => {
  const record = { key: "s2", label: 0, annotator: "ann", kind: "verifier", ts: 7, note: "exact" };
  const { rows } = attachLabels(ROWS, [record], { ...human, annotator: "bo" });
  expect(rows[2]?.gold_labels).toEqual([{ label: 0, annotator: "ann", kind: "program", ts: 7, note: "exact" }]);
  expect(rows[2]?.gold_kind).toBe("program");
  expect(validateRow(rows[2])).toEqual([]);
});

test("without a time none is made up", () => {
  expect(attachLabels(ROWS, { s2: 1 }, { kind: "human" }).rows[2]?.gold_labels?.[0]).not.toHaveProperty("ts");
});

describe("votes", () => {
  const gold = (labels: object[], row: Row = { rollout_id: "r" }, options: object = human) => {
    const [labeled] = attachLabels(
      [row],
      labels.map((label) => ({ key: "r", ...label })),
      options,
    ).rows;
    return [labeled?.gold_reward, labeled?.gold_kind, labeled?.gold_labels?.length, isTrustedGold(labeled!)];
  };

  test.each<[string, object[], unknown[]]>([
    ["most win", [1, 1, 0].map((label, i) => ({ label, annotator: `a${i}` })), [1, "human", 3, true]],
    [
      "an even split is no gold",
      [1, 0].map((label, i) => ({ label, annotator: `a${i}` })),
      [undefined, undefined, 2, false],
    ],
    ["a correction replaces, and both stay on record", [{ label: 1 }, { label: 0 }], [0, "human", 2, true]],
    [
      "the later time wins",
      [
        { label: 1, ts: 200 },
        { label: 0, ts: 150 },
      ],
      [1, "human", 2, true],
    ],
    [
      "a person and a program are trusted together",
      [{ label: 1 }, { label: 1, kind: "program" }],
      [1, "mixed", 2, true],
    ],
    ["a person decides, whatever a model says", [{ label: 1 }, { label: 0, kind: "model" }], [1, "human", 2, true]],
    [
      "two models do not outvote a program",
      [
        { label: 0, kind: "program" },
        { label: 1, kind: "model" },
        { label: 1, kind: "model", annotator: "b" },
      ],
      [0, "program", 3, true],
    ],
    [
      "people who disagree are not decided by a model",
      [
        { label: 1, annotator: "a" },
        { label: 0, annotator: "b" },
        { label: 1, kind: "model" },
      ],
      [undefined, undefined, 3, false],
    ],
    ["models alone", [{ label: 1, kind: "model" }], [1, "model", 1, false]],
  ])("%s", (_what, labels, expected) => {
    expect(gold(labels)).toEqual(expected);
  });

  test.each<[string, object[], unknown[]]>([
    ["a person beside a model is a model's", [{ label: 1 }, { label: 1, kind: "model" }], [1, "model", 2, true]],
    [
      "two models outvote a person, and the gold is not trusted",
      [{ label: 0 }, { label: 1, kind: "model" }, { label: 1, kind: "model", annotator: "b" }],
      [1, "model", 3, false],
    ],
  ])("where all vote: %s", (_what, labels, expected) => {
    expect(gold(labels, undefined, { ...human, voters: "all" })).toEqual(expected);
  });

  test("other voters than those there are, are refused", () => {
    expect(() => gold([{ label: 1 }], undefined, { ...human, voters: "most" })).toThrow(/voters is "most"/);
  });

  const LABELED: Row = {
    rollout_id: "r",
    gold_reward: 1,
    gold_kind: "human",
    gold_labels: [{ label: 1, annotator: "ann", kind: "human" }],
  };

  test("labels are added to those there are; replace starts anew, once", () => {
    const more = [
      { label: 0, annotator: "bo" },
      { label: 0, annotator: "cy" },
    ];
    expect(gold(more, LABELED)).toEqual([0, "human", 3, true]);
    expect(gold(more, LABELED, { ...human, replace: true })).toEqual([0, "human", 2, true]);
  });

  test("gold that no label stood behind is said to be changed", () => {
    const { report } = attachLabels([{ rollout_id: "r", gold_reward: 1 }], { r: 0 }, human);
    expect(report.warnings.map(({ code }) => code)).toEqual(["gold_replaced"]);
  });
});

test.each<[Row, boolean]>([
  [{}, false],
  [{ gold_kind: "human" }, false],
  [{ gold_reward: 1 }, false],
  [{ gold_reward: 1, gold_kind: "verifier" }, true],
  [{ gold_reward: 1, gold_kind: "mixed" }, false],
  [{ gold_reward: 0, gold_kind: "model" }, false],
  [{ gold_reward: 1, gold_kind: "model", gold_labels: [{ label: 1, kind: "human" }] }, true],
  [{ gold_reward: 1, gold_kind: "human", gold_labels: [{ label: 1 }] }, false],
])("isTrustedGold(%j) is %j", (row, trusted) => {
  expect(isTrustedGold(row)).toBe(trusted);
});

describe("refused before any row is written:", () => {
  const keysOf = (call: () => unknown): unknown => {
    try {
      call();
    } catch (error) {
      return error instanceof LabelError ? [error.code, error.keys, error.message] : error;
    }
    return "nothing was refused";
  };

  test("a scenario, or a prompt, of several rollouts", () => {
    const [code, keys, message] = keysOf(() =>
      attachLabels(ROWS, [
        { key: "s1", label: 1 },
        { prompt: "A", label: 0 },
      ]),
    ) as string[];
    expect([code, keys]).toEqual(["label_ambiguous", ["s1", '"A"']]);
    expect(message).toBe(
      '2 keys of the labels name more than one row, of a task or prompt with several rollouts: s1 (s1#0, s1#1), "A" (s1#0, s1#1). ' +
        "Write <scenario_id>#<rollout_index> or a rollout_id for one of several rollouts.",
    );
  });

  test("a key that rows of pooled runs share", () => {
    const pooled = ["a", "b"].map((final_text) => ({ scenario_id: "s1", rollout_index: 0, final_text }));
    const before = structuredClone(pooled);
    const [code, , message] = keysOf(() => attachLabels(pooled, { "s1#0": 1 })) as string[];
    expect(code).toBe("label_ambiguous");
    expect(message).toContain("s1#0 (2 rows)");
    expect(message).toContain("rollout_id");
    expect(pooled).toEqual(before);
  });

  test("a key that is the id of one row and the words of another", () => {
    const said = { prompt: "B", final_text: "y" };
    const [code, keys] = keysOf(() =>
      attachLabels([said, { rollout_id: rowKey(said) }], { [rowKey(said)]: 1 }),
    ) as string[];
    expect([code, keys]).toEqual(["label_ambiguous", [rowKey(said)]]);
  });

  test("labels that name no row at all", () => {
    const labels = [..."abcd"].map((key) => ({ key, label: 1 }));
    const [code, keys, message] = keysOf(() => attachLabels(ROWS, [...labels, { label: 1 }])) as string[];
    expect([code, keys]).toEqual(["label_unmatched", ["a", "b", "c", "d", "(no identity)"]]);
    expect(message).toMatch(
      /^None of 5 labels names a row: a, b, c and 2 more\. The rows are called s1#0, s1#1, r-3, …\. /,
    );
  });

  test.each<[string, () => unknown, string[]]>([
    [
      "an unknown kind",
      () => attachLabels(ROWS, { s2: 1 }, { kind: "person" }),
      ['"person"', "human, program (also called verifier) or model"],
    ],
    [
      "an unknown kind of a record",
      () => attachLabels(ROWS, [{ key: "s2", label: 1, kind: "gpt" }]),
      ['"gpt"', "verifier"],
    ],
    ["a plain list of labels", () => attachLabels(ROWS, [1, 0] as never), ["Label 0 is a number, 1,", "rollout_id"]],
    ["no labels", () => attachLabels(ROWS, 3 as never), ["The labels are 3.", "rollout_id"]],
    ["a mistyped option", () => attachLabels(ROWS, { s2: 1 }, { anotator: "a" } as never), ["anotator", "annotator?"]],
  ])("%s", (_what, call, said) => {
    for (const part of said) expect(call).toThrow(part);
  });
});

test("what was remarkable is said, and printed", () => {
  const labels = [
    { key: "s2", label: 1 },
    { key: "s2", label: 0, annotator: "bo" },
    { key: "nope", label: 1 },
    { key: "r-3", label: "maybe" },
  ];
  const { report } = attachLabels(ROWS, labels);
  expect(formatLabels(report)).toBe(
    [
      "2 of 4 labels on 1 row by bo, unknown",
      "  ! 1 label names no row (nope). A key is a rollout_id, <scenario_id>#<rollout_index>, or a scenario_id or prompt that has one row; records may hold these under their own names.",
      '  ! 1 label is neither 0 nor 1 ("maybe") and not used.',
      "  ! 1 row has as many labels of 1 as of 0, so no gold. Read gold_labels and decide.",
      `  ! 2 labels were taken for a person's, as nothing said the kind. Pass kind: "human", "program" or "model", or give each record its kind.`,
    ].join("\n"),
  );
  expect(() => toWire(report)).not.toThrow();
});

test("the order of labels by different people does not matter, and no input is changed", () => {
  const label = fc.record({
    key: fc.constantFrom("s1#0", "r-3", "nope"),
    label: fc.constantFrom(0, 1),
    annotator: fc.string(),
  });
  const labels = fc.uniqueArray(label, { selector: ({ key, annotator }) => `${key} ${annotator}`, maxLength: 8 });
  fc.assert(
    fc.property(labels, (some) => {
      const all = [{ key: "s2", label: 1, annotator: "last" }, ...some];
      const before = structuredClone(all);
      const gold = (list: typeof all) => attachLabels(ROWS, list, human).rows.map((row) => row.gold_reward);
      expect(gold(all.toReversed())).toEqual(gold(all));
      expect(all).toEqual(before);
    }),
  );
});
