import { groupByTask, type Row, taskKey } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import * as select from "../src/index.ts";

// Laws of a selection as a whole. Rows are frozen to the bottom, so a function that writes on its input throws.

const TRUNCATED = ["drop", "keep", "penalize"] as const;

/** Rollouts of up to six tasks: graded or not, junk, cut, repeated, of an evaluation, and now and then no row at all. */
const anyRow: fc.Arbitrary<Row> = fc.record(
  {
    task_id: fc.constantFrom("a", "b", "c", "d", "__proto__", "10", ""),
    prompt: fc.constantFrom("ask one", "Ask  one", "ask two", ""),
    reward: fc.constantFrom<unknown>(0, 0, 0, 1, 1, 1, 0.5, null, "1", true) as fc.Arbitrary<number>,
    final_text: fc.constantFrom("Done.", "Done again.", "No.", "I can't.", "", "<agent error>", "r".repeat(250)),
    finish_reason: fc.constantFrom("stop", "length", null),
    steps: fc.constantFrom(
      [],
      [{ tool: "get", arguments: { id: "1" }, result: { status: "ok" } }],
      [{ tool: "get", arguments: { id: "1" }, result: { status: "timeout" } }, { text: "Done." }],
    ),
    markers: fc.constantFrom({ no_hedging: 0 }, { no_hedging: 1 }),
    lineage: fc.constantFrom({ source: "eval" }, { source: "simulate" }),
    privileged: fc.constantFrom({ reference: "done again and again" }, { reference: "Done again." }),
  },
  { requiredKeys: ["task_id", "prompt", "reward", "final_text"] },
);
const anyRows = fc.array(
  fc.oneof({ weight: 20, arbitrary: anyRow }, { weight: 1, arbitrary: fc.constant(null as never) }),
  {
    maxLength: 40,
  },
);

/** Rollouts with a reply of their own and one fault kind: no order of them makes another task's fate. */
const distinctRows = fc
  .array(fc.array(fc.constantFrom(0, 1), { maxLength: 9 }), { maxLength: 8 })
  .map((groups) =>
    groups.flatMap((rewards, t) =>
      rewards.map((reward, i) => ({ task_id: `t${t}`, prompt: `ask ${t}`, final_text: `Reply ${i}.`, reward })),
    ),
  );

const rlOptions: fc.Arbitrary<select.RlOptions> = fc.record(
  {
    target: fc.integer({ min: 1, max: 30 }),
    maxRows: fc.integer({ min: 1, max: 30 }),
    enforceBand: fc.boolean(),
    bandFrom: fc.constantFrom(...select.BAND_SOURCES),
    order: fc.constantFrom(...select.RL_ORDERS),
    truncated: fc.constantFrom(...TRUNCATED),
    textGates: fc.constantFrom(...select.TEXT_GATE_MODES),
    dedupe: fc.boolean(),
    passThreshold: fc.constantFrom(0.5, 1),
    salt: fc.string(),
  },
  { requiredKeys: [] },
);

test("every row that goes into selectForRl is selected or dropped once, and every task accounted for", () => {
  fc.assert(
    fc.property(anyRows, rlOptions, (rows, options) => {
      const { rows: selected, report } = select.selectForRl(frozen(rows), options);
      expect(report.n).toBe(rows.length);
      expect(report.nSelected).toBe(selected.length);
      expect(report.nSelected + total(report.dropped)).toBe(report.n);
      expect(report.nTasks).toBe(
        report.groupsSelected +
          total(report.emptiedGroupsDropped) +
          report.unanimousGroupsDropped +
          report.bandGroupsDropped +
          report.groupsOverMaxRows +
          report.groupsOverTarget,
      );
      expect(report.droppedTasks).toHaveLength(report.nTasks - report.groupsSelected);
      const ofDroppedTasks = report.droppedTasks.reduce((sum, { counts }) => sum + total(counts), 0);
      expect(ofDroppedTasks).toBeLessThanOrEqual(total(report.dropped) - report.dropped.not_a_row);
      expect(report.nAfterTrim).toBe(selected.length + report.dropped.over_max_rows + report.dropped.over_target);
      const gated = total(report.gates) + report.privilegedLeaksDropped + report.dropped.not_a_row;
      expect(report.nAfterGates).toBe(report.n - gated);
    }),
    { numRuns: 300 },
  );
});

test("every row that goes into selectForSft is selected or dropped once", () => {
  const options = fc.record({
    select: fc.constantFrom(...select.SFT_SELECTIONS),
    groupBy: fc.constantFrom(...select.SFT_GROUPINGS),
    minReward: fc.constantFrom(0, 0.5, 1),
    target: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(),
  });
  fc.assert(
    fc.property(anyRows, options, (rows, given) => {
      const { rows: selected, report } = select.selectForSft(frozen(rows), given);
      expect(report.nSelected).toBe(selected.length);
      expect(report.nSelected + total(report.dropped)).toBe(report.n);
      expect(selected.every((row) => rows.includes(row))).toBe(true);
      expect(new Set(selected).size).toBe(selected.length);
      expect(report.behaviorsCovered).toBeLessThanOrEqual(report.uniqueBehaviors);
    }),
  );
});

test("groups are whole: what is left of a task is selected together or not at all", () => {
  fc.assert(
    fc.property(distinctRows, rlOptions, (rows, options) => {
      const { rows: selected } = select.selectForRl(frozen(rows), options);
      for (const [task, group] of groupByTask(rows).groups) {
        const n = selected.filter((row) => taskKey(row) === task).length;
        expect([0, group.length]).toContain(n);
      }
      const order = selected.map(taskKey);
      expect(order.filter((task, i) => task !== order[i - 1])).toHaveLength(new Set(order).size);
    }),
  );
});

test("the order of the rows changes neither the tasks nor their order", () => {
  fc.assert(
    fc.property(distinctRows, fc.nat(), rlOptions, (rows, seed, options) => {
      const shuffled = [...rows].sort((a, b) => mixed(a, seed) - mixed(b, seed));
      const tasks = (given: Row[]) => [...new Set(select.selectForRl(frozen(given), options).rows.map(taskKey))];
      expect(tasks(shuffled)).toEqual(tasks(rows));
    }),
  );
});

test("every selected row is one that went in, stamped and otherwise as it was", () => {
  fc.assert(
    fc.property(anyRows, rlOptions, (rows, options) => {
      const { rows: selected } = select.selectForRl(frozen(rows), { ...options, truncated: "drop" });
      const given = new Set(rows.map((row) => JSON.stringify(row)));
      for (const { calibration, ...row } of selected) {
        expect(given.has(JSON.stringify(row))).toBe(true);
        if (taskKey(row) !== "") expect(calibration).toMatchObject({ task_id: taskKey(row) });
      }
    }),
  );
});

test("selecting from a selection keeps it, its order and its stamps", () => {
  fc.assert(
    fc.property(distinctRows, fc.constantFrom(...TRUNCATED), (rows, truncated) => {
      const once = select.selectForRl(frozen(rows), { truncated }).rows;
      expect(select.selectForRl(frozen(once), { truncated }).rows).toEqual(once);
    }),
  );
});

test("the same rows and options give the same selection and report", () => {
  fc.assert(
    fc.property(anyRows, rlOptions, (rows, options) => {
      expect(select.selectForRl(rows, options)).toEqual(select.selectForRl(structuredClone(rows), options));
    }),
  );
});

test("a larger target only adds groups at the end", () => {
  fc.assert(
    fc.property(
      distinctRows,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 20 }),
      (rows, target, more) => {
        const few = select.selectForRl(rows, { target }).rows;
        expect(select.selectForRl(rows, { target: target + more }).rows.slice(0, few.length)).toEqual(few);
      },
    ),
  );
});

test("no other function writes on its rows, and all of them stand entries that are no rows", () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const given = frozen(rows);
      for (const trim of [
        select.filterRlRows,
        select.trimUnanimousGroups,
        select.trimOutOfBand,
        select.dedupeGroups,
        select.dropTruncated,
        select.dropPrivilegedLeaks,
      ]) {
        const { rows: kept, report } = trim(given) as { rows: Row[]; report: { n: number; nKept?: number } };
        expect(kept.every((row) => rows.includes(row))).toBe(true);
        if (report.nKept !== undefined) expect(report.nKept).toBe(kept.length);
      }
      select.nearDuplicatePrompts(given);
      select.lengthReport(given);
      select.rewardCorrelations(given);
      select.taskPassRates(given);
      select.labelsByTask(given);
      select.nextRound(given);
      expect(select.calibrate(given).rows).toHaveLength(rows.length);
      expect(select.carryCalibration(given, given).rows).toHaveLength(rows.length);
    }),
  );
});

function total(counts: Partial<Record<string, number>>): number {
  return Object.values(counts).reduce<number>((sum, n) => sum + (n ?? 0), 0);
}

/** A fixed shuffle by row and seed. */
function mixed(row: Row, seed: number): number {
  const text = `${seed}:${row.task_id}:${row.final_text}`;
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}
