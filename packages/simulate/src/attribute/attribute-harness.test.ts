import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attributeHarness } from "./attribute-harness.ts";
import { formatAttribution } from "./format-attribution.ts";

/** Rows of cells `h@m` with these pass rates, in tenths: ten rollouts of every task. */
function rowsOf(cells: Record<string, number>, nTasks = 4): Row[] {
  return Object.entries(cells).flatMap(([label, rate]) =>
    Array.from({ length: nTasks * 10 }, (_, i) => ({
      task_id: `t${Math.floor(i / 10)}`,
      reward: i % 10 < Math.round(rate * 10) ? 1 : 0,
      harness: { label, model: label.split("@")[1]! },
    })),
  );
}

const ADDITIVE = { "h1@m1": 0.5, "h1@m2": 0.7, "h2@m1": 0.6, "h2@m2": 0.8 };
const CROSSED = { "h1@m1": 0.5, "h1@m2": 0.7, "h2@m1": 0.6, "h2@m2": 0.4 };

describe("attributeHarness", () => {
  test.each<[string, Record<string, number>, Record<string, number | boolean>]>([
    // The shares of the specification's two worked examples
    [
      "effects that add up",
      ADDITIVE,
      {
        shareHarness: 0.2,
        shareModel: 0.8,
        shareInteraction: 0,
        spreadHarnessPts: 10,
        spreadModelPts: 20,
        rankingReversal: false,
      },
    ],
    ["effects that cross", CROSSED, { shareHarness: 0.2, shareModel: 0, shareInteraction: 0.8, rankingReversal: true }],
    [
      "no effect at all",
      { "h1@m1": 0.5, "h1@m2": 0.5, "h2@m1": 0.5, "h2@m2": 0.5 },
      { shareHarness: 0, shareModel: 0, shareInteraction: 0, spreadHarnessPts: 0, rankingReversal: false },
    ],
  ])("%s", (_what, cells, expected) => {
    const report = attributeHarness(rowsOf(cells)) as unknown as Record<string, number | boolean>;
    for (const [name, value] of Object.entries(expected)) {
      if (typeof value === "number") expect([name, report[name]]).toEqual([name, expect.closeTo(value, 9)]);
      else expect([name, report[name]]).toEqual([name, value]);
    }
  });

  test("tasks alike leave an interval without width, and the verdict to the larger share", () => {
    const report = attributeHarness(rowsOf(ADDITIVE));
    expect(report.verdict).toBe("model");
    expect(report.shareModelCi95).toEqual([expect.closeTo(0.8, 9), expect.closeTo(0.8, 9)]);
    expect(report.shareDifferenceCi95).toEqual([expect.closeTo(-0.6, 9), expect.closeTo(-0.6, 9)]);
    const crossed = attributeHarness(rowsOf(CROSSED));
    expect(crossed.verdict).toBe("harness");
  });

  test("tasks that disagree leave it unresolved", () => {
    const flip = ({ harness, ...row }: Row): Row => {
      const { label } = harness as { label: string };
      const [h, m] = label.split("@") as [string, string];
      const turned = `${h}@${m === "m1" ? "m2" : "m1"}`;
      return { ...row, task_id: `f${row.task_id}`, harness: { label: turned, model: turned.split("@")[1]! } };
    };
    const rows = rowsOf({ "h1@m1": 0.4, "h1@m2": 0.7, "h2@m1": 0.6, "h2@m2": 0.9 }, 3);
    const report = attributeHarness([...rows, ...rows.map(flip)]);
    const [low, high] = report.shareDifferenceCi95!;
    expect(report.verdict).toBe("unresolved");
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
  });

  test("a marker is a metric too", () => {
    const rows = rowsOf(ADDITIVE).map(({ reward, ...row }) => ({ ...row, markers: { polite: Number(reward) } }));
    expect(attributeHarness(rows, { metric: "marker:polite" }).shareModel).toBeCloseTo(0.8, 9);
  });

  test("tasks that a cell lacks, and rows that say no setup, are left out and counted", () => {
    const rows = rowsOf(ADDITIVE);
    const more = [
      { task_id: "alone", reward: 1, harness: { label: "h1@m1", model: "m1" } },
      { task_id: "t1", reward: 1 },
      { task_id: "t1", reward: 1, harness: { label: "h1" } },
    ];
    const report = attributeHarness([...rows, ...more]);
    expect(report).toMatchObject({ nTasks: 4, shareModel: expect.closeTo(0.8, 9) });
    expect(report.notes).toEqual([
      "2 rows do not say their harness and model, and are left out",
      "1 tasks are not in every cell, and are left out",
    ]);
  });

  test("under three tasks there is no interval, and no verdict", () => {
    const report = attributeHarness(rowsOf(ADDITIVE, 2));
    expect(report).toMatchObject({ verdict: "unresolved", shareHarnessCi95: null, shareDifferenceCi95: null });
    expect(report.notes).toEqual(["2 tasks are too few for an interval"]);
  });

  test("shares sum to 1 or to 0, and neither the order of rows nor the names of levels matter", () => {
    const rate = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10);
    fc.assert(
      fc.property(rate, rate, rate, rate, fc.integer(), (a, b, c, d, seed) => {
        const rows = rowsOf({ "h1@m1": a, "h1@m2": b, "h2@m1": c, "h2@m2": d }, 3);
        const report = attributeHarness(rows, { nBoot: 20 });
        const sum = report.shareHarness + report.shareModel + report.shareInteraction;
        const differs = new Set([a, b, c, d]).size > 1;
        expect(sum).toBeCloseTo(differs ? 1 : 0, 9);
        const turned = [...rows].sort((x, y) => Math.sin(Number(x.reward) + seed) - Math.sin(Number(y.reward) + seed));
        expect(attributeHarness(turned, { nBoot: 20 })).toEqual(report);
        const swapped = attributeHarness(rowsOf({ "z@m1": a, "z@m2": b, "h2@m1": c, "h2@m2": d }, 3), { nBoot: 20 });
        expect(swapped.shareHarness).toBeCloseTo(report.shareHarness, 9);
      }),
      { numRuns: 40 },
    );
  });
});

test.each<[string, Row[], object, string]>([
  ["rows without a setup", [{ task_id: "t", reward: 1 }], {}, "None of 1 rows says its harness and model"],
  ["one harness", rowsOf({ "h1@m1": 1, "h1@m2": 0 }), {}, "There is one harness, h1"],
  ["one model", rowsOf({ "h1@m1": 1, "h2@m1": 0 }), {}, "There is one model, m1"],
  ["a missing cell", rowsOf({ "h1@m1": 1, "h1@m2": 0, "h2@m1": 0 }), {}, "There is no row of h2 with m2"],
  [
    "no shared task",
    rowsOf(ADDITIVE).map((row) => ({ ...row, task_id: (row.harness as { label: string }).label })),
    {},
    "No task has pass_at_1 in every cell",
  ],
  ["an unknown option", rowsOf(ADDITIVE), { draws: 1 }, "There is no option draws"],
])("%s is refused", (_what, rows, options, said) => {
  expect(() => attributeHarness(rows, options)).toThrow(said);
});

test("as text and on the wire", () => {
  const report = attributeHarness(rowsOf(CROSSED));
  expect(formatAttribution(report)).toBe(`the harness carries the difference (pass_at_1, 4 tasks)
  harness     20% [0.20..0.20], spread 10.0 points
  model       0% [0.00..0.00], spread 0.0 points
  interaction 80%
      m1     m2
  h1  0.500  0.700
  h2  0.600  0.400
  which model is best hangs on the harness: do not name one without the other`);
  expect(toWire(report)).toMatchObject({ share_harness: expect.closeTo(0.2, 9), ranking_reversal: true, n_tasks: 4 });
});
