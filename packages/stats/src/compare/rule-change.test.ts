import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { deltaReport } from "../delta/delta-report.ts";
import { compareRuns } from "./compare-runs.ts";

/** Rows of eight tasks with a marker, stamped by these rules in turn. */
const stamped = (...rules: (string | undefined)[]): Row[] =>
  Array.from({ length: 16 }, (_, i) => ({
    ...{
      task_id: `t${i % 8}`,
      rollout_id: `${rules}-${i}`,
      reward: i % 2,
      markers: { honest_claims: i % 3 === 0 ? 0 : 1 },
    },
    ...(rules[i % rules.length] === undefined ? {} : { trace_rules: rules[i % rules.length] }),
  }));

const found = (warnings: readonly { code: string; text: string }[]) =>
  warnings.filter(({ code }) => code === "rules_differ").map(({ text }) => text);

test.each([
  // before, after, what the sides are said to be stamped by
  [stamped("v1"), stamped("v2"), "v1 in a and v2 in b"],
  [stamped("v2", "v1"), stamped("v2"), "v1 and v2 in a and v2 in b"],
  [stamped("v2"), stamped("v2"), null],
  // Rows that name no rules say nothing.
  [stamped(undefined), stamped("v2"), null],
  [stamped("v2", undefined), stamped("v2"), null],
  [stamped(""), stamped("v2"), null],
])("a comparison of markers says when rules differ (%#)", (a, b, said) => {
  const texts = found(compareRuns(a, b, { metric: "marker:honest_claims" }).warnings);
  expect(texts).toEqual(said === null ? [] : [expect.stringContaining(`by the rules ${said}, and a change of rules`)]);
  expect(found(compareRuns(a, b).warnings)).toEqual([]);
});

test("deltaReport says it once, whatever the headline is", () => {
  const [a, b] = [stamped("v1"), stamped("v2")];
  for (const options of [{}, { target: "honest_claims" }, { mustNotRegress: ["honest_claims"] }]) {
    expect(found(deltaReport(a, b, options).warnings)).toEqual([
      "the trace markers were stamped by the rules v1 before and v2 after, and a change of rules looks like a change of behavior: stamp both sides by one set",
    ]);
  }
  const without = (rows: readonly Row[]) => rows.map(({ markers: _, ...row }) => row);
  expect(found(deltaReport(without(a), without(b)).warnings)).toEqual([]);
});
