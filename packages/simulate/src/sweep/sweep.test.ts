import { type Row, toWire } from "@while/schema";
import { noiseFloorPoints } from "@while/stats";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { wordDraw } from "../draw.ts";
import { SimulateError } from "../simulate-error.ts";
import type { SweepVariant } from "./check-variants.ts";
import { formatSweep } from "./format-sweep.ts";
import { gradedPerTask, refuseUnequal } from "./graded-per-task.ts";
import { harnessSweep, type SweepOptions, testVersionOf } from "./harness-sweep.ts";
import { sweepClears } from "./sweep-report.ts";

const ASKS = Array.from({ length: 60 }, (_, n) => ({ prompt: `Refund order A${1000 + n}.`, scenario_id: `t${n}` }));

/** Says "yes" in a share of its rollouts, drawn by the rollout's own seed. */
const agentOf =
  (rate: number): Agent =>
  (_, { rolloutSeed }) =>
    wordDraw(`${rolloutSeed}`) / 2 ** 32 < rate ? "yes" : "no";
const judge = ({ final_text }: Row) => ({ reward: final_text === "yes" ? 1 : 0, markers: { polite: 1 } });
const variant = (label: string, rate: number, more = {}) => ({
  harness: { label, model: "m", instructions: `Be ${label}.`, tools: ["refund", "look"], ...more },
  agent: agentOf(rate),
});
const sweep = (
  variants: readonly SweepVariant[] = [variant("plain", 0.5), variant("strict@2", 0.95)],
  options: Partial<SweepOptions> = {},
  asks: readonly Row[] = ASKS,
) => harnessSweep(variants, asks, { judge, ...options });

describe("harnessSweep", () => {
  test("a variant that is better by more than the noise wins, whatever its place", async () => {
    const report = await sweep([variant("plain", 0.5), variant("strict@2", 0.95)], { noiseRuns: 3 });
    expect(report).toMatchObject({ best: "strict@2", nAsks: 60, k: 4, noiseRuns: 3, behavior: "policy" });
    expect(report.variants.map(({ label, gradedRows }) => [label, gradedRows])).toEqual([
      ["strict@2", 240],
      ["plain", 240],
    ]);
    expect(report.noiseFloor).toBeGreaterThan(0);
    expect(formatSweep(report).split("\n")[0]).toBe("strict@2 clears all others on policy");
    expect(toWire(report)).toMatchObject({
      best: "strict@2",
      variants: [{ graded_rows: 240, scores: { policy: { n: 60 } } }, {}],
    });
  });

  test("the same agent under two names has no winner", async () => {
    const report = await sweep([variant("a", 0.5), variant("b", 0.5)], { noiseRuns: 3 });
    expect(report.best).toBeNull();
    expect(formatSweep(report)).toContain("no winner: no variant clears all others on policy");
  });

  test("a single variant is a measurement and no comparison", async () => {
    expect((await sweep([variant("a", 0.9)])).best).toBeNull();
  });

  test("every variant meets its own rules and is stamped on its rows", async () => {
    const seen: string[] = [];
    const rows: Row[] = [];
    const agent: Agent = (_, { systemPrompt }) => {
      seen.push(systemPrompt);
      return "yes";
    };
    const collect = (row: Row) => {
      rows.push(row);
      return 1;
    };
    const variants = ["a", "b"].map((label) => ({ ...variant(label, 1), agent }));
    await sweep(variants, { k: 1, noiseRuns: 1, judge: collect }, ASKS.slice(0, 1));
    expect(seen).toEqual(["Be a.", "Be b."]);
    expect(rows.map(({ harness, lineage }) => [(harness as { label: string }).label, lineage?.source])).toEqual([
      ["a", "eval"],
      ["b", "eval"],
    ]);
  });

  test("every prompt with every model: which of the two carries the difference", async () => {
    const rates = { "short@small": 0.3, "short@large": 0.4, "rules@small": 0.8, "rules@large": 0.9 };
    const grid = Object.entries(rates).map(([label, rate]) => {
      const [prompt, model] = label.split("@") as [string, string];
      return { harness: { label, model, instructions: prompt }, agent: agentOf(rate) };
    });
    const given = new Map<string, number>();
    const onRows = (rows: readonly Row[], label: string) => given.set(label, rows.length);
    const report = await sweep(grid, { onRows, noiseRuns: 2 });
    expect(report.attribution).toMatchObject({ verdict: "harness", nTasks: 60, harnesses: ["rules", "short"] });
    expect(formatSweep(report)).toContain("\n  the harness carries the difference (pass_at_1, 60 tasks)\n");
    expect([...given]).toEqual([
      ["short@small", 480],
      ["short@large", 240],
      ["rules@small", 240],
      ["rules@large", 240],
    ]);
    expect((await sweep(grid.slice(1))).attribution).toBeNull();
  });

  test("few asks and few runs are said", async () => {
    const text = formatSweep(await sweep(undefined, {}, ASKS.slice(0, 5)));
    expect(text).toContain("5 asks are under 50: a claim on them stays unproven");
    expect(text).toContain("2 runs are few");
    expect(formatSweep(await sweep(undefined, { noiseRuns: 1 }))).toContain("noise floor not measured");
  });
});

describe("it is refused before the first rollout", () => {
  test.each<[string, Parameters<typeof sweep>, string]>([
    ["no variant", [[]], "no variants"],
    ["a label that is too long", [[variant("x".repeat(41), 1)]], "has 41 characters of 40"],
    [
      "a label that stands twice",
      [[variant("a", 1), variant("a", 1, { model: "other" })]],
      "Two variants are called a",
    ],
    [
      "one setup under two names",
      [[variant("a", 1, { instructions: "x" }), variant("b", 1, { instructions: "x " })]],
      "a and b are one setup",
    ],
    ["a name that is none", [undefined, { behavior: "not a name" }], "not a name"],
    ["labels of rows", [undefined, { labels: [] as never }], "labels holds no agreement"],
    ["no judge", [undefined, { judge: undefined as never }], "judge is undefined"],
    ["a grader that is neither", [undefined, { gradedBy: "me" as never }], 'gradedBy is "me"'],
    ["no run at all", [undefined, { noiseRuns: 0 }], "noiseRuns is 0"],
    ["an unknown option", [undefined, { noise: 1 } as never], "There is no option noise"],
  ])("%s", async (_what, args, what) => {
    let called = 0;
    const [variants, options] = args;
    const counting = variants?.map((one) => ({ ...one, agent: (() => `${called++}`) as Agent }));
    await expect(sweep(counting, options)).rejects.toThrow(what);
    expect(called).toBe(0);
  });

  test("a setup that says nothing of itself passes, with a warning", async () => {
    const { warnings } = await sweep([{ ...variant("bare", 1), harness: { label: "bare" } as never }]);
    expect(warnings[0]).toContain("bare says nothing of itself but its label");
  });
});

describe("unequal rows are refused, with the numbers", () => {
  test("in the words of both", () => {
    const first = { label: "sound", graded: new Map(["t0", "t1", "t2", "t3", "t4"].map((key) => [key, 4])) };
    const arm = { label: "faulty", graded: new Map(["t0", "t1", "t3", "t4"].map((key) => [key, 4])) };
    expect(() => refuseUnequal(first, arm)).toThrow(
      "faulty has 16 graded rows of 4 asks, and sound has 20 graded rows of 5 asks: 1 ask differs, the first is t2 (4 and 0).",
    );
  });

  test("a judge that fails on one row, or a rollout that is lost", async () => {
    const failing = (row: Row) => {
      if (row.harness && (row.harness as { label: string }).label === "b" && row.scenario_id === "t3")
        throw new Error("no judge");
      return 1;
    };
    await expect(sweep([variant("a", 1), variant("b", 1)], { judge: failing })).rejects.toThrow(
      "the first is t3 (4 and 0)",
    );
    const lossy: Agent = (_, { scenarioId, rolloutIndex }) => {
      if (scenarioId === "t7" && rolloutIndex === 2) throw new SimulateError("infrastructure", "503.", "Wait.");
      return "yes";
    };
    await expect(sweep([variant("a", 1), { ...variant("b", 1), agent: lossy }])).rejects.toThrow(
      "the first is t7 (4 and 3)",
    );
  });

  test("rows without a verdict are counted nowhere", () => {
    expect(gradedPerTask([{ task_id: "a", reward: 1 }, { task_id: "a" }, { task_id: "b", reward: 0.5 }])).toEqual(
      new Map([
        ["a", 1],
        ["b", 1],
      ]),
    );
  });
});

test("posted, each score is a behavior and each variant a run, the last of which speaks", async () => {
  const posted: unknown[][] = [];
  const sink = {
    behavior: (name: string, fields: object) => posted.push(["behavior", name, fields]),
    run: (version: string, spec: object) => {
      posted.push(["run", version, spec]);
      return {
        id: `run_${version}`,
        score: (name: string, score: number, fields: object) => posted.push(["score", name, score, fields]),
        finish: (status: string, fields: object) => posted.push(["finish", status, fields]),
      };
    },
  };
  const labels = { agreement: 0.9, humanN: 40 };
  const report = await sweep([variant("plain", 1), variant("strict@2", 1)], {
    ...{ sink, labels, noiseRuns: 2, gradedBy: "program" },
  });
  const { testVersion } = report;
  expect(posted.slice(0, 3)).toEqual([
    ["behavior", "policy", { testVersion, n: 60, gradedBy: "program", judge: labels, noiseFloor: 0 }],
    ["behavior", "polite", { testVersion, n: 60, gradedBy: "program" }],
    [
      "run",
      "plain",
      {
        ...{ method: "eval", targets: ["policy"], harness: "plain", base: "m" },
        record: {
          data: { holdout: testVersion, nHoldout: 60 },
          eval: { metric: "pass@1", k: 4, runStd: 0, runStdRuns: 2, reader: "judge" },
          provenance: {
            pins: {
              harness: expect.stringMatching(/^[0-9a-f]{12}$/),
              model: "m",
              prompt: "plain",
              tools: "look,refund",
            },
          },
        },
      },
    ],
  ]);
  const scores = posted.filter(([what]) => what === "score") as [string, string, number, { rows?: unknown[] }][];
  expect(scores.map(([, name, , { rows }]) => [name, rows?.length])).toEqual([
    ["policy", 240],
    ["polite", undefined],
    ["policy", 240],
    ["polite", undefined],
  ]);
  expect(scores[0]![3].rows![0]).toEqual({
    ...{ ok: true, prompt: "Refund order A1000.", reply: "yes", score: 1, tags: { task: "t0" } },
  });
  expect(posted.filter(([what]) => what === "finish").map(([, , fields]) => fields)).toEqual([
    { say: false },
    { say: true },
  ]);
  expect(report.variants.map(({ run }) => run).sort()).toEqual(["run_plain", "run_strict@2"]);
});

test.each([
  [[90, 1, 12], [60, 1, 11], 0, false],
  [[90, 1, 12], [60, 1, 12], 0, true],
  [[81.2, 4, 60], [74, 4.5, 60], 6.8, true],
  [[81.2, 4, 60], [74, 4.5, 60], 8.1, false],
])("%j clears %j at a floor of %d: %s", (a, b, floor, clears) => {
  const scored = ([score, ci, n]: number[]) => ({ score: score!, ci: ci!, n: n! });
  expect(sweepClears(scored(a), scored(b), floor)).toBe(clears);
});

test.each([
  [[71, 68.5], 31.77],
  [[71, 68.5, 70], 7.66],
  [[71, 68.5, 70, 69.5], 4.68],
])("the floor over runs of %j points is %d", (points, floor) => {
  expect(noiseFloorPoints(points.map((point) => point / 100))).toBeCloseTo(floor, 2);
});

test("the same asks are the same test", () => {
  const rows = ["Refund order A1002", "Refund order A1001", "Refund order A1001"].map((prompt) => ({ prompt }));
  expect(testVersionOf(rows)).toBe("t-a74578af");
});
