import { type Row, toWire } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { formatGate } from "./format-gate.ts";
import { isRlShaped } from "./is-rl-shaped.ts";
import { type GateOptions, publishGate } from "./publish-gate.ts";
import { PublishGateError } from "./publish-gate-error.ts";

const rows = (task: string, rewards: (number | null)[]): Row[] =>
  rewards.map((reward, i) => ({ task_id: task, prompt: `ask ${task}`, final_text: `Reply ${i} to ${task}.`, reward }));

const LEAKING = rows("a", [1, 0]).map((row) => ({
  ...row,
  final_text: `As the notes say, the parcel is in Lyon. ${row.reward}`,
  privileged: { reference: "the parcel is in Lyon" },
}));

/** 12 asks of 8: found or not, and some say "kindly". */
const scanned = (reward: (found: number, kind: boolean) => number): Row[] =>
  Array.from({ length: 96 }, (_, i) => {
    const found = (i * 5 + (i >> 3) + (i % 3)) % 2;
    const kind = (i * 7) % 10 < 3;
    return {
      task_id: `t${i >> 3}`,
      prompt: `Where is order ${i >> 3}?`,
      final_text: `${kind ? "Kindly" : "Please"} allow ${i} days.`,
      markers: { found },
      reward: reward(found, kind),
    };
  });
const KINDLY = scanned((_, kind) => Number(kind));
const EITHER = scanned((found, kind) => Number(found === 1 || kind));
const HONEST = scanned((found) => found);

test.each<[about: string, rows: Row[], options: GateOptions, code: string | null]>([
  ["no label", rows("a", [null, null]), {}, "ungraded_rl_rows"],
  ["partial credit alone", rows("a", [0.5, 0.2]), {}, "ungraded_rl_rows"],
  ["no contrast", [...rows("a", [1, 1]), ...rows("b", [0, 0])], {}, "no_mixed_groups"],
  ["no contrast, to evaluate", rows("a", [1, 1]), { purpose: "eval" }, null],
  ["no label, to evaluate", rows("a", [null, null]), { purpose: "eval" }, "ungraded_rl_rows"],
  ["one rollout an ask", [...rows("a", [1]), ...rows("b", [null])], {}, null],
  ["one rollout an ask, for a grouped method", rows("a", [1]), { mode: "rl" }, "no_mixed_groups"],
  ["several good replies to a task, to be imitated", rows("a", [1, 1]), { mode: "sft" }, null],
  ["replies without a label, to be imitated", rows("a", [null, null]), { mode: "sft" }, null],
  ["a reply that quotes the grader's notes, to be imitated", LEAKING, { mode: "sft" }, "privileged_leak"],
  ["a shortcut, to be imitated", KINDLY, { mode: "sft", endorsed: ["marker:"], strictHacks: true }, "reward_hack"],
  ["no rows", [], {}, null],
  ["no rows, for a grouped method", [], { mode: "rl" }, "ungraded_rl_rows"],
  ["a reply that quotes the grader's notes", LEAKING, {}, "privileged_leak"],
  ["the same, one rollout an ask", LEAKING.slice(0, 1), {}, "privileged_leak"],
  ["the same, to evaluate", LEAKING, { purpose: "eval" }, "privileged_leak"],
  ["blocks that nobody quotes", LEAKING.map((row) => ({ ...row, final_text: `Done ${row.reward}.` })), {}, null],
  ["contrast", rows("a", [1, 0]), {}, null],
  ["a shortcut that nobody asked about", KINDLY, { endorsed: ["marker:"] }, null],
  ["a shortcut", KINDLY, { endorsed: ["marker:"], strictHacks: true }, "reward_hack"],
  ["a shortcut, for sure", KINDLY, { endorsed: ["marker:"], strictHacks: "confirmed" }, "reward_hack"],
  ["a shortcut beside the behavior", EITHER, { endorsed: ["marker:"], strictHacks: true }, null],
  ["the same, of like rollouts", EITHER, { endorsed: ["marker:"], strictHacks: "conditional" }, "reward_hack"],
  ["the behavior alone", HONEST, { endorsed: ["marker:"], strictHacks: "conditional" }, null],
])("publishGate of %s", (_, given, options, code) => {
  const { report } = publishGate(given, { ...options, strict: false });
  expect([report.refusalCode, report.ok]).toEqual([code, code === null]);
  expect(() => toWire(report)).not.toThrow();
  if (code === null) {
    expect(publishGate(given, options).report).toEqual(report);
    return;
  }
  expect(report.refusal).toMatch(new RegExp(`^${code}: .+\\..+\\.$`));
  expect(() => publishGate(given, options)).toThrow(PublishGateError);
  expect(() => publishGate(given, options)).toThrow(expect.objectContaining({ code, message: report.refusal, report }));
});

test("the refusal of a leak says where it is, and the report does not repeat what was quoted", () => {
  const { report } = publishGate(LEAKING, { strict: false });
  expect(report.refusal).toMatch(/^privileged_leak: 2 of 2 rows .*, reference in row 0 to begin with: /);
  expect(report.privilegedLeaks).toEqual({ checked: true, nChecked: 2, nLeaked: 2 });
  expect(JSON.stringify(report)).not.toContain("Lyon");
});

test("the refusal of a shortcut names it, and the warnings do not repeat it", () => {
  const { report } = publishGate(KINDLY, { endorsed: ["marker:"], strictHacks: true, strict: false });
  expect(report.refusal).toMatch(/contains:kindly.*Fix the judge, or publish without strictHacks\.$/);
  expect(report.warnings.join()).not.toMatch(/contains:kindly/);
});

test("what passes is told what it holds, and nothing is dropped", () => {
  const given = [...rows("a", [1, 1, 0, 0]), ...rows("b", [1, 0, 0, 0, 0, 0, 0, 0]), ...rows("c", [1, 1, null])];
  const twin = { ...given[0], reward: 0 };
  const { rows: stamped, report } = publishGate([...given, twin]);
  expect(stamped).toHaveLength(16);
  expect(stamped[0]!.calibration).toMatchObject({ n: 5, pass_rate: 0.4 });
  expect(formatGate(report)).toBe(
    [
      "publish gate passed",
      "  16 rows, 15 stamped with the difficulty of their task",
      "  3 asks: 2 mixed, 1 in the band [0.20..0.80], pass@1 0.51",
      "  hack scan: no_signal, top feature none",
      "warnings",
      "  - 1 of 2 mixed asks outside the band of 20% to 80%: optimize with mode rl prunes them.",
      "  - 1 of 3 asks with rollouts that all agree, which teach nothing: optimize with mode rl drops them.",
      "  - 1 of 16 rows without a reward of 0 or 1, or without a task: they are not stamped.",
      "  - 2 mixed asks, and training asks for 32: bring more tasks.",
      "  - 1 duplicate row present over 1 ask: optimize drops them. 1 with another reward than their twin: judge noise.",
      ...report.hackScan!.warnings.map((warning) => `  - ${warning}`),
    ].join("\n"),
  );
});

test("a stamp from before stays, and the report says that it counts other rollouts", () => {
  const [row, ...rest] = publishGate(rows("a", [1, 0, 0, 0])).rows;
  const { rows: again, report } = publishGate([row!, rest[0]!]);
  expect(again[0]!.calibration).toMatchObject({ n: 4 });
  expect(report.warnings).toContainEqual(expect.stringMatching(/^2 rows with a stamp from before/));
});

test("the trust of the first row that has one is passed on", () => {
  const trust = { kappa: 0.8 };
  const [a, b] = rows("a", [1, 0]);
  const given = [
    { ...a, judge_meta: {} },
    { ...b, judge_meta: { trust } },
  ];
  expect(publishGate(given).report.judgeTrust).toEqual(trust);
  expect(publishGate([a!, b!]).report.judgeTrust).toBeNull();
});

test.each<[Record<string, unknown>, string, RegExp]>([
  [{ stict: true }, "bad_option", /Did you mean strict/],
  [{ strict: 1 }, "bad_option", /strict is 1/],
  [{ mode: "both" }, "bad_option", /mode is both/],
  [{ purpose: "test" }, "bad_option", /purpose is test/],
  [{ band: [0.8, 0.2] }, "bad_band", /0\.8/],
  [{ endorsed: "marker:" }, "bad_option", /endorsed is "marker:"/],
  [{ endorsed: ["a"], strictHacks: "always" }, "bad_option", /strictHacks is always/],
  [{ strictHacks: true }, "bad_option", /nothing is endorsed/],
])("publishGate refuses %j", (options, code, message) => {
  const run = () => publishGate(rows("a", [1, 0]), options as GateOptions);
  expect(run).toThrow(SelectError);
  expect(run).toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
});

test("rows are for a grouped method when a task repeats, or somebody says so", () => {
  expect(isRlShaped([...rows("a", [1]), ...rows("b", [1])])).toBe(false);
  expect(isRlShaped(rows("a", [1, 1]))).toBe(true);
  expect(isRlShaped([], { mode: "rl" })).toBe(true);
  expect(isRlShaped([{ reward: 1 }, { reward: 1 }])).toBe(false);
  expect(isRlShaped([null as never, null as never])).toBe(false);
});

test("every row comes back, in its order, changed by its stamp alone; passing a gate twice is passing it once", () => {
  const anyRows = fc.array(
    fc.record({ task: fc.constantFrom("a", "b", "__proto__"), reward: fc.constantFrom(0, 1, 0.5, null) }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(anyRows, (list) => {
      const given = list.flatMap(({ task, reward }) => rows(task, [reward]));
      const { rows: once } = publishGate(given, { strict: false });
      expect(once.map(({ calibration: _, ...row }) => row)).toEqual(given);
      expect(publishGate(once, { strict: false }).rows).toEqual(once);
    }),
    { numRuns: 20 },
  );
});
