import { toWire } from "@while/schema";
import { expect, test } from "vitest";
import {
  briefOf,
  dashboardOf,
  evalHealth,
  frontierGap,
  noiseFloorOf,
  PRICE_BOOK,
  priceEval,
  rowFlips,
  trainingCost,
  verdictOf,
} from "../src/rules.ts";

const at = "2026-09-20T00:00:00.000Z";
const behavior = { name: "refunds", n: 240 };
const versions = [
  { v: "v1", score: 60, ci: 2, n: 240 },
  { v: "v2", score: 66, ci: 2, n: 240 },
];
const run = { id: "r", version: "v2", evals: [{ behavior: "refunds", score: 66, ci: 2, n: 240, createdAt: at }] };
const agent = { id: "a", name: "a", serving: "v1", traces: 0, datasets: 0, runs: 1, createdAt: at, lastActivityAt: at };
const means = new Map([
  ["0", 0.5],
  ["1", 0.6],
]);

test.each<[string, unknown, string[]]>([
  [
    "verdict",
    verdictOf({ behavior, serving: "v1", versions, behaviors: [behavior], runs: [run] }),
    ["half_width", "judge_human_n", "regressions_clear"],
  ],
  ["eval health", evalHealth(behavior, versions), ["checks"]],
  ["brief", briefOf(agent, [behavior], [run]), ["happened", "next"]],
  [
    "dashboard",
    dashboardOf({
      agent,
      behaviors: [behavior],
      runs: [run],
      days: [{ day: "2026-09-17", version: "v1", replies: 1 }],
      train: null,
    }),
    ["live"],
  ],
  ["noise floor", noiseFloorOf("b", { means, runStd: 0.07, noiseFloorPoints: 126 }), ["noise_floor", "run_std"]],
  ["price", priceEval({}, PRICE_BOOK), ["usd_per_1k"]],
  ["training cost", trainingCost("A10G", 56), ["cost_usd", "cost_basis"]],
  ["frontier gap", frontierGap({ name: "S", score: 81 }, versions[0]!), ["cost_ratio"]],
  ["row flips", rowFlips([{ ok: true }], [{ ok: false }]), ["unpaired_before"]],
])("the wire form of a %s has a spelling for every field", (_what, report, keys) => {
  const wire = toWire(report) as Record<string, unknown>;
  for (const key of keys) expect(wire).toHaveProperty(key);
});
