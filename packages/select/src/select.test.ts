import { expect, test } from "vitest";
import { optimize } from "./optimize.ts";
import { optimizeForRl } from "./rl/optimize-for-rl.ts";
import { select } from "./select.ts";

const rows = [1, 0.6, 0, 1].map((reward, i) => ({
  task_id: `t${i >> 1}`,
  prompt: `ask ${i >> 1}`,
  final_text: `Reply ${i}.`,
  reward,
}));

test("a rule by its name, or with its settings, is rejection sampling by that rule", () => {
  const named = select(rows, { mode: "sft", rule: "top_k_overall", k: 1 });
  expect(named).toEqual(optimize(rows, { mode: "sft", select: "top_k_overall", k: 1 }));
  const settled = select(rows, { mode: "sft", rule: { select: "top_k_overall", minReward: 0.5, seed: 3 } });
  expect(settled).toEqual(optimize(rows, { mode: "sft", select: "top_k_overall", minReward: 0.5, seed: 3 }));
  expect(select(rows, { mode: "rl" })).toEqual(optimize(rows, { mode: "rl" }));
});

test("an unknown rule is refused in both modes, and any rule where there is none to ask for", () => {
  for (const mode of ["sft", "rl"] as const) {
    expect(() => select(rows, { mode, rule: "best" as never })).toThrow(/select must be one of top_per_prompt/);
  }
  expect(() => select(rows, { mode: "rl", rule: "top_per_prompt" })).toThrow(/select is an option of mode sft/);
  expect(() => select(rows, { mode: "sft", rule: 3 as never })).toThrow(/rule is 3/);
});

test("optimizeForRl keeps what passes the row gates and has contrast, and nothing else is done", () => {
  const given = [...rows, { ...rows[3]! }, { task_id: "t2", prompt: "q", final_text: "Yes.", reward: 1 }];
  const { rows: kept, report } = optimizeForRl(given);
  expect(kept.map((row) => given.indexOf(row as never))).toEqual([0, 2, 3, 4, 5]);
  expect(report).toMatchObject({ n: 6, nKept: 5, nDropped: 1, unanimousRowsDropped: 0, signal: { nMixed: 1 } });
  const solved = rows.map((row) => ({ ...row, reward: 1 }));
  expect(optimizeForRl(solved).report).toMatchObject({ nKept: 0, unanimousRowsDropped: 4 });
  expect(optimizeForRl(solved, { trimUnanimous: false }).rows).toHaveLength(4);
});
