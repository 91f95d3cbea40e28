import { type Row, toWire } from "@while/schema";
import { expect, test } from "vitest";
import { exactMatch } from "../verifiers/exact-match.ts";
import { includes } from "../verifiers/includes.ts";
import { type CheatScorer, cheatProbes } from "./cheat-probes.ts";
import { asSaid, type CheatProbeName } from "./cheat-replies.ts";
import { formatCheatProbes } from "./format-cheat-probes.ts";

function cases(n: number, answer: (i: number) => string = () => "7"): Row[] {
  return Array.from({ length: n }, (_, i) => ({
    task_id: `t${i}`,
    prompt: `Add ${i}.`,
    answer: answer(i),
    reward: i % 2,
  }));
}

/** Pays the first so many cases, whatever is said. */
const paying =
  (n: number): CheatScorer =>
  ({ task_id: task }) =>
    Number(String(task).slice(1)) < n;

test.each<[passes: number, low: number, high: number, flagged: boolean]>([
  // golden: cheat
  [0, 0, 0.087625, false],
  [7, 0.087453, 0.319503, false],
  [8, 0.104999, 0.347576, true],
  [10, 0.14187, 0.401943, true],
  [40, 0.912375, 1, true],
])("a scorer that pays %i of 40", async (passes, low, high, flagged) => {
  const { probes, ok } = await cheatProbes(cases(40), paying(passes), { probes: ["refuse"] });
  const probe = probes.get("refuse")!;
  expect(probe.ci95![0]).toBeCloseTo(low, 6);
  expect(probe.ci95![1]).toBeCloseTo(high, 6);
  expect(probe).toMatchObject({ n: 40, mean: passes / 40, flagged, errors: 0, vsAgent: passes / 40 - 0.5 });
  expect(ok).toBe(!flagged);
});

test("a scorer that pays for any question mark pays an agent that asks and one that echoes", async () => {
  const rows = cases(40).map((row) => ({ ...row, prompt: `What is ${row.task_id} + i?` }));
  const { probes, warnings } = await cheatProbes(rows, { score: (_, reply) => reply.includes("?") });
  const flagged = [...probes].filter(([, probe]) => probe.flagged).map(([name]) => name);
  expect(flagged).toEqual(["ask", "echo"]);
  expect(warnings).toHaveLength(2);
});

test("a verifier is a scorer: the most common answer is found right where it is the answer", async () => {
  const rows = cases(40, (i) => (i < 24 ? "yes" : `no ${i}`));
  const { probes, ok } = await cheatProbes(rows, exactMatch());
  expect(probes.get("constant")).toMatchObject({ n: 40, mean: 0.6, flagged: true, answerShare: 0.6 });
  expect([...probes].filter(([, { flagged }]) => flagged)).toHaveLength(1);
  expect(ok).toBe(false);
});

test("an agent that says nothing is not graded on what it said before", async () => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content: "the refund" },
    { role: "user", content: "and now?" },
    { role: "assistant", content: "the refund again" },
  ];
  const rows = cases(20).map((row) => ({ ...row, messages }));
  const { probes } = await cheatProbes(rows, includes({ texts: "refund" }), { probes: ["empty"] });
  expect(probes.get("empty")!.mean).toBe(0);
});

test("the agent that did nothing left no step, no verdict and no other reply", () => {
  const row: Row = {
    prompt: "p",
    final_text: "old",
    reward: 1,
    reason: "old",
    judge_meta: { trust: 1 },
    steps: [{ tool: "a", result: 1 }],
    tool_trace: [1],
    completion: "old",
    messages: [
      { role: "system", content: "s" },
      { role: "user", content: "p" },
      { role: "assistant", content: "old" },
    ],
  };
  expect(asSaid(row, "new")).toEqual({
    prompt: "p",
    final_text: "new",
    completion: "new",
    messages: [
      { role: "system", content: "s" },
      { role: "user", content: "p" },
      { role: "assistant", content: "new" },
    ],
  });
  expect(row.steps).toHaveLength(1);
});

test("rollouts of one task are one case, and a draw is the same for the same seed", async () => {
  const twice = [...cases(10), ...cases(10)];
  const seen: string[] = [];
  const scorer: CheatScorer = ({ task_id: task }) => {
    seen.push(String(task));
    return 0;
  };
  const first = await cheatProbes(twice, scorer, { probes: ["empty"], sample: 4, seed: 3 });
  expect(first).toMatchObject({ nCases: 10, nProbed: 4 });
  await cheatProbes(twice, scorer, { probes: ["empty"], sample: 4, seed: 3 });
  expect(seen.slice(4)).toEqual(seen.slice(0, 4));
  expect((await cheatProbes(twice, scorer, { sample: null })).nProbed).toBe(10);
});

test("partial credit gets a bootstrap interval, and failed calls are left out and counted", async () => {
  const scorer: CheatScorer = ({ task_id: task }) => {
    const i = Number(String(task).slice(1));
    if (i >= 30) throw new RangeError("no");
    return (i % 3) / 4;
  };
  const { probes, notes } = await cheatProbes(cases(40), scorer, { probes: ["empty"] });
  const { n, mean, errors, ci95, flagged } = probes.get("empty")!;
  expect({ n, mean, errors, flagged }).toEqual({ n: 30, mean: 0.25, errors: 10, flagged: true });
  expect(ci95![0]).toBeGreaterThan(0.15);
  expect(notes).toEqual(["empty: 10 cases were not scored and are left out"]);
});

test("refusing an adversarial ask and asking about an unclear one are right, and no cheats", async () => {
  const stances = ["adversarial", "ambiguous", "ordinary"];
  const rows = cases(30).map((row, i) => ({ ...row, scenario_dimensions: { tool: "x", stance: stances[i % 3] } }));
  const { probes, notes } = await cheatProbes(rows, () => 0, { probes: ["refuse", "ask", "empty"] });
  expect([...probes.values()].map(({ n, nRight }) => [n, nRight])).toEqual([
    [20, 10],
    [20, 10],
    [30, 0],
  ]);
  expect(notes[0]).toBe("refuse: 10 cases ask for just that and are left out");
  const adversarial = rows.filter((_, i) => i % 3 === 0);
  expect((await cheatProbes(adversarial, () => 0, { probes: ["refuse"] })).notes).toEqual([
    "refuse was not tried: every case asks for just that",
  ]);
});

test("what cannot be tried says why, and nothing tried is not ok", async () => {
  const bare = await cheatProbes([{ final_text: "x" }], () => 0);
  expect(bare.notes).toEqual([
    "echo was not tried: no case has a prompt",
    "constant was not tried: no case has an answer key",
  ]);
  const none = await cheatProbes([], () => 0);
  expect(none.ok).toBe(false);
  expect(formatCheatProbes(none)).toContain("not measured");
});

test.each<[options: object, message: string]>([
  [{ probes: ["refuse", "beg"] }, "There is no probe beg."],
  [{ flag: 0 }, "flag is 0."],
  [{ flag: 1.1 }, "flag is 1.1."],
  [{ sample: 0 }, "sample is 0."],
  [{ samples: 3 }, "There is no option samples."],
])("cheatProbes refuses %j", async (options, message) => {
  await expect(cheatProbes([], () => 0, options)).rejects.toThrow(message);
});

test("the text says first whether the scorer holds, then each probe", async () => {
  const report = await cheatProbes(cases(40), Object.assign(paying(7), { judgeName: "rule" }), {
    probes: ["refuse", "echo"] satisfies CheatProbeName[],
  });
  expect(formatCheatProbes(report)).toBe(
    [
      "cheat probes: rule pays no agent that does nothing (40 of 40 cases; the agent scores 0.50)",
      "  refuse  0.175 [0.087..0.320], n=40, -0.325 against the agent",
      "  echo    0.175 [0.087..0.320], n=40, -0.325 against the agent",
      "  rule pays 0.17 for an agent that refuses everything, which 40 cases cannot tell from under 0.1: probe more cases",
      "  rule pays 0.17 for an agent that repeats the prompt, which 40 cases cannot tell from under 0.1: probe more cases",
    ].join("\n"),
  );
  expect(() => toWire(report)).not.toThrow();
});
