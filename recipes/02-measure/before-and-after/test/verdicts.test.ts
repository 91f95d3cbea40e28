import { simulate } from "@while/simulate";
import { deltaReport } from "@while/stats";
import { expect, test } from "vitest";
import { desk, looked, systemPrompt, tools } from "../agent.ts";

/*
 * What the recipe shows once holds whatever the luck: three runs on pinned tasks pair every task, measure what the score
 * moves by itself, and have the right word for an agent that is as it was, better, or worse.
 */

const LUCKS = [1, 2, 3, 4, 5, 6];

test("the words of three runs, over six lots of luck", { timeout: 300_000 }, async () => {
  const shared = { tools, systemPrompt, grader: looked, runs: 3 };
  const before = await simulate(desk("desk-1", 0.55), { ...shared, situations: 60, repeats: 4 });
  const words: Record<string, string[]> = { same: [], better: [], worse: [] };
  for (const luck of LUCKS) {
    for (const [what, skill] of [
      ["same", 0.55],
      ["better", 0.75],
      ["worse", 0.35],
    ] as const) {
      const after = await simulate(desk(what, skill, luck), { ...shared, tasks: before });
      expect(after.report.stoppedBecause).toBe("tasks_done");
      const { headline, targetVerdict, ...report } = deltaReport(before.rows, after.rows, { target: "pass_at_1" });
      expect(report).toMatchObject({ nPairedTasks: 60, nUnpairedTasks: 0, runStdSource: "eval_run", replicated: true });
      expect(report.runStd).toBeGreaterThan(0);
      words[what]!.push(`${headline} ${targetVerdict}`);
    }
  }
  const all = (word: string) => LUCKS.map(() => word);
  expect(words).toEqual({
    same: all("NO DIFFERENCE no_change_detected"),
    better: all("PASS moved"),
    worse: all("FAIL moved_the_wrong_way"),
  });
});
