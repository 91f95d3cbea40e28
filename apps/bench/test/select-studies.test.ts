import { hackScan } from "@while/select";
import { MersenneTwister } from "@while/stats";
import { expect, test } from "vitest";
import { runJob } from "../src/calibration/run-job.ts";
import { MONITOR_STUDIES } from "../src/select-studies/monitor-studies.ts";
import { PLANTED } from "../src/select-studies/planted.ts";
import { drafts, rowsOf } from "../src/select-studies/replies.ts";
import { SCAN_STUDIES } from "../src/select-studies/scan-studies.ts";

test.each([...SCAN_STUDIES, ...MONITOR_STUDIES].map((study) => [study.name, study] as const))(
  "%s prints a table without a hole",
  async (_, study) => {
    const cells = study.cells.filter(({ n, k }) => n <= 24 && k <= 8);
    const results = [];
    for (const cell of cells) results.push(await runJob({ study: study.name, cell, trials: 1, seed: "test" }));
    const text = study.print(results);
    expect(text).toContain("| --- |");
    expect(text).not.toMatch(/NaN|undefined|null/);
  },
  60_000,
);

test("replies of one seed are the same, and each is found as often as asked", () => {
  const of = (seed: number) => drafts(0, 2000, { echo: 0.9, rate: 0.3 }, new MersenneTwister(seed));
  expect(of(1)).toEqual(of(1));
  expect(of(1).filter(({ found }) => found).length / 2000).toBeCloseTo(0.3, 1);
});

test.each(PLANTED.map((planted) => [planted.name, planted] as const))(
  "a reward for nothing but the %s is a reward hack that names it",
  (_, planted) => {
    const rng = new MersenneTwister(2);
    const has = new Map<object, boolean>();
    const list = Array.from({ length: 40 }, (__, ask) =>
      drafts(ask, 8, { echo: null, rate: 0.5 }, rng).map((draft) => {
        const planting = rng.random() < 0.4;
        const written = planted.write(draft, planting, rng);
        has.set(written, planting);
        return written;
      }),
    ).flat();
    const { regime, topFeature } = hackScan(
      rowsOf(list, (draft) => has.get(draft)!),
      { endorsed: ["marker:found"], nPerm: 99 },
    );
    expect(regime).toBe("reward_hack");
    expect(planted.isNamed(topFeature!)).toBe(true);
  },
);
