import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Row, toWire } from "@while/schema";
import { readRowFiles } from "@while/schema/files";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compareRuns,
  deltaReport,
  evalVariance,
  holdoutSize,
  type Inference,
  markerSummary,
  passAt,
  StatsError,
} from "../src/index.ts";

/** Rows as they come: partial credit, lost verdicts, markers of some rows, tasks of any number of rollouts. */
const anyRow = fc.record({
  task_id: fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h", "10", "__proto__"),
  reward: fc.constantFrom(0, 1, 1, 0, 0.5, null),
  markers: fc.record(
    {
      brief: fc.constantFrom(0, 0.25, 1),
      odd: fc.constantFrom(0, 1, null, Number.NaN),
      length: fc.integer({ min: -900, max: 900 }),
    },
    { requiredKeys: [] },
  ),
  tier: fc.constantFrom("x", "y", ""),
  persona: fc.constantFrom("p", "q", "r"),
  lineage: fc.record({ eval_run: fc.constantFrom(0, 1, 2) }, { requiredKeys: [] }),
  final_text: fc.constantFrom("yes", "", "<think>"),
});
const rows = fc.array(anyRow, { maxLength: 30 }) as fc.Arbitrary<Row[]>;
const inference = fc.constantFrom<Inference>("strict", "compat");

/** The reports that a verdict rests on, each on two sets of rows. */
type Reports = Readonly<Record<string, (a: Row[], b: Row[], rules: Inference) => unknown>>;

const REPORTS: Reports = {
  passAt: (a, _, rules) => passAt(a, { inference: rules }),
  markerSummary: (a, _, rules) => markerSummary(a, { inference: rules }),
  evalVariance: (a, b, rules) => evalVariance([a, b], { inference: rules }),
  compareRuns: (a, b, rules) => compareRuns(a, b, { inference: rules, nBoot: 50 }),
  "compareRuns by cluster": (a, b, rules) => compareRuns(a, b, { inference: rules, nBoot: 50, cluster: "persona" }),
  deltaReport: (a, b, rules) =>
    deltaReport(a, b, {
      inference: rules,
      nBoot: 50,
      target: "brief",
      mustNotRegress: ["odd"],
      proxy: "pass_at_1",
      by: "tier",
    }),
  "deltaReport by cluster": (a, b, rules) =>
    deltaReport(a, b, { inference: rules, nBoot: 50, by: "tier", cluster: "persona" }),
  holdoutSize: (a, b, rules) => holdoutSize(0.1, { before: a, after: b, inference: rules }),
};

/** The report as it is written down, or the code of the refusal. */
function written(report: () => unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(toWire(report())));
  } catch (error) {
    if (error instanceof StatsError) return error.code;
    throw error;
  }
}

describe.each(Object.entries(REPORTS))("%s", (_, report) => {
  test("the order of rows never changes it (strict; compat draws tasks in their order)", () => {
    const shuffled = rows.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, shuffled, ([a, a2], [b, b2]) => {
        expect(written(() => report(a2, b2, "strict"))).toEqual(written(() => report(a, b, "strict")));
      }),
      { numRuns: 12 },
    );
  });

  test("no number of it is NaN or infinite", () => {
    fc.assert(
      fc.property(rows, rows, inference, (a, b, rules) => {
        const seen = new Set<unknown>();
        const walk = (value: unknown): void => {
          if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
          if (typeof value === "string") expect(value).not.toMatch(/NaN(?!, infinite)|Infinity|undefined/);
          if (typeof value !== "object" || value === null || seen.has(value)) return;
          seen.add(value);
          for (const inner of value instanceof Map ? value.values() : Object.values(value)) walk(inner);
        };
        try {
          walk(report(a, b, rules));
        } catch (error) {
          if (!(error instanceof StatsError)) throw error;
        }
      }),
      { numRuns: 12 },
    );
  });
});

test("a file cut into parts is the same file, wherever it is cut", async () => {
  const folder = mkdtempSync(join(tmpdir(), "laws-"));
  const read = async (name: string, parts: readonly (readonly Row[])[]): Promise<Row[]> => {
    const paths = parts.map((_, i) => join(folder, `${name}-${i}.jsonl`));
    for (const [i, part] of parts.entries())
      writeFileSync(paths[i]!, part.map((row) => `${JSON.stringify({ ...row, prompt: row.task_id })}\n`).join(""));
    return (await readRowFiles(paths)).rows;
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { minLength: 2, maxLength: 30 }) as fc.Arbitrary<Row[]>,
      fc.nat(),
      async (list, place) => {
        const at = 1 + (place % (list.length - 1));
        const whole = await read("whole", [list]);
        const parts = await read("part", [list.slice(0, at), list.slice(at)]);
        for (const report of Object.values(REPORTS)) {
          expect(written(() => report(parts, whole, "strict"))).toEqual(written(() => report(whole, parts, "strict")));
          expect(written(() => report(parts, parts, "compat"))).toEqual(written(() => report(whole, whole, "compat")));
        }
      },
    ),
    { numRuns: 5 },
  );
  rmSync(folder, { recursive: true });
});

const widthOf = ([low, high]: readonly [number, number]): number => high - low;
/** One step of the last digit, which adding the same rewards twice can move. */
const SLACK = 1e-9;

test("a second copy of every rollout never narrows an interval over tasks", () => {
  fc.assert(
    fc.property(rows, rows, fc.option(fc.constantFrom("persona"), { nil: undefined }), (a, b, cluster) => {
      const twice = (list: Row[]) => [...list, ...list];
      const one = compareRuns(a, b, { cluster });
      const two = compareRuns(twice(a), twice(b), { cluster });
      expect(two.ci95 === null).toBe(one.ci95 === null);
      if (one.ci95 !== null) expect(widthOf(two.ci95!)).toBeGreaterThanOrEqual(widthOf(one.ci95) - SLACK);
      const [alone, doubled] = [passAt(a), passAt(twice(a))];
      if (alone.ci95 !== null) expect(widthOf(doubled.ci95!)).toBeGreaterThanOrEqual(widthOf(alone.ci95) - SLACK);
      const markers = markerSummary(twice(a));
      for (const [name, { ci95 }] of markerSummary(a)) {
        if (ci95 !== null) expect(widthOf(markers.get(name)!.ci95!)).toBeGreaterThanOrEqual(widthOf(ci95) - SLACK);
      }
    }),
    { numRuns: 20 },
  );
});

test("swapping the arms turns every delta of every metric and group around", () => {
  fc.assert(
    fc.property(rows, rows, fc.option(fc.constantFrom("persona"), { nil: undefined }), (a, b, cluster) => {
      const options = { by: "tier", cluster };
      const [there, back] = [deltaReport(a, b, options), deltaReport(b, a, options)];
      for (const side of ["metrics", "groups"] as const) {
        for (const [name, { delta, ci95 }] of there[side]!) {
          const other = (
            back[side] as ReadonlyMap<string, { delta: number | null; ci95: readonly number[] | null }>
          ).get(name)!;
          if (delta === null) expect(other.delta).toBeNull();
          else expect(other.delta).toBeCloseTo(-delta, 9);
          if (ci95 === null) expect(other.ci95).toBeNull();
          else for (const end of [0, 1] as const) expect(other.ci95![end]).toBeCloseTo(-ci95[1 - end]!, 8);
        }
      }
    }),
    { numRuns: 20 },
  );
});
