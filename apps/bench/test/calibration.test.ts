import { MersenneTwister } from "@while/stats";
import { expect, test } from "vitest";
import { runJob } from "../src/calibration/run-job.ts";
import { STUDIES } from "../src/calibration/studies.ts";
import { type CellResult, shareOf } from "../src/calibration/study.ts";
import { drawPasses, tasksOf } from "../src/calibration/tasks-of.ts";
import { EFFECT, NO_EFFECT, ONE_ARM } from "../src/calibration/worlds.ts";

const resultsOf = (study: (typeof STUDIES)[number], trials: number): Promise<CellResult[]> =>
  Promise.all(study.cells.map((cell) => runJob({ study: study.name, cell, trials, seed: "test" })));

test("the truth of a world is what its difficulty and its change say", () => {
  const worlds = new Map([...ONE_ARM, ...EFFECT].map((world) => [world.name, tasksOf(world)]));
  expect(worlds.get("even")!.meanBefore).toBeCloseTo(0.45, 6);
  expect(worlds.get("easy")!.meanBefore).toBeCloseTo(3 / 3.6, 3);
  expect(worlds.get("rare failure")!.meanBefore).toBeCloseTo(0.1 * 0.05 + 0.9 * 0.97, 3);
  expect(worlds.get("even + 0.10")!.delta).toBeCloseTo(0.1, 9);
  // Half stand at either end: 14% jump to 1 and 6% to 0, and half of each were there.
  expect(worlds.get("tied")!.delta).toBeCloseTo(0.04, 2);
  for (const world of NO_EFFECT) expect(tasksOf(world).delta).toBe(0);
});

test("tasks pass as often as their chance says", () => {
  const chances = Float64Array.of(0.2, 0.9);
  const tasks = Uint32Array.from({ length: 40_000 }, (_, i) => i % 2);
  const passed = drawPasses(new MersenneTwister(1), chances, tasks, 4);
  const share = (task: number) => {
    const own = passed.filter((_, i) => i % 2 === task);
    return own.reduce((total, count) => total + count, 0) / own.length / 4;
  };
  expect(share(0)).toBeCloseTo(0.2, 2);
  expect(share(1)).toBeCloseTo(0.9, 2);
});

test("a cell is the same whenever it is run, and another seed is another", async () => {
  const [study] = STUDIES;
  const job = { study: study!.name, cell: study!.cells[0]!, trials: 50, seed: "0" };
  const once = await runJob(job);
  expect(await runJob(job)).toEqual(once);
  expect((await runJob({ ...job, seed: "1" })).hits).not.toEqual(once.hits);
});

test("an interval of twelve coins holds as often as enumeration says", async () => {
  const means = STUDIES.find(({ name }) => name === "means")!;
  const cell = { world: "alike", n: 12, k: 1 };
  const share = shareOf(await runJob({ study: means.name, cell, trials: 4000, seed: "0" }), "strict")!;
  // Wilson's interval of 3 to 9 of 12 holds one half: 0.9614 of all outcomes.
  expect(Math.abs(share - 0.9614)).toBeLessThan(4 * 0.003);
});

test.each(STUDIES.filter(({ name }) => name !== "words").map((study) => [study.name, study] as const))(
  "%s prints a table without a hole",
  async (_, study) => {
    const small = { ...study, cells: study.cells.filter(({ n }) => n <= 20) };
    const text = study.print(await resultsOf(small, 2));
    expect(text).toContain("| --- |");
    expect(text).not.toMatch(/NaN|undefined|null/);
  },
);
