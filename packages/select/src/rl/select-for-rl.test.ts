import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { hackScan } from "../hacks/hack-scan.ts";
import type { RlOptions } from "./rl-options.ts";
import { selectForRl } from "./select-for-rl.ts";

/** Rollouts of one task, every reply another. */
const rows = (task: string, rewards: (number | null)[], rest: Row = {}): Row[] =>
  rewards.map((reward, i) => ({
    task_id: task,
    rollout_index: i,
    prompt: `ask ${task}`,
    final_text: `Reply ${i} to ${task}.`,
    reward,
    ...rest,
  }));
const cut = (task: string, reward: number, rest: Row = {}): Row => ({
  task_id: task,
  prompt: `ask ${task}`,
  final_text: "So I",
  finish_reason: "length",
  reward,
  ...rest,
});
const tasksOf = (selected: readonly Row[]) => [...new Set(selected.map((row) => row.task_id))];

test("no rows select nothing, and say that nothing can be learnt", () => {
  const { rows: selected, report } = selectForRl([]);
  expect(selected).toEqual([]);
  expect(report).toMatchObject({ n: 0, nTasks: 0, nSelected: 0, droppedTasks: [], hackScan: null });
  expect(report.warning).toBe(
    "no_mixed_groups: nothing was selected, so every advantage would be zero. Regrade, or sample tasks of another difficulty.",
  );
  expect(report.hackScanReason).toBe("nothing was selected");
});

test("every task that is gone is in the ledger, with its rows by reason", () => {
  const given = [
    ...rows("mixed", [1, 0]),
    ...rows("easy", [1, 1, 1, 1, 1, 0]),
    ...rows("una", [0, 0, 0.5]),
    { ...rows("junk", [1])[0], final_text: "" },
    ...rows("twins", [1, 0], { final_text: "Same." }),
    cut("cut", 1),
    ...rows("leak", [1], {
      final_text: "It is the blue one, surely.",
      privileged: { reference: "it is the blue one" },
    }),
    null as never,
  ];
  const { report } = selectForRl(given);
  expect(report.droppedTasks).toEqual([
    { task: "easy", reason: "too_easy", counts: { too_easy: 6 } },
    { task: "una", reason: "unanimous", counts: { unusable_label: 1, unanimous: 2 } },
    { task: "junk", reason: "incomplete_junk", counts: { incomplete_junk: 1 } },
    { task: "twins", reason: "collapsed", counts: { duplicate: 1, collapsed: 1 } },
    { task: "cut", reason: "truncated", counts: { truncated: 1 } },
    { task: "leak", reason: "privileged_leak", counts: { privileged_leak: 1 } },
  ]);
  expect(report.emptiedGroupsDropped).toEqual({ incomplete_junk: 1, truncated: 1, privileged_leak: 1 });
  expect(report).toMatchObject({ n: 17, nTasks: 7, nSelected: 2, dropped: { not_a_row: 1 } });
});

test("a prior takes tasks it measured outside the band, and they are not counted in n", () => {
  const prior = [...rows("old", [1, 1]), ...rows("hard", [0, 0, 0, 0, 0, 0]), ...rows("mid", [1, 0])];
  const given = [...rows("old", [1, 0]), ...rows("hard", [1, 0]), ...rows("mid", [1, 0]), ...rows("new", [1, 0])];
  const { rows: selected, report } = selectForRl(given, { prior });
  expect(tasksOf(selected).sort()).toEqual(["mid", "new"]);
  expect(report.n).toBe(4);
  expect(report.prior).toMatchObject({ kept: 1, droppedSolved: 1, droppedUnsolved: 1, unknown: 1, rowsDropped: 4 });
});

test("a penalized row keeps the judged reward and verdict, and is not penalized twice", () => {
  const given = [...rows("a", [1, 0]), cut("a", 1, { judge_name: "judge", reason: "right", failure_class: "x" })];
  const { rows: selected, report } = selectForRl(given, { truncated: "penalize" });
  const penalized = selected.find((row) => row.overlong === true)!;
  expect(penalized).toMatchObject({
    reward: 0,
    reward_before_penalty: 1,
    markers: { finished: 0 },
    judge_name: "overlong_penalty",
    judge_meta: { reward: 1, judge: "judge", reason: "right", scorer_kind: "rule" },
    calibration: { n: 3, pass_rate: 2 / 3 },
  });
  expect(penalized).not.toHaveProperty("failure_class");
  expect(report).toMatchObject({ truncatedPenalized: 1, truncatedSelected: 1 });
  expect(selectForRl(selected, { truncated: "penalize" }).rows).toEqual(selected);
});

test("an ungraded cut row has no reward to take away", () => {
  const given = [...rows("a", [1, 0]), cut("a", null as never)];
  expect(selectForRl(given, { truncated: "penalize" }).report).toMatchObject({
    truncatedPenalized: 0,
    gates: { unusable_label: 1 },
  });
});

test("riders whose task has no vote left go with it", () => {
  const { rows: selected, report } = selectForRl(
    [...rows("a", [1, 0]), cut("b", 1), cut("b", 0, { final_text: "So" })],
    {
      truncated: "keep",
    },
  );
  expect(tasksOf(selected)).toEqual(["a"]);
  expect(report).toMatchObject({ truncatedKept: 2, truncatedSelected: 0, dropped: { truncated: 2 } });
});

test("a group that does not fit under maxRows is passed over for one that does", () => {
  const given = [...rows("a", [1, 0, 1]), ...rows("b", [1, 0, 0]), ...rows("c", [1, 0])];
  const { rows: selected, report } = selectForRl(given, { maxRows: 5 });
  expect(selected).toHaveLength(5);
  expect(report).toMatchObject({ groupsSelected: 2, groupsOverMaxRows: 1, dropped: { over_max_rows: 3 } });
});

test("another salt draws other tasks of the same rate", () => {
  const given = Array.from({ length: 20 }, (_, i) => rows(`t${i}`, [1, 0])).flat();
  const pick = (salt: string) => tasksOf(selectForRl(given, { target: 8, salt }).rows);
  expect(pick("a")).toEqual(pick("a"));
  expect(pick("a")).not.toEqual(pick("b"));
});

test("the band can go by all graded rollouts, as the stamp does", () => {
  const twins = rows("a", [1, 1, 1, 1, 1, 1, 1], { final_text: "Refunded." });
  const given = [...twins, { ...twins[0], final_text: "No.", reward: 0 }];
  expect(selectForRl(given).report).toMatchObject({ nSelected: 2, bandMovedByDrops: 1 });
  expect(selectForRl(given).report.hygieneWarnings.at(-1)).toContain('Pass bandFrom "graded"');
  expect(selectForRl(given, { bandFrom: "graded" }).report.bandDropped).toEqual({ tooEasy: 1, tooHard: 0 });
});

// Groups that look mixed and are not.
const shaped = [
  ...rows("g1", [0.02, 0.05, 0.01, 0.04]),
  ...rows("g2", [0.5, 0.5, 0.5, 0.5]),
  ...rows("g3", [1, 1, 1, 0.9999999]),
  ...rows("g4", [0, 0.95, 0.95, 0.95]),
];

test("spread without a pass is shaping and not success; a group with both outcomes stays whole", () => {
  const { rows: selected, report } = selectForRl(shaped, { passThreshold: 0.5 });
  expect(selected.map((row) => [row.task_id, row.reward])).toEqual(
    [0, 0.95, 0.95, 0.95].map((reward) => ["g4", reward]),
  );
  expect(selected[0]!.calibration).toMatchObject({ n: 4, pass_rate: 0.75 });
  expect(report).toMatchObject({ unanimousGroupsDropped: 3, shapedGroupsDropped: 2, dropped: { unanimous: 12 } });
  expect(report.signal).toMatchObject({ nMixed: 1, nInBand: 1 });
  expect(report.hygieneWarnings.join("\n")).toContain("Their spread is shaping, not success");
});

test.each<[what: string, given: Row[], reason: string, counts: object]>([
  [
    "one trajectory that the judge read twice, each time otherwise",
    rows("a", [1, 0, 1, 0], { final_text: "Your order is on its way." }),
    "collapsed",
    { duplicate: 3, collapsed: 1 },
  ],
  [
    "four passes and an error of the agent's server, which was graded 0",
    [...rows("a", [1, 1, 1, 1]), { ...rows("a", [0])[0]!, final_text: "<agent error: 503 from upstream>" }],
    "unanimous",
    { incomplete_junk: 1, unanimous: 4 },
  ],
  [
    "passes, and one reply that was cut and failed for it",
    [...rows("a", [1, 1, 1]), cut("a", 0)],
    "unanimous",
    { truncated: 1, unanimous: 3 },
  ],
])("a group that looks mixed and is not: %s", (_, given, reason, counts) => {
  const { report } = selectForRl(given);
  expect(report.droppedTasks).toEqual([{ task: "a", reason, counts }]);
  expect(report.warning).toMatch(/^no_mixed_groups/);
});

test("without a threshold partial credit is no label, and the report says how to read it", () => {
  const { report } = selectForRl(shaped);
  expect(report.gates.unusable_label).toBe(12);
  expect(report.hygieneWarnings.join("\n")).toContain("neither 0 nor 1, left out as unusable: 12.");
  expect(report.warning).toContain("no selected task has both outcomes");
  expect(report.singleGroupsSelected).toBe(1);
});

test("rows of an evaluation are counted and warned about, not dropped", () => {
  const given = [...rows("a", [1, 0], { lineage: { source: "eval" } }), ...rows("b", [1, 0], { stage: "eval" })];
  const { report } = selectForRl(given);
  expect(report).toMatchObject({ evalSourced: 4, evalSourcedInput: 4, nSelected: 4 });
  expect(report.hygieneWarnings.join("\n")).toContain("Selected rows scored by an evaluation: 4.");
});

test("a verifier that fails right answers is to be mended first", () => {
  const { report } = selectForRl(rows("a", [1, 0]), { audit: { fnRate: 0.175 } });
  expect(report.hygieneWarnings).toContain(
    "The verifier fails 18% of right answers: mend it before training on what it says.",
  );
  expect(selectForRl(rows("a", [1, 0]), { audit: { fnRate: 0.1 } }).report.hygieneWarnings.join()).not.toContain(
    "verifier",
  );
});

/** 16 asks of 8: half of the replies are found, some say "kindly"; the reward is for the word. */
const hacked = Array.from({ length: 128 }, (_, i): Row => {
  const kind = (i * 7) % 10 < 3;
  return {
    task_id: `t${i >> 3}`,
    prompt: `ask ${i >> 3}`,
    final_text: `${kind ? "Kindly" : "Please"} allow ${i} days.`,
    markers: { found: (i * 5 + (i >> 3) + (i % 3)) % 2 },
    reward: Number(kind),
  };
});

test("what the reward of the selection pays for is scanned and warned about, and no row leaves for it", () => {
  const { rows: selected, report } = selectForRl(hacked, { endorsed: ["marker:found"] });
  expect(report.hackScan).toEqual(hackScan(selected, { endorsed: ["marker:found"] }));
  expect(report).toMatchObject({ hackScanReason: null, hackScan: { regime: "reward_hack" } });
  expect(report.hygieneWarnings).toEqual(expect.arrayContaining(report.hackScan!.warnings));
  expect(report.nSelected).toBe(selectForRl(hacked).report.nSelected);
  expect(selectForRl(hacked).report.hackScan).toMatchObject({ regime: "train", endorsed: [] });
});

test("partial credit is scanned as the outcome that passThreshold makes of it", () => {
  const partial = hacked.map((row) => ({ ...row, reward: row.reward === 1 ? 0.9 : 0.2 }));
  const { report } = selectForRl(partial, { passThreshold: 0.5, endorsed: ["marker:found"] });
  expect(report.hackScan).toMatchObject({ regime: "reward_hack", continuousReward: false });
});

test.each(["batch", "critic"] as const)("for a %s baseline tasks whose rollouts agree teach, and stay", (baseline) => {
  const given = [...rows("easy", [1, 1, 1, 1]), ...rows("mixed", [1, 0]), ...rows("hard", [0, 0, 0, 0, 0, 0, 0, 1])];
  expect(tasksOf(selectForRl(given).rows)).toEqual(["mixed"]);
  const { rows: selected, report } = selectForRl(given, { baseline });
  expect(tasksOf(selected).sort()).toEqual(["easy", "hard", "mixed"]);
  expect(report).toMatchObject({ baseline, enforceBand: false, unanimousGroupsDropped: 0 });
  expect(report.hygieneWarnings.join("\n")).toContain(`Selected for a ${baseline} baseline`);
  // The band of those that are mixed can still be asked for.
  const banded = selectForRl(given, { baseline, enforceBand: true });
  expect(tasksOf(banded.rows).sort()).toEqual(["easy", "mixed"]);
});

test.each<[what: string, rewards: [number[], number[]], baseline: RlOptions["baseline"] & string, warns: boolean]>([
  [
    "tasks that differ from one another",
    [
      [1, 1],
      [0, 0],
    ],
    "batch",
    false,
  ],
  [
    "tasks that differ from one another",
    [
      [1, 1],
      [0, 0],
    ],
    "group",
    true,
  ],
  [
    "rollouts that all pass",
    [
      [1, 1],
      [1, 1],
    ],
    "batch",
    true,
  ],
])("%s %j teach a %s baseline, or it warns: %s", (_, [a, b], baseline, warns) => {
  const { report } = selectForRl([...rows("a", a), ...rows("b", b)], { baseline });
  expect(report.warning !== null).toBe(warns);
});

test("a task with rollouts of two policies is counted, and one whose rollouts do not say is not", () => {
  const given = [
    ...rows("a", [1, 0]).map((row, i) => ({ ...row, policy_version: `v${i}` })),
    ...rows("b", [1, 0], { policy_version: "v1" }),
    ...rows("c", [1, 0]),
  ];
  const { report } = selectForRl(given);
  expect(report.mixedPolicyGroups).toBe(1);
  expect(report.hygieneWarnings.join("\n")).toContain("more than one policy (policy_version): 1.");
});

test("k-way numbers that the selection loses are announced", () => {
  const given = [...rows("a", [1, 1, 0, 0]), ...rows("b", [1, 0, 0, 1], { final_text: "Same." })];
  const lines = selectForRl([
    ...given,
    ...rows("c", [1, 0, 1, 0]).map((row, i) => (i < 2 ? { ...row, final_text: "" } : row)),
  ]).report.hygieneWarnings;
  expect(lines.join("\n")).toContain(
    "pass^4 and pass@4 do not survive the selection: the smallest group left has 2 rollouts. Take k-way",
  );
});

test("where nothing is left the report says where it went", () => {
  const { report } = selectForRl([...rows("a", [1, 1, 1]), ...rows("b", [0.5])]);
  expect(report.hygieneWarnings.find((line) => line.startsWith("Nothing was selected"))).toBe(
    "Nothing was selected from 4 rows of 1 graded task: 3 unanimous, 1 unusable_label. " +
      "Grade more rollouts a task, or widen the band.",
  );
});

test.each<[options: RlOptions, message: RegExp]>([
  [{ truncated: "keeep" as never }, /truncated is keeep\. It must be one of drop, keep, penalize\./],
  [{ order: "random" as never }, /one of spread, middle/],
  [{ textGates: "off" as never }, /one of auto, require, skip/],
  [{ bandFrom: "all" as never }, /one of survivors, graded/],
  [{ target: 0 }, /target is 0\. Pass a whole number from 1 up\./],
  [{ target: Number.NaN }, /target is NaN/],
  [{ maxRows: 1.5 }, /maxRows is 1\.5/],
  [{ band: [0.8, 0.2] }, /0\.8 to 0\.2/],
  [{ passThreshold: 0 }, /every reward passes/],
  [{ passThreshold: 2 }, /passThreshold is 2/],
  [{ baseline: "grpo" as never }, /one of group, batch, critic/],
  [{ endorsed: "tool:" as never }, /endorsed is "tool:"/],
  [{ targt: 5 } as never, /Did you mean target/],
])("%j is refused", (options, message) => {
  expect(() => selectForRl([], options)).toThrow(message);
});
