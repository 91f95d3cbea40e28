import type { Row } from "@while/schema";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { TrustError } from "../trust-error.ts";
import { evaluate } from "./evaluate.ts";
import { formatScoredRows } from "./format-scored-rows.ts";
import type { Judge } from "./judge.ts";
import { runJudge } from "./run-judge.ts";
import { byReward, byRewardRange, failures, partials, passes, unjudged } from "./scored-rows.ts";

const rows = (n: number): Row[] =>
  Array.from({ length: n }, (_, i) => ({ task_id: `t${i}`, rollout_id: `r${i}`, final_text: "x".repeat(i) }));
const waits = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const failing = (properties: object) => Object.assign(new Error("no"), properties);

/** What each row in turn is answered with; a function is called. */
const answering =
  (answers: readonly unknown[]): Judge =>
  (row) => {
    const answer = answers[Number(String(row.rollout_id).slice(1))];
    return (typeof answer === "function" ? answer() : answer) as number;
  };

test("a verdict on every row, in the order given, with the rows left as they were", async () => {
  const given = rows(20).map((row) => Object.freeze(row));
  const judge: Judge = async (row) => {
    await waits(Number(String(row.rollout_id).slice(1)) % 3);
    return { reward: (row.final_text!.length % 2) as 0 | 1, reason: row.rollout_id! };
  };
  const scored = await runJudge(given, judge, { concurrency: 7 });
  expect(scored.rows.map(({ reason }) => reason)).toEqual(given.map(({ rollout_id }) => rollout_id));
  expect(scored).toMatchObject({ nRows: 20, nGraded: 20, meanReward: 0.5, nCalls: 20, judgeName: "judge" });
  expect(given[1]).toEqual(rows(2)[1]);
});

test("a judge that answers in every wrong way: nothing becomes 0, and each kind is told apart", async () => {
  const hangs = () => new Promise(() => {});
  const throws = () => {
    throw new RangeError("no such row");
  };
  const answers = [{ reward: 1 }, '```json\n{"reward":0}\n```', '{"reward":1,"reason":"cut he', "8/10"];
  const judge = answering([...answers, { reward: 7 }, { verdict: 0.4 }, throws, hangs, Number.NaN, null]);
  const scored = await runJudge(rows(10), judge, { timeoutMs: 30 });
  expect(scored.rows.map(({ reward }) => reward)).toEqual([1, 0, ...new Array(8).fill(null)]);
  expect(scored.rows.map(({ judge_status }) => judge_status)).toEqual([
    ...["ok", "ok", "invalid_result", "invalid_result", "invalid_result", "missing_reward"],
    ...["error", "timeout", "invalid_result", "invalid_result"],
  ]);
  expect(scored.rows.map(({ judge_meta }) => judge_meta?.failure)).toEqual([
    ...[undefined, undefined, "unreadable", "unreadable", "out_of_range", "no_reward"],
    ...["error", "timeout", "out_of_range", "unreadable"],
  ]);
  expect(scored.rows[6]!.judge_meta).toEqual({ error: "RangeError: no such row", failure: "error" });
  expect(scored.rows[7]!.judge_meta).toMatchObject({ timeout_s: 0.03 });
  expect(scored).toMatchObject({ nGraded: 2, nUnjudged: 8, meanReward: 0.5 });
  expect(formatScoredRows(scored)).toBe(
    [
      "graded 2 of 10 rows by lambda_judge: mean reward 0.500, 1 warning",
      '  no verdict on 3: unreadable answer ({"reward":1,"reason":"cut he)',
      "  no verdict on 2: a number outside of the range (7)",
      "  no verdict on 1: no reward in the answer",
      "  no verdict on 1: the judge threw (RangeError: no such row)",
      "  no verdict on 1: out of time (No answer in 30 ms.)",
      "! 8 of 10 rows without a verdict; their replies have 6 characters in the median, the others 1; 8 tasks without any verdict: a rate over the rest is none of the run; grade them again first",
    ].join("\n"),
  );
});

test("a call that hangs is aborted, and what it says later is dropped", async () => {
  let aborted = 0;
  const judge: Judge = (_, context) =>
    new Promise((_resolve, reject) => {
      context!.signal!.addEventListener("abort", () => {
        aborted++;
        reject(new Error("aborted"));
      });
    });
  const late: Judge = async () => {
    await waits(20);
    throw new Error("late");
  };
  expect((await runJudge(rows(3), judge, { timeoutMs: 5 })).unjudgedBy).toMatchObject([{ failure: "timeout", n: 3 }]);
  expect(aborted).toBe(3);
  expect((await runJudge(rows(3), late, { timeoutMs: 5 })).unjudgedBy).toMatchObject([{ failure: "timeout", n: 3 }]);
  await waits(30); // An unhandled rejection would fail the run of the tests.
});

test("time is counted from when a call starts, not from when it was queued", async () => {
  const judge: Judge = async () => {
    await waits(15);
    return 1;
  };
  expect(await runJudge(rows(8), judge, { timeoutMs: 60, concurrency: 1 })).toMatchObject({ nGraded: 8 });
});

test.each<[why: string, error: object, failure: string, tries: number]>([
  ["a rate limit", failing({ status: 429 }), "rate_limit", 3],
  ["a server's fault", failing({ statusCode: 503 }), "network", 3],
  ["a response's status", failing({ response: { status: 500 } }), "network", 3],
  ["a reset connection", failing({ code: "ECONNRESET" }), "network", 3],
  ["fetch's own error", new TypeError("fetch failed", { cause: failing({ code: "EAI_AGAIN" }) }), "network", 3],
  ["a refused key", failing({ status: 401 }), "auth", 1],
  ["a bad request", failing({ status: 400 }), "error", 1],
  ["an error of the judge", new RangeError("x"), "error", 1],
])("%s", async (_, error, failure, tries) => {
  const judge: Judge = () => Promise.reject(error);
  const scored = await runJudge(rows(1), judge, { retries: 2, backoffMs: 1 });
  expect(scored).toMatchObject({ nCalls: tries, nRetries: tries - 1, unjudgedBy: [{ failure, n: 1 }] });
});

test("a call that goes through the second time is a verdict", async () => {
  let calls = 0;
  const judge: Judge = () => {
    if (calls++ === 0) throw failing({ status: 429, retryAfterMs: 1 });
    return 1;
  };
  expect(await runJudge(rows(1), judge, { retries: 3, backoffMs: 1 })).toMatchObject({ nGraded: 1, nRetries: 1 });
});

test("after so many failed calls in a row nobody is called any more; an odd row in between counts again from zero", async () => {
  let calls = 0;
  const down: Judge = () => {
    calls++;
    throw failing({ status: 503 });
  };
  const scored = await runJudge(rows(50), down, { concurrency: 1, breakAfter: 5 });
  expect(calls).toBe(5);
  expect(scored.stopped).toEqual({ failure: "network", error: "Error: no", nNotCalled: 45 });
  expect(scored.unjudgedBy.map(({ failure, n }) => [failure, n])).toEqual([
    ["not_called", 45],
    ["network", 5],
  ]);
  calls = 0;
  const flaky: Judge = () => {
    if (++calls % 5 === 0) throw new Error("of the row");
    throw failing({ status: 503 });
  };
  expect((await runJudge(rows(50), flaky, { concurrency: 1, breakAfter: 5 })).stopped).toBeNull();
});

test("a stopped grading keeps what is judged", async () => {
  const stop = new AbortController();
  const judge: Judge = (row) => {
    if (row.rollout_id === "r3") stop.abort();
    return 1;
  };
  const scored = await runJudge(rows(10), judge, { concurrency: 1, signal: stop.signal });
  expect(scored).toMatchObject({ nGraded: 3, nUnjudged: 7, stopped: { failure: null, nNotCalled: 7 } });
});

test("what an earlier verdict left is gone, markers are laid over, and lineage says where the row was", async () => {
  const old: Row = {
    ...{ scenario_id: "s", reward: 1, reason: "old", failure_class: "old", judge_meta: { trust: { ok: true } } },
    ...{ qwen_reward: 1, markers: { kept: 0.5, over: 0 }, lineage: { source: "grade", scoring_run_id: "before" } },
  };
  const judge: Judge = () => ({ reward: null, markers: { over: 1, odd: "x" as never }, failure_class: "new" });
  const { rows: scored } = await runJudge([old], judge, { runId: "now", model: "m", version: "v1", judgeName: "mine" });
  expect(scored[0]).toEqual({
    ...{ scenario_id: "s", reward: null, judge_status: "invalid_result", judge_name: "mine", failure_class: "new" },
    markers: { kept: 0.5, over: 1 },
    judge_meta: {
      ...{ reward_type: "null", failure: "no_reward", failure_class: "new", markers: { over: 1, odd: "x" } },
    },
    lineage: {
      ...{ source: "grade", scoring_run_id: "now", judge: "mine", parent: "s", model: "m", judge_version: "v1" },
      prior_scoring_run_id: "before",
    },
  });
});

test("rows that this judge has judged are left alone, and asked again under another version", async () => {
  let calls = 0;
  const judge: Judge = Object.assign(() => (calls++ < 8 && calls % 4 === 0 ? { reward: null } : 1), { version: "v1" });
  const first = await runJudge(rows(8), judge, {});
  expect(first.nGraded).toBe(6);
  const again = await runJudge(first, judge, { resume: true });
  expect(again).toMatchObject({ nGraded: 8, nReused: 6, nCalls: 2 });
  expect(await runJudge(again.rows, judge, { resume: true, version: "v2" })).toMatchObject({ nReused: 0, nCalls: 8 });
});

test("a store of verdicts answers for rows that read the same, and keeps no failure", async () => {
  const verdicts = new Map();
  let calls = 0;
  const judge: Judge = Object.assign((row: Row) => (++calls > 0 && row.rollout_id === "r2" ? { reward: null } : 1), {
    version: "v1",
    reads: (row: Row) => String(row.final_text),
  });
  await runJudge(rows(4), judge, { verdicts });
  expect(verdicts.size).toBe(3);
  const other = rows(4).map((row) => ({ ...row, note: "something else" }));
  expect(await runJudge(other, judge, { verdicts })).toMatchObject({ nReused: 3, nCalls: 1 });
  expect(await runJudge(other, judge, { verdicts, version: "v2" })).toMatchObject({ nReused: 0 });
  expect(await runJudge(other, judge, { verdicts, scale: [0, 2] })).toMatchObject({ nReused: 0 });
  expect(calls).toBe(13);
});

test.each<[options: object, code: string]>([
  [{ concurrency: 33 }, "bad_option"],
  [{ timeoutMs: 0 }, "bad_option"],
  [{ timeoutMs: 2 ** 31 }, "bad_option"],
  [{ retries: -1 }, "bad_option"],
  [{ breakAfter: 0 }, "bad_option"],
  [{ scale: [5, 1] }, "bad_option"],
  [{ timeout: 5 }, "bad_option"],
  [{ resume: true }, "no_version"],
  [{ verdicts: new Map() }, "no_version"],
])("%j is refused", async (options, code) => {
  await expect(runJudge([], () => 1, options)).rejects.toMatchObject({ name: "TrustError", code });
  await expect(runJudge([], () => 1, options)).rejects.toThrow(TrustError);
});

test("no rows are no calls; what is no row is counted; prompt and tools come along", async () => {
  const never: Judge = () => {
    throw new Error("called");
  };
  expect(await runJudge([], never)).toMatchObject({ nRows: 0, nCalls: 0, meanReward: null, unanimous: null });
  const run = {
    rows: [null, 7, { task_id: "a" }] as Row[],
    systemPrompt: "Be kind.",
    tools: [{ function: { name: "x" } }],
  };
  const scored = await runJudge(run, () => 1);
  expect(scored).toMatchObject({ nNotRows: 2, nRows: 1, systemPrompt: "Be kind." });
  expect(scored.warnings.map(({ code }) => code)).toEqual(["no_tool_calls"]);
  expect(passes(scored)).toEqual({ rows: scored.rows, systemPrompt: "Be kind.", tools: run.tools });
});

test("one verdict for all is said, and is no warning", async () => {
  const scored = await runJudge(rows(3), () => 1);
  expect(scored).toMatchObject({ unanimous: 1, warnings: [] });
  expect(formatScoredRows(scored)).toBe("graded 3 of 3 rows by lambda_judge: mean reward 1.000, all of them 1");
});

test("views", async () => {
  const scored = await runJudge(rows(5), answering([1, 0, 0.5, 0.25, "?"]));
  const ids = ({ rows: of }: { rows: readonly Row[] }) => of.map(({ rollout_id }) => rollout_id);
  expect([passes, failures, partials, unjudged].map((view) => ids(view(scored)))).toEqual([
    ["r0"],
    ["r1"],
    ["r2", "r3"],
    ["r4"],
  ]);
  expect(ids(byReward(scored, 0.5))).toEqual(["r2"]);
  expect(ids(byRewardRange(scored, 0.25, 1))).toEqual(["r0", "r2", "r3"]);
  expect(ids(byRewardRange(scored, 0.25, 1, { inclusive: false }))).toEqual(["r2"]);
});

test("evaluate marks its rows and says what of the set was scored", async () => {
  const scored = await evaluate([{ prompt: "Refund  me" }, { prompt: "b" }], () => 1, {
    evalSet: ["refund me", { prompt: "C" }, "", " "],
  });
  expect(scored.rows.map(({ lineage }) => lineage?.source)).toEqual(["eval", "eval"]);
  expect(scored.evalCoverage).toEqual({ evalSet: 2, covered: 1, nMissing: 1, missing: ["c"] });
});

test("however many at once, the same verdicts", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 1, 0.5, null), { maxLength: 12 }),
      fc.integer({ min: 1, max: 8 }),
      async (answers, concurrency) => {
        const judge = answering(answers);
        const one = await runJudge(rows(answers.length), judge, { concurrency: 1, runId: "x" });
        expect(await runJudge(rows(answers.length), judge, { concurrency, runId: "x" })).toEqual(one);
      },
    ),
    { numRuns: 30 },
  );
});
