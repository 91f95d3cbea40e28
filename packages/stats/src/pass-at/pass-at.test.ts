import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bootstrapCi } from "../interval/bootstrap-ci.ts";
import { StatsError } from "../stats-error.ts";
import { type PassAt, type PassAtOptions, passAt, passAtStream } from "./pass-at.ts";

const rows = (task_id: string, rewards: (number | null)[], extra: Partial<Row> = {}): Row[] =>
  rewards.map((reward) => ({ task_id, reward, ...extra }));

/** One rollout a task, `successes` of `n` passed. */
const singles = (successes: number, n: number): Row[] =>
  Array.from({ length: n }, (_, i): Row => ({ task_id: `t${i}`, reward: i < successes ? 1 : 0 }));

const codes = ({ warnings }: PassAt) => warnings.map(({ code }) => code);

const anyReward = fc.constantFrom<number | null>(0, 1, 1, 0, 0.5, null);
const anyRows = fc.array(
  fc.tuple(fc.constantFrom("a", "b", "c", "10", "9", "__proto__", ""), anyReward).map(
    ([task_id, reward]): Row => ({
      task_id,
      reward,
    }),
  ),
  { maxLength: 60 },
);
const gradedTasks = fc
  .array(fc.array(fc.constantFrom(0, 1), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 })
  .map((tasks) => tasks.flatMap((rewards, i) => rows(`t${i}`, rewards)));

// Laws

test("the order of rows does not matter for point estimates, nor for strict intervals", () => {
  const shuffled = gradedTasks.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
  );
  fc.assert(
    fc.property(shuffled, ([list, other]) => {
      const { perTask, ...report } = passAt(list, { minK: 1 });
      const { perTask: otherPerTask, ...otherReport } = passAt(other, { minK: 1 });
      expect(otherReport).toEqual(report);
      expect(new Map([...otherPerTask].sort())).toEqual(new Map([...perTask].sort()));
    }),
    { numRuns: 40 },
  );
});

test("every interval contains its number and lies in [0, 1]", () => {
  fc.assert(
    fc.property(gradedTasks, (list) => {
      const { passAt1, ci95, curve } = passAt(list);
      const pairs = curve.flatMap((point) => [
        [point.passPowK, point.passPowKCi95] as const,
        [point.passAtK, point.passAtKCi95] as const,
      ]);
      for (const [value, interval] of [[passAt1!, ci95] as const, ...pairs]) {
        if (interval === null) continue;
        expect(interval[0]).toBeGreaterThanOrEqual(0);
        expect(interval[0]).toBeLessThanOrEqual(value + 1e-12);
        expect(interval[1]).toBeGreaterThanOrEqual(value - 1e-12);
        expect(interval[1]).toBeLessThanOrEqual(1);
        expect(interval[1] - interval[0]).toBeGreaterThan(0);
      }
    }),
  );
});

test("over the same tasks pass@k grows with k and pass^k falls, from pass@1", () => {
  const even = fc
    .integer({ min: 1, max: 9 })
    .chain((k) => fc.array(fc.array(fc.constantFrom(0, 1), { minLength: k, maxLength: k }), { minLength: 1 }))
    .map((tasks) => tasks.flatMap((rewards, i) => rows(`t${i}`, rewards)));
  fc.assert(
    fc.property(even, (list) => {
      const { passAt1, curve } = passAt(list);
      expect(curve[0]!.passPowK).toBe(passAt1);
      expect(curve[0]!.passAtK).toBe(passAt1);
      for (const [i, point] of curve.entries()) {
        expect(point.k).toBe(i + 1);
        expect(point.passAtK).toBeGreaterThanOrEqual((curve[i - 1]?.passAtK ?? 0) - 1e-12);
        expect(point.passPowK).toBeLessThanOrEqual((curve[i - 1]?.passPowK ?? 1) + 1e-12);
      }
    }),
  );
});

test("a stream gives the report of the array, under both rules", async () => {
  async function* stream(list: readonly Row[]) {
    yield* list;
  }
  await fc.assert(
    fc.asyncProperty(anyRows, fc.constantFrom("strict" as const, "compat" as const), async (list, inference) => {
      const options: PassAtOptions = { inference, minK: 2, unanimousShort: true };
      expect(await passAtStream(stream(list), options)).toEqual(passAt(list, options));
    }),
    { numRuns: 50 },
  );
});

test("the point estimates and counts do not depend on the rules where every row has a key", () => {
  fc.assert(
    fc.property(gradedTasks, (list) => {
      const strict = passAt(list);
      const compat = passAt(list, { inference: "compat" });
      for (const field of ["k", "passAt1", "passPowK", "passAtK", "nGroups", "nGroupsAtK"] as const) {
        expect(compat[field]).toBe(strict[field]);
      }
    }),
    { numRuns: 30 },
  );
});

test("same seed, same answer; another seed may draw another compat interval, and strict draws none", () => {
  const list = [...singles(7, 40), ...rows("u", [1, 0, 1])];
  const at = (options: PassAtOptions) => passAt(list, options).ci95;
  expect(at({ inference: "compat", seed: 4 })).toEqual(at({ inference: "compat", seed: 4 }));
  const drawn = [0, 1, 2, 3, 4].map((seed) => String(at({ inference: "compat", seed })));
  expect(new Set(drawn).size).toBeGreaterThan(1);
  expect(at({ seed: 4 })).toEqual(at({ seed: 0 }));
});

test("rows are counted once: graded, partial or without a verdict", () => {
  fc.assert(
    fc.property(anyRows, (list) => {
      const { nRows, nPartial, nUngraded, nRowsTotal } = passAt(list);
      expect(nRows + nPartial + nUngraded).toBe(nRowsTotal);
      expect(nRowsTotal).toBe(list.length);
    }),
  );
});

// Cases

test("one success and three lost trials: three words about it, not one number", () => {
  const lost = { termination_reason: "infrastructure_error" };
  const report = passAt([
    ...rows("t1", [1]),
    ...rows("t1", [null, null, null], lost),
    ...rows("t2", Array(4).fill(null), lost),
  ]);
  expect(report).toMatchObject({
    passAt1: 1,
    ci95: null,
    passPowK: null,
    nRows: 1,
    nRowsTotal: 8,
    nUngraded: 7,
    nLost: 7,
    nGroups: 1,
    nTasksTotal: 2,
    passAt1UngradedAsFail: 0.125,
  });
  expect(codes(report)).toEqual(["too_few_repeats", "no_interval", "ungraded_rows"]);
  expect(passAt(rows("t1", [1, 1, 1, null]), { k: 4 }).note).toContain("no task has 4 graded rollouts");
});

test("rows nobody has graded yet are ungraded, not lost; a failed judge loses them", () => {
  const report = passAt([...rows("a", [1, null]), ...rows("b", [null], { judge_status: "timeout" })]);
  expect(report).toMatchObject({ nUngraded: 2, nLost: 1, passAt1: 1, passAt1UngradedAsFail: 0.25 });
});

test("partial credit is not a success, and 0.9999999 is partial, said in the report", () => {
  const report = passAt([...rows("a", [0.5, 0.5]), ...rows("b", [1, 0]), ...rows("c", [0.9999999])]);
  expect(report).toMatchObject({ passAt1: 0.5, nGroups: 1, nRows: 2, nPartial: 3, nTasksTotal: 3 });
  expect(report.perTask).toEqual(new Map([["b", 0.5]]));
  expect(codes(report)).toEqual(["too_few_repeats", "no_interval", "partial_credit", "near_binary"]);
});

test.each([
  // passed, tasks, rate, low, high: no interval has width zero
  [14, 307, 0.0456, 0.0228, 0.0717],
  [0, 50, 0, 0, 0.0713],
  [50, 50, 1, 0.9287, 1],
])("%i of %i tasks passed", (successes, n, rate, low, high) => {
  const { passAt1, ci95 } = passAt(singles(successes, n));
  expect(passAt1).toBeCloseTo(rate, 4);
  expect(ci95![0]).toBeCloseTo(low, 2);
  expect(ci95![1]).toBeCloseTo(high, 2);
  expect(ci95![1]).toBeGreaterThan(ci95![0]);
});

test("a mean over tasks has the interval of a mean over tasks, whatever groups they come from", () => {
  const small = Array.from({ length: 10 }, (_, i) => rows(`s${i}`, [1, 1, 1, 1, 1, 1, 1, 1, 1, 0])).flat();
  const big = Array.from({ length: 1000 }, (_, i) => rows(`b${i}`, [i % 2])).flat();
  const { passAt1, ci95 } = passAt([...small, ...big]);
  expect(passAt1).toBeCloseTo(0.504, 3);
  // 1.96 · 0.0157, not the 0.0506 of a mean over two groups.
  expect((ci95![1] - ci95![0]) / 2).toBeCloseTo(0.0308, 3);
});

test("rows without a key are a task each, counted and warned about", () => {
  const keyless: Row[] = [{ reward: 1 }, { reward: 0 }, { reward: 1 }];
  const report = passAt(keyless);
  expect(report.perTask).toEqual(
    new Map([
      ["row:0", 1],
      ["row:1", 0],
      ["row:2", 1],
    ]),
  );
  expect(report.nWithoutKey).toBe(3);
  expect(codes(report)).toContain("no_task_key");
  expect(passAt(keyless, { inference: "compat" }).perTask).toEqual(new Map([["", 2 / 3]]));
});

test("a rollout_id that occurs twice in a task is said; in two tasks it is not the same rollout", () => {
  const twice = [...rows("a", [1, 1], { rollout_id: "r1" }), ...rows("b", [0], { rollout_id: "r1" })];
  const report = passAt(twice);
  expect(report.nRepeated).toBe(1);
  expect(codes(report)).toContain("repeated_rollouts");
});

describe("rollouts that are copies of one draw", () => {
  const said = { sampling: { temperature: 0 }, final_text: "It shipped." };
  const call = (id: string): Row => ({ steps: [{ tool: "lookup_order", arguments: { order_id: id }, result: {} }] });
  const draws: [why: string, rows: Row[], nCopiedTasks: number][] = [
    ["the same at temperature 0", [...rows("a", [1, 1], said), ...rows("b", [0, 0, 0], said)], 2],
    [
      "one of them says another thing",
      [...rows("a", [1, 1], said), ...rows("a", [1], { ...said, final_text: "!" })],
      0,
    ],
    ["one of them does another thing", [...rows("a", [1], said), ...rows("a", [1], { ...said, ...call("7") })], 0],
    ["the same calls", rows("a", [1, 1], { ...said, ...call("7") }), 1],
    ["drawn with a temperature", rows("a", [1, 1], { ...said, sampling: { temperature: 0.7 } }), 0],
    ["nothing says how", rows("a", [1, 1], { final_text: "It shipped." }), 0],
    ["one rollout a task", [...rows("a", [1], said), ...rows("b", [0], said)], 0],
    [
      "one of them drawn with a temperature",
      [...rows("a", [1], said), ...rows("a", [1], { final_text: "It shipped." })],
      0,
    ],
    ["copies that are not graded", rows("a", [null, null, 1], said), 0],
  ];
  test.each(draws)("%s", (_, list, nCopiedTasks) => {
    const report = passAt(list);
    expect(report.nCopiedTasks).toBe(nCopiedTasks);
    expect(codes(report).includes("copied_rollouts")).toBe(nCopiedTasks > 0);
  });

  test("are said with their number", () => {
    const report = passAt([...rows("a", [1, 1, 1, 1], said), ...rows("b", [0, 1, 0, 1])]);
    expect(report.warnings.at(-1)?.text).toContain("on 1 of 2 graded tasks every rollout is word for word the same");
  });
});

test("the curve counts the tasks at each k and stops at 64, saying so", () => {
  const list = [...rows("a", Array(70).fill(1)), ...rows("b", [1, 0])];
  const { curve, warnings } = passAt(list);
  expect(curve.map(({ nGroups }) => nGroups)).toEqual([2, 2, ...Array(62).fill(1)]);
  expect(warnings.at(-1)).toEqual({
    code: "curve_cut",
    text: "the curve stops at k = 64 of 70; pass k for a larger one",
  });
  expect(passAt(list, { k: 70 }).passPowK).toBe(1);
});

test("the curve at k is the report at k, also where short groups stand in and the tasks change order", () => {
  const list = [
    ...rows("a", [1, 1]),
    ...["b", "c", "d"].flatMap((task, i) => rows(task, [1, 0, 1, i % 2, 0, 1])),
    ...rows("e", [0, 0, 0]),
    ...rows("f", [1, 0]),
  ];
  for (const options of [{}, { inference: "compat", unanimousShort: true }] satisfies PassAtOptions[]) {
    for (const { k, nGroups, ...point } of passAt(list, options).curve) {
      const { nGroupsAtK, ...report } = passAt(list, { ...options, k, minK: 1 });
      expect(report).toMatchObject(point);
      expect(nGroupsAtK).toBe(nGroups);
    }
  }
});

test("compat draws tasks in the order of their first graded row, the ones that stand in last", () => {
  const list = [
    { task_id: "z" },
    ...rows("short", [1, 1]),
    ...rows("a", [1, 0, 0, 0]),
    ...rows("z", [1, 1, 1, 0]),
    ...rows("b", [0, 0, 0, 0]),
  ];
  const { perTask, ci95, passAtKCi95 } = passAt(list, { inference: "compat", k: 4, unanimousShort: true, seed: 3 });
  expect([...perTask]).toEqual([
    ["short", 1],
    ["a", 0.25],
    ["z", 0.75],
    ["b", 0],
  ]);
  expect(ci95).toEqual(bootstrapCi([1, 0.25, 0.75, 0], { seed: 3 }));
  expect(passAtKCi95).toEqual(bootstrapCi([1, 1, 0, 1], { seed: 3 }));
});

test("no rows make no number, and no NaN", () => {
  const report = passAt([]);
  expect(report).toMatchObject({ k: 1, passAt1: null, passAt1UngradedAsFail: null, curve: [], nGroups: 0 });
  expect(() => toWire(report)).not.toThrow();
});

// What the note says

const note = (list: Row[], options?: PassAtOptions) => passAt(list, options).note;

test.each<[string, Row[], PassAtOptions | undefined, string]>([
  ["nothing graded", rows("a", [null]), undefined, "no row has a reward of 0 or 1: grade the rows first"],
  [
    "the judge failed everywhere",
    [
      ...rows("a", [null], { judge_status: "error", reason: " " }),
      ...rows("b", [null], { judge_status: "timeout", reason: "slow" }),
    ],
    undefined,
    "the judge failed on all 2 rows: error/timeout (slow); run the judge again",
  ],
  [
    "one row has another status",
    [...rows("a", [null], { judge_status: "error" }), ...rows("b", [null], { judge_status: "ok" })],
    undefined,
    "no row has a reward of 0 or 1: grade the rows first",
  ],
  [
    "one reward everywhere, partial credit included",
    rows("a", [0.5, 0.5]),
    undefined,
    "all 2 graded rows have reward 0.50: check the checker before reading the number; no row has a reward of 0 or 1: grade the rows first",
  ],
  [
    "uneven groups that have k-way numbers",
    [...rows("a", [1, 0, 1, 0, 1, 0]), ...rows("b", [1, 1, 1, 1]), ...rows("c", [0, 0, 0, 0])],
    undefined,
    "tasks have 4 to 6 graded rollouts and k is the smallest of these; 1 task reached 6: pass k, or finish the cut groups",
  ],
  [
    "uneven groups that have none",
    [...rows("a", [1, 0, 1]), ...rows("b", [1, 0]), ...rows("c", [1, 1]), ...rows("d", [0])],
    undefined,
    "tasks have 2 to 3 graded rollouts and k is the smallest of these, under 4; 1 task reached 3: pass k, or finish the cut groups",
  ],
  [
    "a k beyond every group",
    ["a", "b", "c"].flatMap((task, i) => rows(task, [1, i % 2])),
    { k: 5 },
    "no task has 5 graded rollouts",
  ],
  [
    "a k under minK",
    ["a", "b", "c"].flatMap((task, i) => rows(task, [1, i % 2])),
    undefined,
    "pass^k and pass@k are reported from 4 graded rollouts a task: run with repeats >= 4",
  ],
])("the note when %s", (_, list, options, expected) => {
  expect(note(list, options)).toBe(expected);
});

// Refusals

test.each([0, 2.5, -1, Number.NaN])("k = %d is refused, not cut to a whole number", (k) => {
  expect(() => passAt([], { k })).toThrow(StatsError);
  expect(() => passAt([], { k })).toThrow(`k is ${k}. Pass a whole number of rollouts, 1 or more.`);
});

test("an unknown option or rule set is refused by name", () => {
  expect(() => passAt([], { min_k: 2 } as PassAtOptions)).toThrow("There is no option min_k. Did you mean minK?");
  expect(() => passAt([], { inference: "loose" } as unknown as PassAtOptions)).toThrow('inference is "loose".');
  expect(() => passAt([], { seed: 0.5 })).toThrow("The seed is 0.5.");
  expect(() => passAt([], { minK: 1.5 })).toThrow("minK is 1.5.");
});
