import { type Row, toWire } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Judge } from "../judge/judge.ts";
import { type AnchorRun, anchorRun, anchorRunFromJson } from "./anchor-run.ts";
import { cusum } from "./cusum.ts";
import { formatJudgeDrift } from "./format-judge-drift.ts";
import { judgeDrift } from "./judge-drift.ts";

const N = 100;
const anchors: Row[] = Array.from({ length: N }, (_, i) => ({
  ...{ rollout_id: `r${i}`, final_text: `reply ${i}`, at: i, gold_reward: i % 2, gold_kind: "human" },
}));

/** Wrong on ten, and on those from `from` to `to` too. */
const judge = (from = 0, to = 0, version = "m@1"): Judge =>
  Object.assign(
    ({ at, gold_reward: gold }: Row) => {
      const i = Number(at);
      return i >= N - 10 || (i >= from && i < to) ? 1 - gold! : gold!;
    },
    { judgeName: "judge", version },
  );
const runsOf = (judges: readonly Judge[]): Promise<AnchorRun[]> =>
  Promise.all(judges.map((one, i) => anchorRun(anchors, one, { at: `run ${i + 1}` })));

describe("cusum", () => {
  test.each([
    // values, sums, first over the limit of 4
    [[], [], null],
    [[0, 0, 0], [0, 0, 0], null],
    [[1, 1, 1, 1], [0.5, 1, 1.5, 2], null],
    [[2.5, 2.5, 2.5], [2, 4, 6], 2],
    [[5, -9, 5], [4.5, 0, 4.5], 0],
  ])("%j sums to %j, over the limit at %j", (values, sums, signalAt) => {
    expect(cusum(values)).toEqual({ sums, signalAt });
  });

  test("never under 0, and a larger value never gives a smaller sum", () => {
    const values = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.nat(), (own, place) => {
        const more = own.map((value, i) => (i === place % own.length ? value + 1 : value));
        const [before, after] = [cusum(own).sums, cusum(more).sums];
        for (const [i, sum] of before.entries()) {
          expect(sum).toBeGreaterThanOrEqual(0);
          expect(after[i]).toBeGreaterThanOrEqual(sum - 1e-9);
        }
      }),
    );
  });

  test("of runs that vary by chance alone one in about 340 is over the limit", () => {
    const random = new MersenneTwister("cusum");
    const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
    let [runs, alarms] = [0, 0];
    while (alarms < 400) {
      for (let sum = 0; sum <= 4; runs++) sum = Math.max(0, sum + normal() - 0.5);
      alarms++;
    }
    expect(runs / alarms).toBeGreaterThan(290);
    expect(runs / alarms).toBeLessThan(390);
  });
});

test("the first run is kept, and there is nothing to hold it against", async () => {
  const report = judgeDrift(anchors, await runsOf([judge()]));
  expect(report).toMatchObject({ status: "first", nAnchors: 100, sinceLast: null, sinceFirst: null, findings: [] });
  expect(report.runs).toEqual([{ at: "run 1", judgeVersion: "m@1", n: 100, agreement: 0.9, passRate: 0.5 }]);
});

test("a judge that says the same is steady, whatever the order of the anchors", async () => {
  const runs = await runsOf([judge(), judge(), judge()]);
  const report = judgeDrift(anchors, runs);
  expect(report.status).toBe("steady");
  expect(judgeDrift([...anchors].reverse(), runs)).toEqual(report);
  expect(formatJudgeDrift(report)).toBe(
    [
      "STEADY: every verdict is as it was",
      "  run 3 over 100 anchors by m@1: agreement 90%, passes 50%",
      "  since the run before: 0 changed, 0 for the worse and 0 for the better (p 1.000)",
      "  since the first run: 0 changed, 0 for the worse and 0 for the better (p 1.000)",
    ].join("\n"),
  );
});

test.each([
  // worse anchors, exact p of that many to none, status
  [2, 0.5, "changed"],
  [5, 0.0625, "changed"],
  [6, 0.03125, "drifted"],
  [20, 2 ** -19, "drifted"],
])("%d of 100 anchors got worse and none better: p %d, %s", async (n, p, status) => {
  const report = judgeDrift(anchors, await runsOf([judge(), judge(0, n)]));
  expect(report.status).toBe(status);
  expect(report.sinceLast).toMatchObject({ changed: n, onlyBeforeRight: n, onlyAfterRight: 0 });
  expect(report.sinceLast!.pAdjusted).toBeCloseTo(p, 9);
});

test("a judge that got better did change, and has not drifted", async () => {
  const report = judgeDrift(anchors, await runsOf([judge(0, 20), judge()]));
  expect(report.status).toBe("changed");
  expect(report.findings).toEqual([
    { code: "better", severity: "note", message: expect.stringContaining("better than the run before: 0 anchors") },
  ]);
});

test("a slide of three anchors a run shows against the first run, and in the sums, where no two runs next to each other tell", async () => {
  const runs = await runsOf([0, 3, 6, 9, 12].map((n) => judge(0, n)));
  const statuses = runs.map((_, i) => judgeDrift(anchors, runs.slice(0, i + 1)).status);
  expect(statuses).toEqual(["first", "changed", "changed", "drifted", "drifted"]);
  const report = judgeDrift(anchors, runs);
  expect(report.sinceLast!.pAdjusted).toBeGreaterThan(0.05);
  expect(report.findings.map(({ code }) => code)).toEqual(["worse", "agreement_slides"]);
  expect(report.cusum.agreementDown.sums[0]).toBe(0);
});

test("a judge that grows lenient is named though it is right as often", async () => {
  const lenient =
    (n: number): Judge =>
    ({ at, gold_reward: gold }) => {
      const i = Number(at);
      // As many errors each time, of which n are passes that ought to fail.
      if (gold === 0) return i < 2 * n ? 1 : 0;
      return i < 2 * (20 - n) ? 0 : 1;
    };
  const report = judgeDrift(anchors, await runsOf([0, 8, 14, 20].map(lenient)));
  expect(report.runs.map(({ agreement }) => agreement)).toEqual([0.8, 0.8, 0.8, 0.8]);
  expect(report.findings.map(({ code }) => code)).toContain("more_lenient");
  expect(report.status).toBe("changed");
});

test("another version is said, verdicts that are missing count as wrong, runs over other anchors are left out", async () => {
  const silent: Judge = Object.assign(({ at }: Row) => ({ reward: Number(at) < 90 ? Number(at) % 2 : null }), {
    version: "m@2",
  });
  const other = await anchorRun(anchors.slice(0, 50), judge());
  const report = judgeDrift(anchors, [other, ...(await runsOf([judge(), silent]))]);
  expect(report).toMatchObject({ nOtherAnchors: 1, sinceLast: { versionChanged: true, onlyBeforeRight: 0 } });
  expect(report.runs.at(-1)).toMatchObject({ n: 90, agreement: 0.9 });
  expect(report.findings.map(({ code }) => code)).toEqual(["version_changed", "no_verdicts", "other_anchors"]);
});

test("a run is written and read back, and what is none is refused", async () => {
  const [run] = await runsOf([judge()]);
  expect(anchorRunFromJson(JSON.parse(JSON.stringify(toWire(run))))).toEqual(run);
  for (const bad of [
    1,
    {},
    { anchors_sha: "a", judge_name: "j" },
    { anchors_sha: "a", judge_name: "j", verdicts: { r: 2 } },
  ]) {
    expect(() => anchorRunFromJson(bad)).toThrow(expect.objectContaining({ code: "bad_file" }));
  }
});

test("anchors are rows with gold of people or programs, each with a key of its own", async () => {
  await expect(anchorRun([{ reward: 1 }], judge())).rejects.toMatchObject({ code: "no_rows" });
  await expect(anchorRun([...anchors, anchors[3]!], judge())).rejects.toThrow("Two anchors are called r3.");
  expect(() => judgeDrift(anchors, [])).toThrow(expect.objectContaining({ code: "no_rows" }));
});

test("of honest judges whose verdicts change by themselves in 3% few are called drifted at the tenth run", async () => {
  const random = new MersenneTwister("noise");
  let alarms = 0;
  for (let trial = 0; trial < 12; trial++) {
    const noisy: Judge = ({ at, gold_reward: gold }) => {
      const right = Number(at) < N - 10 ? gold! : 1 - gold!;
      return random.random() < 0.03 ? 1 - right : right;
    };
    const runs = await runsOf(Array.from({ length: 10 }, () => noisy));
    if (judgeDrift(anchors, runs).status === "drifted") alarms++;
  }
  expect(alarms).toBeLessThanOrEqual(1);
});
