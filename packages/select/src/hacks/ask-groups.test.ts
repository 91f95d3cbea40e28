import type { Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { askGroups } from "./ask-groups.ts";
import type { ScanGrouping } from "./scan-options.ts";

const row = (task_id: string, prompt: string): Row => ({ task_id, prompt });

describe("rollouts are compared within", () => {
  test.each<[string, Row[], ScanGrouping | null, ScanGrouping, number[], RegExp | null]>([
    ["prompts", [row("a", "p"), row("a", "p"), row("b", "q"), row("b", "q")], null, "prompt", [2, 2], null],
    [
      "tasks, where a user words them anew in every rollout",
      [row("a", "p"), row("a", "q"), row("b", "r"), row("b", "s")],
      null,
      "task",
      [2, 2],
      /^4 prompts word 2 tasks/,
    ],
    ["prompts without a word, where no task has two", [row("a", "p"), row("b", "q")], null, "prompt", [1, 1], null],
    ["prompts, as asked", [row("a", "p"), row("a", "q")], "prompt", "prompt", [1, 1], null],
    ["tasks, as asked", [row("a", "p"), row("b", "p")], "task", "task", [1, 1], null],
    ["themselves, without prompt and task", [{}, {}], null, "prompt", [1, 1], null],
    ["nothing", [], null, "prompt", [], null],
  ])("%s", (_what, rows, asked, groupBy, sizes, warning) => {
    const found = askGroups(rows, asked);
    expect(found.groupBy).toBe(groupBy);
    expect(found.groups.map(({ length }) => length)).toEqual(sizes);
    if (warning === null) expect(found.warning).toEqual([]);
    else expect(found.warning).toEqual([expect.stringMatching(warning)]);
  });
});
