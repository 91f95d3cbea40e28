import { expect, test } from "vitest";
import { sharedTags } from "./shared-tags.ts";

test("a tag of the task is on all of its rollouts alike", () => {
  const rollouts = [{ tags: { kind: "late", turns: "3", only: "x" } }, { tags: { kind: "late", turns: "4" } }];
  expect(sharedTags(rollouts)).toEqual([["kind", "late"]]);
  expect(sharedTags([...rollouts, { tags: null }])).toEqual([]);
  expect(sharedTags([{ tags: { constructor: "x" } }, {}])).toEqual([]);
  expect(sharedTags([])).toEqual([]);
});
