import type { Row } from "@while/schema";
import { passAt } from "@while/stats";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { adaptiveMix, slotCounts } from "./adaptive-mix.ts";
import { AdaptiveAllocator } from "./allocate-adaptive.ts";
import { simulate } from "./simulate.ts";
import { resolveTopology } from "./topology.ts";
import { wentWrong } from "./went-wrong.ts";

describe("what the next rollouts are for", () => {
  // Of the specification: without a clock, with a minute, and with ten seconds of it left.
  test.each([
    [null, { explore: 0.8, expand: 0.11, verify: 0.09 }, { explore: 26, expand: 3, verify: 3 }],
    [60, { explore: 0.4364, expand: 0.31, verify: 0.2536 }, { explore: 14, expand: 10, verify: 8 }],
    [10, { explore: 0.3, expand: 0.385, verify: 0.315 }, null],
  ])("%j seconds left", (seconds, shares, slots) => {
    const mix = adaptiveMix(seconds);
    for (const [name, share] of Object.entries(shares)) expect(mix[name as "explore"]).toBeCloseTo(share, 4);
    if (slots !== null) expect(slotCounts(32, mix)).toEqual(slots);
  });

  test.each([0, 1, 2, 3, 31])("%i slots are all handed out, and with two or more each side has one", (take) => {
    const { explore, expand, verify } = slotCounts(take, adaptiveMix(null));
    expect(explore + expand + verify).toBe(take);
    if (take >= 2) expect([explore >= 1, expand + verify >= 1]).toEqual([true, true]);
  });

  test("of two that are not explored, one is the same words again, however small its share", () => {
    expect(slotCounts(4, { explore: 0.5, expand: 0.45, verify: 0.05 })).toEqual({ explore: 2, expand: 1, verify: 1 });
  });

  test.each([
    [{}, { n: 3, k: 3, policy: "adaptive" }],
    [{ timeBudgetMs: 89_000 }, { n: 3, k: 2, policy: "adaptive" }],
    [
      { timeBudgetMs: 89_000, repeats: 5 },
      { n: 3, k: 5, policy: "adaptive" },
    ],
  ])("mode adaptive with %j", (options, expected) => {
    expect(resolveTopology({ mode: "adaptive", ...options })).toMatchObject(expected);
  });
});

test.each<[string, Row, boolean]>([
  ["a clean row", { reward: 1, steps: [{ tool: "a", result: { status: "ok" } }] }, false],
  ["no verdict", {}, false],
  ["a planned fault", { faults: { a: { mode: "timeout", rate: 1 } } }, true],
  ["a fault that was met", { steps: [{ tool: "a", result: { status: "timeout" } }] }, true],
  ["a failing verdict", { reward: 0.4 }, true],
  ["a failed criterion", { reward: 1, markers: { polite: 0 } }, true],
])("something to look at again: %s", (_what, row, expected) => {
  expect(wentWrong(row)).toBe(expected);
});

describe("AdaptiveAllocator", () => {
  const allocator = (budget: number, nSituations = 200) =>
    new AdaptiveAllocator({
      scenarioIds: Array.from({ length: nSituations * 3 }, (_, task) => `s${Math.floor(task / 3)}`),
      ...{ n: 3, k: 3, budget, secondsLeft: () => null },
    });

  test("opens situations, and comes back to those that went wrong in other words and in the same", () => {
    const own = allocator(64);
    const first = own.next([])!;
    expect(first).toHaveLength(32);
    expect(first.every(({ task, allocation }) => task % 3 === 0 && allocation === "probe")).toBe(true);
    const second = own.next(first.map((key) => ({ key, label: 0, wentWrong: key.task === 6 || key.task === 3 })))!;
    const again = second.filter(({ allocation }) => allocation === "continued");
    expect(again.map(({ task, rolloutIndex }) => [task, rolloutIndex])).toEqual([
      [3, 1],
      [3, 2],
      [6, 1],
      [4, 0],
      [5, 0],
      [7, 0],
    ]);
    expect(own.next([])).toBeNull();
    expect(own.counts()).toEqual({ explore: 58, expand: 3, verify: 3 });
  });

  test("the order in which rollouts land decides nothing, and no rollout is handed out twice", () => {
    const play = (turn: (landings: unknown[]) => unknown[]) => {
      const own = allocator(300);
      const all: string[] = [];
      let landings: Parameters<typeof own.next>[0] = [];
      for (let wave = own.next(landings); wave !== null; wave = own.next(landings)) {
        all.push(...wave.map(({ task, rolloutIndex }) => `${task}.${rolloutIndex}`));
        landings = turn(wave.map((key) => ({ key, label: 1, wentWrong: key.task % 5 === 0 }))) as typeof landings;
      }
      return all;
    };
    const straight = play((landings) => landings);
    expect(play((landings) => [...landings].reverse())).toEqual(straight);
    expect(new Set(straight).size).toBe(300);
  });

  test("with everything tried it goes on to words that were not, and then ends", () => {
    const own = allocator(1000, 4);
    const first = own.next([])!;
    expect(first.map(({ task }) => task).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(own.next(first.map((key) => ({ key, label: 1 })))).toBeNull();
  });
});

describe("simulate in mode adaptive", () => {
  const parameters = { type: "object", properties: { order_id: { type: "string" } } };
  const tools = ["get_order", "refund_order", "cancel_order"].map((name) => ({ name, parameters }));
  const agent: Agent = (message) => (message.length % 7 === 0 ? "no" : "yes");
  const options = {
    ...{ mode: "adaptive", tools, budget: 120, modelVersion: "m" },
    grader: ({ final_text }: Row) => (final_text === "yes" ? 1 : 0),
  };

  test("comes back to what went wrong, says so on its rows, and leaves that out of pass@1", async () => {
    const { rows, report, passAt: own } = await simulate(agent, options);
    expect(rows).toHaveLength(120);
    const { explore, expand, verify } = report.allocator!;
    expect(explore + expand + verify).toBe(120);
    expect([expand > 0, verify > 0]).toEqual([true, true]);
    const probes = rows.filter(({ lineage }) => lineage?.allocation === "probe");
    expect(probes).toHaveLength(explore);
    expect(own).toEqual(passAt(probes));
    const wrong = new Set(rows.filter(wentWrong).map(({ scenario_id }) => scenario_id));
    for (const { lineage, scenario_id } of rows) {
      if (lineage?.allocation === "continued") expect(wrong.has(scenario_id)).toBe(true);
    }
  });

  test("the rows are the same at any concurrency", async () => {
    const [one, many] = [await simulate(agent, { ...options, concurrency: 1 }), await simulate(agent, options)];
    expect(many.rows).toEqual(one.rows);
  });

  test.each<[string, object, string]>([
    [
      "pinned tasks",
      { tools: [], tasks: [{ prompt: "A" }], mode: "explore", repeatPolicy: "adaptive" },
      "all are run alike",
    ],
    ["runs that are compared", { repeatPolicy: "adaptive", runs: 2 }, "one after another"],
  ])("%s are refused", async (_what, more, said) => {
    const { budget: _, ...rest } = options;
    await expect(simulate(agent, { ...rest, ...more })).rejects.toThrow(said);
  });
});
