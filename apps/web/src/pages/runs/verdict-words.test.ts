import { VERDICT_KINDS, type Verdict } from "@while/platform-client/contract";
import { describe, expect, test } from "vitest";
import { verdictWord } from "../../verdict-word.ts";
import { besidesOf, checkOfGap, leadOf, looksText, reasonOf, replicatedText } from "./verdict-words.ts";

const verdict: Verdict = {
  ...{ kind: "beats", candidate: "v4", serving: "v3", behavior: "refunds", delta: 5, halfWidth: 4.46 },
  ...{ excludesZero: true, candidateTest: "t1", servedTest: "t1", noiseFloor: 2.4, n: 240 },
  ...{ judgeAgreement: 0.92, judgeHumanN: 200, rewardIsJudge: false, gradedBy: null, contamination: 0 },
  ...{ replicated: [], regressions: 2, regressionNames: ["a", "b"], regressionsClear: ["a"], compared: 5, tried: 2 },
  ...{ gaps: [], rests: [], rules: "strict", text: "" },
};

describe("leadOf", () => {
  test.each([
    [{}, "v4 beats v3 by 5 points on"],
    [{ delta: 1 }, "v4 beats v3 by 1 point on"],
    [{ gaps: ["n=40 under 50"] }, "Unproven: v4 beats v3 by 5 points on"],
    [{ kind: "trails", delta: -2.5 }, "v4 trails v3 by 2.5 points on"],
    [{ kind: "about_same" }, "v4 is about the same as v3 on"],
    [{ kind: "serving_only", candidate: null }, "v3 serves, and nothing newer is scored on"],
    [{ kind: "no_score", candidate: null, serving: null }, "No candidate is scored against a served version on"],
  ] as [Partial<Verdict>, string][])("%j", (change, lead) => expect(leadOf({ ...verdict, ...change })).toBe(lead));
});

test("every kind has a word, a lead and a reason", () => {
  for (const kind of VERDICT_KINDS) {
    expect(verdictWord({ kind, gaps: [] }).word).not.toBe("");
    expect(leadOf({ ...verdict, kind })).toMatch(/\w on$|of$/);
    expect(reasonOf({ ...verdict, kind })).toMatch(/\.$/);
  }
});

test.each([
  [{}, "One other behavior fell by more than chance explains."],
  [{ regressionsClear: ["a", "b"] }, "2 other behaviors fell by more than chance explains."],
  [{ regressionsClear: [] }, "2 of 5 others came out lower, none by more than chance explains."],
  [{ regressionsClear: [], regressions: 0 }, "No other behavior came out lower."],
  [{ regressionsClear: [], regressions: 0, compared: 0 }, null],
] as [Partial<Verdict>, string | null][])("besides: %j", (change, says) =>
  expect(besidesOf({ ...verdict, ...change })).toBe(says),
);

test("about the same says how far the interval reaches on both sides of zero", () => {
  expect(reasonOf({ ...verdict, kind: "about_same", delta: 9.4, halfWidth: 13.4 })).toBe(
    "The interval, −4.0 to +22.8 points, includes zero: no change would look like this too.",
  );
});

test.each([
  ["n not declared", "size"],
  ["n=40 under 50", "size"],
  ["judge agreement unmeasured", "judge"],
  ["judge agreement 0.7 under 0.8", "judge"],
  ["the training reward is the judge", "reward"],
  ["3 test items in training data", "contamination"],
])("the gap %j is about the check %s", (gap, check) => expect(checkOfGap(gap)).toBe(check));

test.each([
  [{}, "not yet. No other run beats v3 on another held-out set, and no other seed on this one."],
  [{ kind: "about_same" }, "only a claim can be."],
  [{ replicated: ["late"] }, "on late: another run beats v3 there too."],
  [{ replicatedSeeds: [2] }, "Seed 2 of the same version, by itself."],
  [
    { replicated: ["late"], replicatedSeeds: [2, 3] },
    "on late: another run beats v3 there too. Seeds 2, 3 of the same version, each by itself.",
  ],
] as [Partial<Verdict>, string][])("replicated: %j", (change, says) =>
  expect(replicatedText({ ...verdict, ...change })).toBe(says),
);

test.each([
  [{ tried: 1 }, "This is the first candidate that is read on this test."],
  [{ tried: 2 }, "2 versions were read against v3 on refunds. The best of 2 looks better than it is."],
  [
    { tried: 9, expectedBest: 3.4 },
    "9 versions were read against v3 on refunds. Were all equal to it, the best of 9 would lie 3.4 points above it. Confirm it on a fresh test.",
  ],
  [
    { tried: 3, expectedBest: 1.2 },
    "3 versions were read against v3 on refunds. Were all equal to it, the best of 3 would lie 1.2 points above it.",
  ],
] as [Partial<Verdict>, string][])("looks so far: %j", (change, says) =>
  expect(looksText({ ...verdict, ...change }, "refunds")).toBe(says),
);
