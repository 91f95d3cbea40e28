import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { rewardCorrelations } from "./reward-correlations.ts";

const row = (reward: number | null, rest: Row = {}): Row => ({ final_text: "same length.", reward, ...rest });

test("stamped styles and flags are features, read where they were stamped", () => {
  const rows = [
    row(1, { markers: { no_hedging: 0 }, trace_flags: { "lie.tests_claimed": ["said so"] } }),
    row(1, { markers: { no_hedging: 0 }, trace_flags: { "lie.tests_claimed": [] } }),
    row(0, { markers: { no_hedging: 1 }, trace_flags: {} }),
    row(0, { markers: { no_hedging: 1 } }),
    row(null, { markers: { no_boilerplate: 1 } }),
  ];
  const report = rewardCorrelations([...rows, null as never]);
  expect(report.nGraded).toBe(4);
  expect(Object.fromEntries(report.correlations)).toEqual({
    reply_length: null,
    tool_calls: null,
    assistant_turns: null,
    hedging: 1,
    "trace:lie.tests_claimed": 0.5,
  });
  expect(Object.fromEntries(report.flagged)).toEqual({ hedging: 1, "trace:lie.tests_claimed": 0.5 });
  expect(report.notRead).toEqual(["boilerplate", "sycophancy", "refusal"]);
});

test("nothing stamped is named, not read as absent", () => {
  expect(rewardCorrelations([row(1), row(0)]).notRead).toEqual([
    "boilerplate",
    "hedging",
    "sycophancy",
    "refusal",
    "trace_flags",
  ]);
});
