import type { Row } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { selectForSft } from "./select-for-sft.ts";
import { SFT_SELECTIONS } from "./sft-options.ts";

const rows = (prompt: string, rewards: (number | null)[], rest: Row = {}): Row[] =>
  rewards.map((reward, i) => ({ prompt, final_text: `Reply ${i} to ${prompt}.`, reward, ...rest }));

test("every row is selected or dropped for one reason", () => {
  const given = [
    ...rows("a", [1, 1, 0, null]),
    { prompt: "b", final_text: "", reward: 1 },
    ...rows("c", [1]),
    { prompt: "d", final_text: "It is the blue one.", reward: 1, privileged: { reference: "it is the blue one" } },
    7 as never,
  ];
  const { report } = selectForSft(given, { target: 1 });
  expect(report.dropped).toEqual({
    not_a_row: 1,
    privileged_leak: 1,
    ungraded: 1,
    below_min_reward: 1,
    incomplete_junk: 1,
    not_picked: 1,
    over_target: 1,
  });
  expect(report).toMatchObject({ n: 8, nSelected: 1, nNotPass: 2, nJunk: 1, nEligible: 2 });
});

test("wordings of one task compete when groups are tasks", () => {
  const given = [...rows("my ask", [0.6], { task_id: "t" }), ...rows("my other ask", [0.9], { task_id: "t" })];
  expect(selectForSft(given, { minReward: 0.5 }).rows).toHaveLength(2);
  expect(selectForSft(given, { minReward: 0.5 }).report.note).toContain(
    "Tasks have 2.00 completions, in several wordings: groupBy task lets those compete.",
  );
  const byTask = selectForSft(given, { minReward: 0.5, groupBy: "task" });
  expect(byTask.rows.map((row) => row.reward)).toEqual([0.9]);
  expect(byTask.report).toMatchObject({ completionsPerPromptMax: 2, groupBy: "task" });
});

test("rows that are messages and no more compete by what they ask", () => {
  const chat = (ask: string, reply: string) => [
    { role: "user", content: ask },
    { role: "assistant", content: reply },
  ];
  const given = [
    { messages: chat("Where is order 7?", "It shipped."), reward: 0.6 },
    { messages: chat("where is  order 7?", "It shipped on Monday."), reward: 0.9 },
    { messages: chat("Cancel order 7.", "It is cancelled."), reward: 1 },
  ];
  const { rows: chosen, report } = selectForSft(given, { minReward: 0.5 });
  expect(chosen.map(({ reward }) => reward).sort()).toEqual([0.9, 1]);
  expect(report).toMatchObject({ nJunk: 0, completionsPerPromptMax: 2 });
});

test("rows whose ask is not known do not compete", () => {
  const given = [1, 2].map((i) => ({ final_text: `Reply ${i}.`, reward: 1 }));
  expect(selectForSft(given).rows).toHaveLength(2);
});

test("the notes say when the choice says nothing", () => {
  expect(selectForSft(rows("a", [1])).report.note).toBe(
    "1.00 completions a prompt (median 1, most 1; 1 of 1 prompts have one), where rejection sampling draws 10 to 30 " +
      "(Llama 3, arXiv:2407.21783). With one completion both per-prompt rules return the same rows, so the random " +
      "control says nothing. The passing rows all have the reward 1 (n = 1), so top_per_prompt and random_per_prompt are the " +
      "same draw. The control that says something is random_k_overall at minReward 0 with as many rows.",
  );
  const ranked = Array.from({ length: 10 }, (_, i) => i / 10);
  expect(selectForSft(rows("a", ranked), { minReward: 0.5 }).report.note).toBeNull();
});

test("nothing passes: there is no mean and no rule that ran", () => {
  expect(selectForSft(rows("a", [0])).report).toMatchObject({
    nSelected: 0,
    rewardMeanEligible: null,
    rewardMeanSelected: null,
    rewardSpreadPassing: null,
    selectionEffective: null,
    warning: null,
  });
});

test("rows of an evaluation are warned about", () => {
  expect(selectForSft(rows("a", [1], { lineage: { source: "eval" } })).report.warning).toMatch(
    /^Selected rows scored by an evaluation: 1\./,
  );
});

test("a k with a per-prompt rule would be ignored, so it is refused", () => {
  expect(() => selectForSft([], { k: 5 })).toThrow(/k is 5, and top_per_prompt takes one row a prompt/);
});

test("the random rules draw by seed, the others do not", () => {
  const given = Array.from({ length: 30 }, (_, i) => rows(`p${i}`, [1, 1, 1])).flat();
  for (const select of SFT_SELECTIONS) {
    const draw = (seed: number) => selectForSft(given, { select, seed, target: 10 }).rows;
    expect(draw(1)).toEqual(draw(1));
    if (select.startsWith("random")) expect(draw(1)).not.toEqual(draw(2));
    else expect(draw(1)).toEqual(draw(2));
  }
});

test("a ranked rule is never worse than its random twin", () => {
  const pool = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.double({ min: 0, max: 1, noNaN: true })), {
    minLength: 1,
  });
  fc.assert(
    fc.property(pool, fc.nat(), fc.integer({ min: 1, max: 5 }), (pairs, seed, k) => {
      const given = pairs.map(([prompt, reward], i) => ({ prompt, reward, final_text: `Reply ${i}.` }));
      const mean = (select: "top_k_overall" | "random_k_overall") =>
        selectForSft(given, { select, seed, k, minReward: 0 }).report.rewardMeanSelected!;
      expect(mean("top_k_overall")).toBeGreaterThanOrEqual(mean("random_k_overall"));
    }),
  );
});
