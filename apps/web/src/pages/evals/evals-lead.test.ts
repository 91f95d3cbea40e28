import type { EvalHealth } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import { evalsLead, failingCount } from "./evals-lead.ts";

const evals = (...counts: [good: number, total: number][]): EvalHealth[] =>
  counts.map(([good, total], i) => ({ name: `b${i}`, checks: [], good, total, verdict: "" }));

test.each<[[number, number][], string]>([
  [[[8, 8]], "The one eval can carry a decision."],
  [[[7, 8]], "The one eval cannot carry a decision yet: one check fails."],
  [
    [
      [8, 8],
      [7, 7],
    ],
    "Both evals can carry a decision.",
  ],
  [
    [
      [8, 8],
      [7, 7],
      [8, 8],
    ],
    "All three evals can carry a decision.",
  ],
  [
    [
      [1, 8],
      [7, 8],
    ],
    "None of two evals can carry a decision yet. Eight checks fail.",
  ],
  [
    [
      [8, 8],
      [7, 7],
      [6, 8],
    ],
    "Two of three evals can carry a decision. Two checks fail on the other.",
  ],
  [
    [
      [8, 8],
      [7, 7],
      [7, 7],
      [6, 8],
      [3, 7],
      [6, 7],
    ],
    "Three of six evals can carry a decision. Seven checks fail on the other three.",
  ],
  [
    Array.from({ length: 14 }, (): [number, number] => [0, 1]),
    "None of 14 evals can carry a decision yet. 14 checks fail.",
  ],
])("%j reads as %s", (counts, lead) => {
  expect(evalsLead(evals(...counts))).toBe(lead);
});

test("checks that cannot be measured yet do not fail", () => {
  expect(failingCount(evals([7, 7], [6, 8]))).toBe(2);
});
