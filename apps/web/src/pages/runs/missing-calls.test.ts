import { missingOf } from "@while/platform-client/rules";
import { expect, test } from "vitest";
import { missingCalls } from "./missing-calls.ts";

test("a run without a bill gets the body that PATCH takes", () => {
  const calls = missingCalls(
    "run_7f3a",
    missingOf({
      ...{ id: "run_7f3a", version: "v4", method: "eval", hours: 2.1 },
      evals: [{ behavior: "refunds", score: 83, createdAt: "2026-09-01T00:00:00.000Z" }],
      record: { data: { holdout: "h" }, eval: { k: 4 }, provenance: { commit: "c" } },
    }),
  );
  expect(calls.curl).toContain('curl -X PATCH "$WHILEAI_API_URL/runs/run_7f3a"');
  expect(calls.curl).toContain('"costUsd": "<number>"');
  expect(calls.curl).not.toContain("hours");
  expect(calls.TypeScript).toBe(
    'const run = await tracked.open("run_7f3a");\nawait run.finish("evaluated", { costUsd });',
  );
  expect(calls.Python).toBe('run = tracked.open("run_7f3a")\nrun.finish("evaluated", cost_usd=cost_usd)');
});

test("a run without a score gets the call that posts one", () => {
  const calls = missingCalls("a/b", missingOf({ id: "a/b", version: "v", hours: 1, costUsd: 1, record: null }));
  expect(calls.curl).toContain("/runs/a%2Fb/evals");
  expect(calls.TypeScript).toContain('.score("refund_policy"');
  expect(calls.Python).toContain(".score(");
});
