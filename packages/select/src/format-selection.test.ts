import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { formatSelection } from "./format-selection.ts";
import { selectForRl } from "./rl/select-for-rl.ts";
import { selectForSft } from "./sft/select-for-sft.ts";

const rows = (task: string, rewards: number[], rest: Row = {}): Row[] =>
  rewards.map((reward, i) => ({
    task_id: task,
    prompt: `ask ${task}`,
    final_text: `Reply ${i} to ${task}.`,
    reward,
    ...rest,
  }));
const lines = (text: string) => text.split("\n");

test("a selection for RL: the verdict, the drops by reason, what is left, what to look at", () => {
  const given = [
    ...rows("a", [1, 0, 1, 0]),
    ...rows("b", Array(12).fill(1)),
    ...rows("c", [0, 0, 0, 0, 0, 0, 0, 1]),
    ...rows("d", [1, 0], { final_text: "" }),
    ...rows("e", [0, 1], { steps: [{ tool: "get", result: { status: "timeout" } }] }),
  ];
  expect(lines(formatSelection(selectForRl(given, { target: 4 }).report))).toEqual([
    "kept 4 of 28 rows: 1 of 5 tasks carry signal",
    "   2 incomplete_junk: no finished attempt: empty, cut, an error, or words of the harness",
    "  12 unanimous: every rollout of the task has the same outcome",
    "   8 too_hard: the task passes less often than the band",
    "   2 over_target: the target was met before",
    "  tasks dropped: 1 emptied, 1 without contrast, 1 too hard, 1 over the target",
    "  whole groups in training order (spread): 1; fault kinds: no fault 1, timeout 1",
    "  selection: 1 mixed, 1 in the band [0.20..0.80], pass@1 0.50",
    "  hack scan: no_signal",
    "warnings",
    "  - Nothing that was counted varies inside asks over enough rollouts to be held against the reward: sample more " +
      "rollouts of each ask, or pass a smaller minObs.",
    "  - Pass rates rest on a median of 4 rollouts a task: a task's place in the band can be off by 0.3. " +
      "Sample with repeats=16.",
  ]);
});

test("what the reward pays for has a line, with its regime where something is endorsed", () => {
  const given = Array.from({ length: 128 }, (_, i) => {
    const kind = (i * 7) % 10 < 3;
    const final_text = `${kind ? "Kindly" : "Please"} allow ${i} days.`;
    return { task_id: `t${i >> 3}`, prompt: `ask ${i >> 3}`, final_text, markers: { ok: i % 2 }, reward: Number(kind) };
  });
  const line = (endorsed: string[]) =>
    lines(formatSelection(selectForRl(given, { endorsed }).report)).find((text) => text.startsWith("  hack scan"));
  expect(line([])).toMatch(
    /^ {2}hack scan: contains:kindly on top \(1\.00 inside asks, floor 0\.\d\d\); nothing is endorsed$/,
  );
  expect(line(["marker:ok"])).toMatch(/^ {2}hack scan: reward_hack, contains:kindly on top \(1\.00 inside/);
});

test("nothing selected reads so in the first line", () => {
  expect(lines(formatSelection(selectForRl(rows("a", [1, 1])).report))).toEqual([
    "kept 0 of 2 rows: 0 of 1 tasks carry signal",
    "  2 unanimous: every rollout of the task has the same outcome",
    "  tasks dropped: 1 without contrast",
    "warnings",
    "  - no_mixed_groups: nothing was selected, so every advantage would be zero. Regrade, or sample tasks of another difficulty.",
    "  - Nothing was selected from 2 rows of 1 graded task: 2 unanimous. Grade more rollouts a task, or widen the band.",
  ]);
});

test("a prior and cut replies have their lines", () => {
  const given = [
    ...rows("a", [1, 0]),
    ...rows("old", [1, 0]),
    { ...rows("a", [1])[0], final_text: "So I", truncated: true },
  ];
  const { report } = selectForRl(given, { prior: rows("old", [1, 1]), truncated: "keep" });
  const text = lines(formatSelection(report));
  expect(text[1]).toBe("  before that, 2 rows of tasks an earlier round decided: 1 solved, 0 unsolved");
  expect(text[5]).toBe("  cut replies ride along without a vote: 1 of the selected rows");
});

test("a selection for SFT", () => {
  const given = [...rows("a", [1, 0.9, 0]), ...rows("b", [1, 0.8])];
  expect(lines(formatSelection(selectForSft(given, { minReward: 0.5 }).report))).toEqual([
    "kept 2 of 5 rows: 1 of 1 behaviors",
    "  1 below_min_reward: reward under minReward",
    "  2 not_picked: another completion was chosen",
    "  rule: top_per_prompt, from 2 eligible rows",
    "  mean reward 1.00, of the eligible 1.00",
    "warnings",
    "  - 2.50 completions a prompt (median 3, most 3; 0 of 2 prompts have one), where rejection sampling draws 10 to 30 " +
      "(Llama 3, arXiv:2407.21783).",
  ]);
  expect(formatSelection(selectForSft(rows("a", [0])).report)).toContain("kept 0 of 1 rows: none passed");
});
