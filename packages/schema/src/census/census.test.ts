import { describe, expect, test } from "vitest";
import { readRows } from "../readers/read-rows.ts";
import type { Row } from "../row.ts";
import { CensusCollector, censusOf } from "./census.ts";
import { formatCensus } from "./format-census.ts";

function rows(task: string, rewards: readonly (number | null)[]): Row[] {
  return rewards.map((reward, i) => ({ scenario_id: task, rollout_index: i, prompt: "p", final_text: "f", reward }));
}

test("rows, tasks, rollouts and rewards", () => {
  expect(censusOf([...rows("a", [1, 0, 0.5]), ...rows("b", [1]), ...rows("c", [null, 1])])).toMatchObject({
    rows: 6,
    tasks: 3,
    rolloutsPerTask: { min: 1, median: 2, max: 3 },
    graded: 5,
    gradedShare: 5 / 6,
    partial: 1,
    rewards: [
      { value: 0, n: 1 },
      { value: 0.5, n: 1 },
      { value: 1, n: 3 },
    ],
    duplicates: 0,
    reading: null,
  });
});

test("no rows are a census of nothing, not of zeros", () => {
  const census = censusOf([]);
  expect(census).toMatchObject({ rows: 0, tasks: 0, rolloutsPerTask: null, gradedShare: null, fields: [] });
  expect(formatCensus(census)).toBe("no rows");
});

test("the median of an even number of tasks lies between the two in the middle", () => {
  expect(censusOf([...rows("a", [1, 1, 1, 1]), ...rows("b", [1])]).rolloutsPerTask?.median).toBe(2.5);
});

test("a row without a task is a task of its own", () => {
  expect(censusOf([{ final_text: "a" }, { final_text: "b" }, { prompt: "p" }])).toMatchObject({
    tasks: 3,
    nWithoutKey: 2,
  });
});

test("a field is covered where it holds something; names of every kind are counted", () => {
  const { fields, markers } = censusOf([
    JSON.parse(
      '{"prompt":"p","reason":"","steps":[],"usage":{},"reward":0,"__proto__":1,"markers":{"b":1,"constructor":null}}',
    ),
    { prompt: "q", reason: null, truncated: false, markers: { b: 0 } },
  ]);
  expect(fields.map(({ name, n }) => [name, n])).toEqual([
    ["markers", 2],
    ["prompt", 2],
    ["__proto__", 1],
    ["reward", 1],
    ["truncated", 1],
  ]);
  expect(markers).toEqual([{ name: "b", n: 2, share: 1 }]);
});

test.each([
  ["the same id", [{ rollout_id: "r" }, { rollout_id: "r" }], 1],
  [
    "the same task and index",
    [
      { scenario_id: "s", rollout_index: 0 },
      { scenario_id: "s", rollout_index: 0 },
    ],
    1,
  ],
  [
    "another index",
    [
      { scenario_id: "s", rollout_index: 0 },
      { scenario_id: "s", rollout_index: 1 },
    ],
    0,
  ],
  [
    "the same ask and reply",
    [
      { prompt: "p", final_text: "f" },
      { prompt: "p", final_text: "f", reward: 1 },
    ],
    1,
  ],
  [
    "the same ask, without replies",
    [
      { prompt: "p", a: 1 },
      { prompt: "p", a: 2 },
    ],
    0,
  ],
])("a row with %s", (_, pair, duplicates) => {
  expect(censusOf(pair as Row[]).duplicates).toBe(duplicates);
});

test("rewards on a scale of many values are counted, not listed", () => {
  const { rewards, nRewardValues } = censusOf(Array.from({ length: 200 }, (_, i) => ({ reward: i / 200 })));
  expect(rewards).toEqual([]);
  expect(nRewardValues).toBe(51);
});

test("row by row it is the same census", () => {
  const all = [...rows("a", [1, 0]), ...rows("b", [null])];
  const collector = new CensusCollector();
  for (const row of all) collector.add(row);
  expect(collector.census()).toEqual(censusOf(all));
});

describe("as text", () => {
  test("the first line says what the rows are; what is odd comes next, then the fields", () => {
    const text = [...rows("a", [1, 0.5]), { ...rows("b", [null])[0], model_version: "m", 日本語: "x" }]
      .map((row) => JSON.stringify(row))
      .concat("{broken", '{"scenario_id":"c","reward":7}', '{"scenario_id":"a","rollout_index":1,"reward":NaN}')
      .join("\n");
    const { rows: read, report } = readRows(text, { onBadRow: "skip" });
    expect(formatCensus(censusOf(read, { report }))).toBe(
      [
        "4 rows of 2 tasks, 1 to 3 rollouts each, median 2, 50% graded (while)",
        "  rewards    0.5 in 1, 1 in 1",
        "             1 of them partial credit, which pass rates leave out",
        "  models     m 1",
        "  duplicates 1 row that repeats an earlier one (a#1)",
        "  bad lines  2 left out",
        '    line 4 has "b" where a key in double quotes should stand: "{broken"',
        "    line 5: reward is 7, outside 0 to 1",
        "  note       1 number was NaN or infinite and is null; the first is reward at line 6.",
        "",
        "  field                             rows  share",
        "  rollout_index                        4   100%",
        "  scenario_id                          4   100%",
        "  final_text                           3    75%",
        "  prompt                               3    75%",
        "  reward                               2    50%",
        "  model_version                        1    25%",
        "  日本語                               1    25%",
      ].join("\n"),
    );
  });

  test("long lists are cut and say how much is missing; names cannot break the table", () => {
    const row = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key_${String(i).padStart(2, "0")}`, 1]));
    const text = formatCensus(
      censusOf([
        {
          ...row,
          [`${"long".repeat(20)}`]: 1,
          "a\nb\u001b[31m": 1,
          markers: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`m${i}`, 1])),
        },
      ]),
    );
    expect(text).toContain("  + 9 more");
    expect(text).toContain("m5 in 1 + 3 more");
    expect(text).toContain("  a·b·[31m                             1   100%");
    expect(text).not.toContain("\u001b");
    expect(text).toMatch(
      /^1 row of 1 task, 1 rollout each, none graded, 1 without a task\n {2}rewards {4}none: no row is graded/,
    );
  });
});
