import type { Verdict } from "@while/platform-client/contract";
import { expect, test } from "vitest";
import type { Moved } from "./moved.ts";
import { type GuardInput, guardOf } from "./promote-guard.ts";

const verdict: Verdict = {
  ...{ kind: "beats", candidate: "v4", serving: "v3", behavior: "refunds", delta: 5, halfWidth: 4.46 },
  ...{ excludesZero: true, candidateTest: "t1", servedTest: "t1", noiseFloor: 2.4, n: 240 },
  ...{ judgeAgreement: 0.92, judgeHumanN: 200, rewardIsJudge: false, gradedBy: null, contamination: 0 },
  ...{
    replicated: [],
    regressions: 1,
    regressionNames: ["totals"],
    regressionsClear: ["totals"],
    compared: 2,
    tried: 2,
  },
  ...{ gaps: [], rests: [], rules: "strict", text: "" },
};
const drop: Moved = {
  ...{ name: "totals", target: false, serving: 90.8, candidate: 85.4, delta: -5.4, halfWidth: 3.6, floor: 1.9 },
  ...{ role: "bad", open: false, word: "drop", says: "beyond its band" },
};
const input: GuardInput = {
  verdict,
  moved: [drop],
  harness: { serving: "879b", candidate: "879b" },
  cost: { serving: 1.99, candidate: 2.15 },
};

test("what carries a claim without gaps, and what comes with it", () => {
  expect(guardOf(input)).toEqual({
    carries: [
      { state: "ok", says: "interval excludes zero: +5.0 ± 4.5" },
      { state: "ok", says: "outside the re-run band of 2.4" },
      { state: "ok", says: "n = 240, same test" },
      { state: "ok", says: "judge agrees with 200 labels of people: 0.92" },
    ],
    comes: [
      { state: "failing", says: "totals −5.4 ± 3.6: a drop beyond its band" },
      { state: "open", says: "harness unchanged, 879b" },
      { state: "open", says: "cost $1.99 to $2.15 per 1,000 tasks" },
    ],
    needsReason: false,
    why: "Not required here: the verdict is “beats” and nothing is unproven.",
  });
});

test.each([
  ["a gap", { gaps: ["n=40 under 50"] }, "Required here: the claim has gaps."],
  ["another kind", { kind: "about_same", excludesZero: false }, "Required here: the verdict is not “beats”."],
  ["a loss", { kind: "trails", delta: -5 }, "Required here: the verdict is not “beats”."],
] as [string, Partial<Verdict>, string][])("%s asks for a reason", (_, change, why) => {
  const guard = guardOf({ ...input, verdict: { ...verdict, ...change } });
  expect(guard.needsReason).toBe(true);
  expect(guard.why).toBe(why);
  expect(guard.carries.some(({ state }) => state === "failing")).toBe(true);
});

test("the first version that serves needs no reason", () => {
  const first = { kind: "no_score", serving: null, delta: null, halfWidth: null, excludesZero: null };
  const guard = guardOf({ ...input, verdict: { ...verdict, ...first } as Verdict });
  expect(guard).toMatchObject({ needsReason: false, why: "Not required here: nothing serves yet." });
});

test("what is not known is said and not left out", () => {
  const bare = {
    kind: "no_interval",
    halfWidth: null,
    excludesZero: null,
    noiseFloor: null,
    regressions: 0,
    compared: 0,
  };
  const guard = guardOf({
    verdict: { ...verdict, ...bare } as Verdict,
    moved: [],
    harness: { serving: null, candidate: "x" },
    cost: { serving: null, candidate: null },
  });
  expect(guard.carries.slice(0, 2)).toEqual([
    { state: "failing", says: "+5.0 without an interval" },
    { state: "open", says: "no re-run band was measured" },
  ]);
  expect(guard.comes.map(({ says }) => says)).toEqual([
    "no other behavior was scored on both",
    "harness not posted on both sides",
    "its cost of answering is not known",
  ]);
});

test("what is pinned otherwise comes with it: prompt, model and tools by name, the harness once", () => {
  const pins = {
    serving: { prompt: "policy-8", model: "m-1", harness: "879b" },
    candidate: { prompt: "policy-11", model: "m-1", harness: "91ac", tools: "t-2" },
  };
  const { comes } = guardOf({ ...input, harness: { serving: "879b", candidate: "91ac" }, pins });
  expect(comes.filter(({ state }) => state === "warning")).toEqual([
    { state: "warning", says: "harness changes: 879b to 91ac" },
    { state: "warning", says: "prompt changes: policy-8 to policy-11" },
    { state: "warning", says: "tools changes: not pinned to t-2" },
  ]);
});
