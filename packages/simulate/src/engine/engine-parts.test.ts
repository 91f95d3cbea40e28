import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AllocatedRollout, allocateFixed, type Landing } from "./allocate.ts";
import { continues, hazard, mixedRate, SuccessiveAllocator } from "./allocate-successive.ts";
import { type Delivered, deliveredGaps } from "./delivered.ts";
import { finishReason } from "./finish-reason.ts";
import { fitSeeds } from "./fit-seeds.ts";
import { normaliseReply } from "./normalise-reply.ts";
import { pinnedTasks } from "./pinned-tasks.ts";
import { formatClock, formatProgress, timeLeft } from "./progress.ts";
import { rolloutsRequested } from "./rollouts-requested.ts";
import { resolveTopology } from "./topology.ts";
import { unusableReason } from "./unusable-reason.ts";

test.each([
  [{ final_text: "<Agent Error: TimeoutError: timed out>", steps: [] }, "agent_error"],
  [{ final_text: "  ", steps: [{ tool: "x", arguments: {}, result: {} }] }, "empty_reply"],
  [{ final_text: "Done.", steps: [{ text: "<tool_call>{}" }] }, "tool_markup"],
  [{ final_text: 'I can call {"name": "get", "description": "d", "parameters": {}}', steps: [] }, "tool_markup"],
  [{ final_text: "Done.", steps: [] }, null],
])("unusableReason(%j) is %s", (row, reason) => {
  expect(unusableReason(row)).toBe(reason);
});

test.each([
  ["length", [], "Done.", "length"],
  ["made up", [], "Done.", "stop"],
  [undefined, [], "<agent error: x>", "error"],
  [undefined, [{ truncated: true }], "It is", "length"],
  [undefined, [{ tool: "x" }], " ", "tool"],
  [undefined, [{ tool: "x" }, { text: "y" }], "", "stop"],
])("finishReason(%j, %j, %j) is %s", (said, steps, text, reason) => {
  expect(finishReason(said, steps, text)).toBe(reason);
});

test("normaliseReply never throws, and always has steps and a text", () => {
  fc.assert(
    fc.property(fc.anything(), (raw) => {
      const { steps, final_text } = normaliseReply(raw);
      expect([Array.isArray(steps), typeof final_text]).toEqual([true, "string"]);
    }),
  );
});

test("the camelCase spellings are read", () => {
  expect(normaliseReply({ finalText: "a", finishReason: "stop", endedBy: "cap" })).toEqual({
    steps: [],
    final_text: "a",
    finish_reason: "stop",
    ended_by: "cap",
  });
});

test.each([
  [{}, { mode: "explore", n: 1, k: 1, policy: "none" }],
  [{ mode: "sft" }, { mode: "sft", n: 3, k: 4, policy: "fixed" }],
  [
    { mode: "sft", repeats: 10 },
    { mode: "sft", n: 3, k: 10, policy: "fixed" },
  ],
  [{ mode: "rl" }, { mode: "rl", n: 1, k: 8, policy: "successive" }],
  [
    { mode: "rl", repeats: 4, repeatPolicy: "fixed" },
    { mode: "rl", n: 1, k: 4, policy: "fixed" },
  ],
  [{ repeats: 4 }, { mode: "explore", n: 1, k: 4, policy: "none" }],
])("resolveTopology(%j)", (options, topology) => {
  expect(resolveTopology(options)).toEqual(topology);
});

test.each([
  [5, 4, 13, 3, 2, 20],
  [2, 8, 4, 1, 1, 16],
  [5, 4, 20, 5, 0, 20],
])("of %i seeds, %i rollouts each, a budget of %i covers %i", (n, repeats, budget, covered, dropped, needed) => {
  const seeds = Array.from({ length: n }, (_, i) => `s${i}`);
  const fitted = fitSeeds(seeds, { repeats, budget });
  expect([fitted.covered, fitted.dropped.length, fitted.needed]).toEqual([covered, dropped, needed]);
});

test.each([
  [{ pinned: 34, k: 4, budget: null }, 136],
  [{ situations: 20, n: 3, k: 4, budget: 1000 }, 240],
  [{ situations: 20, n: 3, k: 4, budget: 100 }, 100],
  [{ budget: 64 }, 64],
  [{ budget: null }, null],
])("rolloutsRequested(%j) is %j", (input, n) => {
  expect(rolloutsRequested(input)).toBe(n);
});

describe("pinnedTasks", () => {
  test("restores what a task is from its rows", () => {
    const { tasks, baseK } = pinnedTasks([
      {
        ...{ prompt: "A", scenario_id: "sc-1", arm: "structured", writer_model: "m", texture: "lowercase" },
        scenario_dimensions: { tool: "x", stance: "retry", world_state: "entity missing" },
        faults: { x: { mode: "timeout", rate: 1 }, note: "t" },
      },
      { prompt: "A ", scenario_id: "sc-1" },
      { prompt: "B", task_id: "t9", world_state: "unspecified" },
      { prompt: "" },
    ]);
    expect(baseK).toBe(2);
    expect(tasks).toMatchObject([
      {
        ...{ prompt: "A", scenarioId: "sc-1", arm: "structured", writerModel: "m", worldState: "entity missing" },
        ...{ faults: { x: { mode: "timeout", rate: 1 } }, tags: { stance: "retry", texture: "lowercase" } },
      },
      { prompt: "B", scenarioId: "t9", arm: "pinned", writerModel: null, faults: null, worldState: null },
    ]);
  });

  test("one prompt in two scenarios is two tasks, and k is counted within a run", () => {
    const row = (scenario_id: string, eval_run: number) => ({ prompt: "A", scenario_id, lineage: { eval_run } });
    const { tasks, baseK } = pinnedTasks([row("a", 0), row("b", 0), row("a", 1), row("a", 1)]);
    expect([tasks.length, baseK]).toEqual([2, 2]);
  });
});

test.each([
  [45, "45s"],
  [100, "1m40s"],
  [120, "2m"],
  [3600, "1h"],
  [3840, "1h4m"],
])("formatClock(%i) is %s", (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});

test("the time left is told from five rows on", () => {
  expect(timeLeft({ rows: 12, cap: 64, elapsed: 100 })).toBe("7m");
  expect(timeLeft({ rows: 4, cap: 64, elapsed: 100 })).toBeNull();
  const progress = { rows: 12, cap: 64, situations: 3, elapsedMs: 100_000, rerolled: 2, resumed: 0, inFlight: 4 };
  expect(formatProgress({ ...progress, lost: 1, lostBy: { timeout: 1 } })).toBe(
    "12/64 rows, 3 tasks, 1m40s, about 7m left, 2 tried again, 1 lost (timeout 1)",
  );
});

test.each([
  [{ faultShare: 0.5 }, { faultShare: 0.29 }, ["faultShare"]],
  [{ faultShare: 0.5 }, { faultShare: 0.35 }, []],
  [{ faultShare: 0 }, { faultShare: 0.0675 }, ["faultShare"]],
  [{ hardShare: 0.5 }, { rows: 40, hardShare: 0.375 }, ["hardShare"]],
  [{ hardShare: 0.5 }, { rows: 10, hardShare: 0.375 }, []],
  [{ stances: ["adversarial"] }, { rows: 10, stanceMix: { adversarial: 4, ordinary: 6 } }, ["stance"]],
  [{}, { faultShare: 0 }, []],
])("asked %j, delivered %j: short of %j", (asked, delivered, gaps) => {
  const none = { rows: 0, faultShare: null, hardShare: null, tierMix: {}, stanceMix: {}, meanUserTurns: null };
  expect(deliveredGaps(asked, { ...none, ...delivered } as Delivered)).toEqual(gaps);
});

describe("successive allocation", () => {
  test.each([
    [2, 0, 0, 0.25],
    [2, 9, 1, 0.125],
  ])("hazard(%i) after %i continued and %i split is %d", (n, seen, split, p) => {
    expect(hazard(n, { seen, split })).toBe(p);
  });

  test("mixedRate of 3 in 10 is a third", () => expect(mixedRate({ mixed: 3, probed: 10 })).toBeCloseTo(0.333333, 6));

  test.each([
    [{ seen: 0, split: 0, fresh: true }, true],
    [{ seen: 9, split: 1, fresh: true }, false],
    [{ seen: 9, split: 1, fresh: false }, true],
  ])("a group of two that agree, %j: goes on %s", (input, goesOn) => {
    expect(continues({ n: 2, mixed: 3, probed: 10, probe: 2, ...input })).toBe(goesOn);
  });

  /** Plays an allocator against tasks of known pass rates, landing each wave in a shuffled order. */
  function play(rates: readonly number[], { k = 8, probe = 2, budget = 1e9, shuffle = 0 } = {}) {
    const allocator = new SuccessiveAllocator({ nTasks: rates.length, k, probe, budget });
    const all: AllocatedRollout[] = [];
    let landings: Landing[] = [];
    for (let wave = allocator.next([]); wave !== null; wave = allocator.next(landings)) {
      all.push(...wave);
      landings = wave.map((key) => ({ key, label: passes(key, rates[key.task]!) }));
      if (shuffle > 0)
        landings.sort(
          (a, b) =>
            ((a.key.task * 7 + a.key.rolloutIndex * shuffle) % 5) -
            ((b.key.task * 7 + b.key.rolloutIndex * shuffle) % 5),
        );
    }
    return { all, counts: allocator.counts() };
  }
  const passes = ({ task, rolloutIndex }: AllocatedRollout, rate: number) =>
    ((task * 977 + rolloutIndex * 613) % 1000) / 1000 < rate ? 1 : 0;

  test("groups that disagree are filled, and no rollout is given twice or above k", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 2, max: 200 }),
        (rates, budget) => {
          const { all, counts } = play(rates, { budget });
          const keys = all.map(({ task, rolloutIndex }) => `${task}#${rolloutIndex}`);
          expect(new Set(keys).size).toBe(keys.length);
          expect(all.length).toBeLessThanOrEqual(budget);
          expect(all.every(({ rolloutIndex }) => rolloutIndex < 8)).toBe(true);
          expect(all.every(({ rolloutIndex, allocation }) => rolloutIndex < 2 === (allocation === "probe"))).toBe(true);
          expect(counts.groups).toBeLessThanOrEqual(rates.length);
        },
      ),
    );
  });

  test("rollouts are saved on tasks that always or never pass", () => {
    const rates = Array.from({ length: 40 }, (_, i) => (i % 4 === 0 ? 0.5 : i % 2));
    const { counts } = play(rates, { budget: 160 });
    expect(counts.stoppedUnanimous).toBeGreaterThan(0);
    expect(counts.rolloutsSaved).toBeGreaterThan(50);
    expect(counts.groups).toBeGreaterThan(160 / 8);
  });

  test("the order in which rollouts land decides nothing", () => {
    const rates = [0.5, 1, 0, 0.3, 0.9, 1, 0, 0.5];
    const { all } = play(rates, { budget: 40 });
    for (const shuffle of [1, 2, 3]) expect(play(rates, { budget: 40, shuffle }).all).toEqual(all);
  });

  // Closed form: p² + 2p(1−p)(1 + (k−2)p)/k at k = 8, where what agrees is stopped.
  test.each([
    [0.1, 0.046],
    [0.2, 0.128],
    [0.3, 0.237],
    [0.5, 0.5],
    [0.7, 0.763],
    [0.9, 0.954],
  ])(
    "a task that passes at %d reads %d over all of its rollouts (successive-bias.test.ts measures it)",
    (p, biased) => {
      const k = 8;
      expect(p ** 2 + (2 * p * (1 - p) * (1 + (k - 2) * p)) / k).toBeCloseTo(biased, 3);
    },
  );
});

test("a fixed allocation gives every task k in every run, and stops at the budget of each", () => {
  const keys = [...allocateFixed({ nTasks: 2, k: 2, runs: 2, budget: 3 }).next([])!];
  expect(keys.map(({ evalRun, task, rolloutIndex }) => [evalRun, task, rolloutIndex])).toEqual([
    [0, 0, 0],
    [0, 0, 1],
    [0, 1, 0],
    [1, 0, 0],
    [1, 0, 1],
    [1, 1, 0],
  ]);
});
