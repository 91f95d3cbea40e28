import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { StatsError } from "../stats-error.ts";
import type { Metric } from "./metric.ts";
import { taskMeans } from "./task-means.ts";

const rows = (task_id: string, rewards: number[]): Row[] => rewards.map((reward) => ({ task_id, reward }));

test("tasks stand in the order of their first graded row, integer-like and odd names too", () => {
  const mixed: Row[] = [{ task_id: "10" }, ...rows("9", [1, 0]), ...rows("10", [1]), ...rows("__proto__", [0])];
  expect([...taskMeans(mixed, "pass_at_1")]).toEqual([
    ["9", 0.5],
    ["10", 1],
    ["__proto__", 0],
  ]);
});

test("ten values of 0.9 have the mean 0.9", () => {
  const markers = Array.from({ length: 10 }, (): Row => ({ task_id: "a", markers: { m: 0.9 } }));
  expect(taskMeans(markers, "marker:m").get("a")).toBe(0.9);
});

test("rows without a key are a task each, and under the compat rules one task", () => {
  const keyless: Row[] = [{ reward: 1 }, { task_id: "row:0", reward: 0 }, { reward: 0 }];
  expect([...taskMeans(keyless, "pass_at_1")]).toEqual([
    ["row:row:0", 1],
    ["row:0", 0],
    ["row:2", 0],
  ]);
  expect([...taskMeans(keyless, "pass_at_1", { inference: "compat" })]).toEqual([
    ["", 0.5],
    ["row:0", 0],
  ]);
});

test("qwen_reward is read as pass@k reads it; under the compat rules reward alone", () => {
  const row: Row = { task_id: "a", reward: 0.5, qwen_reward: 1 };
  expect(taskMeans([row], "pass_at_1").get("a")).toBe(1);
  expect(taskMeans([row], "pass_at_1", { inference: "compat" }).size).toBe(0);
});

test("what is no row is skipped", () => {
  expect(taskMeans([null, 3, ["x"], { task_id: "a", reward: 1 }] as unknown as Row[], "pass_at_1").size).toBe(1);
});

test.each(["accuracy", "marker:", "pass_at_2", ""])("the metric %j is refused", (metric) => {
  expect(() => taskMeans([], metric as Metric)).toThrow(StatsError);
});
