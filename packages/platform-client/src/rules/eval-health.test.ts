import { expect, test } from "vitest";
import type { Behavior } from "../contract/behaviors.ts";
import type { VersionScore } from "../contract/dashboard.ts";
import type { EvalCheckKey } from "../contract/verdict.ts";
import { evalHealth } from "./eval-health.ts";
import { formatEvalHealth } from "./format-eval-health.ts";

const check = (behavior: Behavior, key: EvalCheckKey, versions: VersionScore[] = []) =>
  evalHealth(behavior, versions).checks.find((one) => one.key === key)!;

const grounded: Behavior = { name: "grounded_answer", testVersion: "seeds-v1", n: 4 };
const executor: VersionScore[] = [{ v: "executor-baseline", score: 100, ci: 0, n: 4 }];

test("four of four passes: six checks fail, and the size says what so few tasks can tell", () => {
  const health = evalHealth(grounded, executor);
  expect(health).toMatchObject({
    good: 1,
    total: 7,
    verdict: "weak · size, judge, noise floor, clean, reward ≠ judge, can fail",
  });
  const values = new Map(health.checks.map(({ key, value }) => [key, value]));
  expect(values.get("size")).toBe("n=4 · resolves ≥ 69.3 pts");
  expect(values.get("canfail")).toBe("executor-baseline already 100");
  expect(health.checks.find(({ key }) => key === "size")!.action).toBe("add 46+ tasks");
});

test("the compatible rules take 100 ± 0 at its word", () => {
  const { checks } = evalHealth(grounded, executor, { rules: "compat" });
  expect(checks[1]!.value).toBe("n=4 · resolves ≥ 0 pts");
});

const refunds: Behavior = {
  name: "refunds",
  testVersion: "t1",
  n: 240,
  judge: { agreement: 0.86, humanN: 60, lengthBias: 0.08, verified: true },
  noiseFloor: 2.4,
  contamination: 0,
  rewardIsJudge: false,
};
const climb: VersionScore[] = [
  { v: "base", score: 61, ci: 2.7, n: 240 },
  { v: "v4", score: 83, ci: 2.7, n: 240 },
];

test("a test that holds is good, and every check carries its rule, its source and its call", () => {
  const health = evalHealth(refunds, climb);
  expect(health).toMatchObject({ good: 8, total: 8, verdict: "good" });
  const values = new Map(health.checks.map(({ key, value }) => [key, value]));
  expect(values.get("size")).toBe("n=240 · resolves ≥ 3.8 pts");
  expect(values.get("noise")).toBe("±2.4 · 1 of 1 clear it");
  expect(values.get("canfail")).toBe("base 61 → best 83");
  for (const { why, action, rule, cite, fix } of health.checks) {
    for (const words of [why, action, rule, cite, fix]) expect(words.length).toBeGreaterThan(5);
  }
});

test.each<[Partial<Behavior>, boolean, string | null]>([
  [{ judge: { agreement: 0.98, humanN: 200 } }, false, "0.98 on 200 (declared, unverified)"],
  [{ judge: { agreement: 0.98, humanN: 200, verified: true } }, true, null],
  [{ judge: { agreement: 0.9, humanN: 30, verified: true } }, false, "0.90 on 30 (few)"],
  [{ judge: { agreement: 0.7, humanN: 90, verified: true } }, false, "0.70 on 90"],
  [{ judge: { agreement: 0.9, verified: true } }, false, "0.90 on ? (few)"],
  [{ gradedBy: "program" }, true, "graded by a program"],
  [{}, false, "unmeasured"],
])("the judge check of %j", (fields, ok, value) => {
  const found = check({ name: "b", ...fields }, "judge");
  expect(found.ok).toBe(ok);
  if (value !== null) expect(found.value).toBe(value);
});

test.each<[EvalCheckKey, Partial<Behavior>, boolean | null, string]>([
  ["frozen", {}, false, "unnamed"],
  ["frozen", { testVersion: "" }, false, "unnamed"],
  ["size", {}, false, "n not declared"],
  ["size", { n: 50 }, true, "n=50"],
  ["size", { n: 49 }, false, "n=49"],
  ["length", {}, null, "—"],
  ["length", { judge: { lengthBias: -0.3 } }, true, "r = -0.30"],
  ["length", { judge: { lengthBias: 0.31 } }, false, "r = 0.31"],
  ["noise", { noiseFloor: 0 }, true, "±0"],
  ["contamination", {}, false, "not checked"],
  ["contamination", { contamination: 3 }, false, "3 in training data"],
  ["contamination", { contamination: 0 }, true, "0 found"],
  ["reward", {}, false, "not declared"],
  ["reward", { rewardIsJudge: true }, false, "same model"],
  ["canfail", {}, null, "no score yet"],
])("%s of %j is %s: %s", (key, fields, ok, value) => {
  expect(check({ name: "b", ...fields }, key)).toMatchObject({ ok, value });
});

test("one broken arm does not hide a test that everything else passes", () => {
  const versions = [
    { v: "v1", score: 97 },
    { v: "broken", score: 2 },
    { v: "v2", score: 98 },
  ];
  const canFail = (rules: "strict" | "compat", serving: string | null = null) =>
    evalHealth({ name: "b" }, versions, { rules, serving }).checks.at(-1)!.value;
  expect(canFail("strict")).toBe("v1 already 97");
  expect(canFail("strict", "v2")).toBe("v2 already 98");
  expect(canFail("compat")).toBe("broken 2 → best 98");
});

test("in a terminal it is the verdict, a line a check, and the call where one fails", () => {
  expect(
    formatEvalHealth(evalHealth({ ...refunds, noiseFloor: null }, climb)),
  ).toBe(`refunds: weak · noise floor (7 of 8 checks pass)
  ok frozen: t1
  ok size: n=240 · resolves ≥ 3.8 pts
  ok judge: 0.86 on 60
  ok length: r = 0.08
  no noise floor: not measured -> run one version again and measure the floor (await tracked.noiseFloor("refunds", [rows1, rows2, rows3]))
  ok clean: 0 found
  ok reward ≠ judge: different
  ok can fail: base 61 → best 83`);
});
