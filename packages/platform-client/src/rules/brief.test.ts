import { expect, test } from "vitest";
import type { Behavior } from "../contract/behaviors.ts";
import { briefOf } from "./brief.ts";
import { formatBrief, formatBriefMarkdown } from "./format-brief.ts";
import type { ScoredRun } from "./newest-scores.ts";

const agent = { id: "refund-bot", model: "m" };
const refunds: Behavior = {
  name: "refunds",
  testVersion: "t1",
  n: 120,
  judge: { agreement: 0.9, humanN: 80, verified: true },
  noiseFloor: 1.2,
  contamination: 0,
  rewardIsJudge: false,
  rubric: "passes when …",
};

const run = (version: string, score: number, ci: number | null, n: number, hour: number): ScoredRun => ({
  id: `run_${version}`,
  version,
  notes: "why",
  createdAt: `2026-09-20T0${hour}:00:00.000Z`,
  updatedAt: `2026-09-20T0${hour}:00:01.000Z`,
  evals: [{ behavior: "refunds", score, ci, n, createdAt: `2026-09-20T0${hour}:00:00.000Z`, examples: [{ ok: true }] }],
});

test("four easy asks that all pass: the brief says so and asks for harder, more and named ones", () => {
  const runs: ScoredRun[] = [
    {
      id: "run_1",
      version: "executor-baseline",
      method: "eval",
      createdAt: "2026-09-20T02:11:40Z",
      updatedAt: "2026-09-20T02:11:41Z",
      evals: [{ behavior: "grounded_answer", score: 100, ci: 0, n: 4, createdAt: "2026-09-20T02:11:41Z" }],
    },
  ];
  const brief = briefOf(agent, [{ name: "grounded_answer" }], runs);
  expect(brief.scored).toBe(1);
  expect(brief.happened).toEqual([
    "1 scored run, no training run, the last on 2026-09-20",
    "grounded_answer: executor-baseline passed all 4 asks",
  ]);
  expect(brief.means).toBe("near-perfect on grounded_answer says that 4 asks are easy: a change would not show");
  expect(brief.next.map(({ say }) => say)).toEqual([
    "grounded_answer: add harder tasks, as a test that is passed already has nothing to show",
    "grounded_answer: add 46+ tasks, as a small set reads a real gain as no change",
    "grounded_answer: name the test set, and give it a new name when its asks change, as scores on an unnamed set cannot be compared",
  ]);
});

test("one sound version: score the next on the same set", () => {
  const brief = briefOf(agent, [refunds], [run("v1", 62.5, 4.1, 120, 1)]);
  expect(brief.happened[1]).toBe("refunds: v1 scored 62.5 of 100 on 120 asks (±4.1)");
  expect(brief.means).toBe("one version each: nothing to compare yet");
  expect(brief.next.map(({ say }) => say)).toEqual(["score the next version on the same set"]);
});

const sound: Behavior = { ...refunds, noiseFloor: 1, n: 200 };
const two = [run("v1", 60, 2, 200, 1), run("v2", 66, 2, 200, 2)];

test("a candidate that beats the served version without gaps is to be promoted", () => {
  const brief = briefOf({ ...agent, serving: "v1" }, [sound], two);
  expect(brief.happened[1]).toBe("refunds: 2 versions, v2 highest at 66, v1 lowest at 60");
  expect(brief.means).toBe("v2 is better than v1 by 6 points, outside the noise");
  expect(brief.next).toEqual([
    { say: "promote v2", cmd: 'await tracked.promote("v2")', cmdPython: 'tracked.promote("v2")' },
  ]);
});

test.each<[string, Partial<Behavior>, ScoredRun[], RegExp, string]>([
  ["inside the re-run band", { noiseFloor: 6 }, two, /inside the re-run band of 6: not a result/, "score the next"],
  [
    "unproven",
    { judge: { agreement: 0.7, humanN: 80, verified: true } },
    two,
    /better than v1 by 6 points, outside the noise, but unproven: judge agreement 0.7/,
    "refunds: take another judge",
  ],
  [
    "about the same",
    {},
    [run("v1", 60, 9, 200, 1), run("v2", 66, 9, 200, 2)],
    /about the same as v1: 6 points, inside the noise/,
    "score the next",
  ],
  [
    "worse",
    {},
    [run("v1", 66, 2, 200, 1), run("v2", 60, 2, 200, 2)],
    /v2 is worse than v1 by 6 points/,
    "score the next",
  ],
  [
    "no interval",
    {},
    [run("v1", 60, null, 200, 1), run("v2", 66, 2, 200, 2)],
    /cannot be called: a gap of 6 points without intervals/,
    "score the next",
  ],
])("a verdict that is %s is never offered for promotion", (_what, fields, runs, means, next) => {
  const brief = briefOf({ ...agent, serving: "v1" }, [{ ...sound, ...fields }], runs);
  expect(brief.means).toMatch(means);
  expect(brief.next[0]!.say).toContain(next);
  expect(brief.next.map(({ say }) => say)).not.toContain("promote v2");
});

test("a claim on few tasks is not offered for promotion, though the test itself holds", () => {
  const brief = briefOf(
    { ...agent, serving: "v1" },
    [{ ...sound, n: null }],
    [run("v1", 60, 2, 200, 1), run("v2", 66, 2, 30, 2)],
  );
  expect(brief.means).toContain("but unproven: n=30 under 50");
  expect(brief.next.map(({ say }) => say)).toEqual(["score the next version on the same set"]);
});

test.each<[string, ScoredRun[], string | null, Partial<Behavior>, RegExp]>([
  [
    "few tasks",
    [run("v1", 60, 9, 20, 1), run("v2", 66, 9, 30, 2)],
    null,
    { n: 30 },
    /^20 tasks: the interval is too wide/,
  ],
  ["nothing promoted", two, null, {}, /^promote the version that serves now/],
  ["a served version without a score", two, "v0", {}, /^v0 serves: each other version gets a verdict/],
])("without a verdict it says what stands in the way: %s", (_what, runs, serving, fields, means) => {
  expect(briefOf({ ...agent, serving }, [{ ...sound, ...fields }], runs).means).toMatch(means);
});

test.each([
  [[], "no runs yet"],
  [[{ id: "r", version: "v1" }], "1 run posted and none scored"],
  [[{ id: "r", version: "v1", archived: true }], "no runs yet"],
])("with %j: %s", (runs, happened) => {
  const brief = briefOf(agent, [refunds], runs);
  expect(brief).toMatchObject({ happened: [happened], scored: 0 });
  expect(brief.next.map(({ say }) => say)).toEqual(["score one version on a held-out test"]);
});

test("at most three steps, one for each kind of failure", () => {
  const behaviors: Behavior[] = [{ name: "a" }, { name: "b" }];
  const evals = ["a", "b"].map((behavior) => ({ behavior, score: 60, createdAt: "2026-09-20T00:00:00Z" }));
  const { next } = briefOf(agent, behaviors, [{ id: "r", version: "v1", evals }]);
  expect(next).toHaveLength(3);
  expect(next.every(({ say }) => say.startsWith("a: "))).toBe(true);
});

test("in markdown, which is what an agent is given, and in a terminal", () => {
  const brief = briefOf({ ...agent, serving: "v1" }, [sound], two, {
    url: "https://host/platform/runs?agent=refund-bot",
  });
  expect(formatBriefMarkdown(brief)).toBe(`# refund-bot on https://host/platform/runs?agent=refund-bot

## What happened

- 2 scored runs, no training run, the last on 2026-09-20
- refunds: 2 versions, v2 highest at 66, v1 lowest at 60

## What it means

v2 is better than v1 by 6 points, outside the noise

## Do next

1. promote v2
   \`await tracked.promote("v2")\`
`);
  expect(formatBrief(brief)).toBe(`refund-bot
What happened
  2 scored runs, no training run, the last on 2026-09-20
  refunds: 2 versions, v2 highest at 66, v1 lowest at 60
What it means
  v2 is better than v1 by 6 points, outside the noise
Do next
  1. promote v2
     await tracked.promote("v2")
https://host/platform/runs?agent=refund-bot`);
});
