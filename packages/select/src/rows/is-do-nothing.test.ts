import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { isDoNothing } from "./is-do-nothing.ts";

test.each<[does: boolean, row: Row]>([
  [true, { prompt: "Please cancel my order" }],
  [true, { prompt: "hi, could you please look up my booking" }],
  [true, { prompt: "what about A1001" }],
  [true, { prompt: "any news on #12?" }],
  [true, { prompt: "and 4473?" }],
  [false, { prompt: "what is 12 plus 30?" }],
  [false, { prompt: "What can you do?" }],
  [false, { prompt: "Cancellation policy, in short?" }],
  [true, { prompt: "x", tool_known: true }],
  [true, { prompt: "x", ask_family: "tool" }],
  [true, { prompt: "x", faults: { get: { mode: "timeout" } } }],
  [false, { prompt: "x", faults: {} }],
  [true, { prompt: "x", world_state: "entity missing" }],
  [false, { prompt: "x", world_state: "unspecified" }],
  [true, { prompt: "x", scenario_dimensions: { tool: "get" } }],
  [false, { prompt: "Please cancel my order", steps: [{ tool: "cancel", result: {} }] }],
])("does nothing %s: %j", (does, row) => {
  expect(isDoNothing(row, true)).toBe(does);
});

test("an agent without tools never does nothing", () => {
  expect(isDoNothing({ prompt: "Please cancel my order" }, false)).toBe(false);
});
