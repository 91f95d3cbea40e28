import { sha256Hex } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Agent } from "../agent/agent.ts";
import { buildDimensions } from "../grid/build-dimensions.ts";
import { buildGrid } from "../grid/grid.ts";
import { SimulateError } from "../simulate-error.ts";
import type { Writer } from "../writers/writer.ts";
import { planRun, type RunPlan } from "./plan-run.ts";
import { runSetup } from "./run-setup.ts";
import type { SimulateOptions } from "./simulate-options.ts";

const agent: Agent = (message) => message;
const byId = {
  type: "object",
  properties: { order_id: { type: "string", description: "such as A1001" } },
  required: ["order_id"],
};
const TOOLS = ["get_order", "refund_order", "send_mail"].map((name) => ({ name, parameters: byId }));
const RULES = "You work at a desk. Verify the order id first.\n\n- Refund within thirty days; never twice in a row.";
const plan = (options: SimulateOptions = {}): Promise<RunPlan> =>
  planRun(runSetup(agent, { tools: TOOLS, systemPrompt: RULES, ...options }));

/** Written down once: a plan that moves is another eval under the same name. */
test.each<[SimulateOptions, number, string]>([
  [{ budget: 60 }, 60, "ae5c8684bcb2e00e"],
  [{ mode: "sft", situations: 12, seed: 7, faultShare: 0.5, hardShare: 0.8 }, 36, "f4bfd144dad17aa6"],
  [{ mode: "rl", budget: 64 }, 16, "03e89c34d823126f"],
  [{ budget: 40, faultRate: 0.5 }, 40, "3464b540a2f6293e"],
])("the plan of %j is the same on every machine: %i tasks", async (options, nTasks, digest) => {
  const { tasks } = await plan(options);
  expect([tasks.length, sha256Hex(JSON.stringify(tasks)).slice(0, 16)]).toEqual([nTasks, digest]);
});

describe("situations", () => {
  test("a cell's fault and world are those that the task meets", async () => {
    const { tasks } = await plan({ budget: 80, faultShare: 0.5 });
    for (const { assignment, faults, worldState, tags, scenarioId } of tasks) {
      expect(faults === null).toBe(assignment!.tool_condition === "success");
      if (worldState !== null) expect(worldState).toBe(assignment!.world_state);
      expect(tags.stance).toBe(assignment!.stance);
      expect(scenarioId).toMatch(/^sc-/);
    }
  });

  test("another model or another seed keeps the ids; another seed draws others first", async () => {
    const ids = ({ tasks }: RunPlan) => tasks.map(({ scenarioId }) => scenarioId);
    const all = new Set(ids(await plan({ budget: 500 })));
    expect(ids(await plan({ budget: 20 }))).toEqual(ids(await plan({ budget: 20, modelVersion: "other" })));
    const other = ids(await plan({ budget: 20, seed: 3 }));
    expect(other).not.toEqual(ids(await plan({ budget: 20 })));
    expect(other.filter((id) => !all.has(id)).length).toBeLessThan(other.length / 2);
  });

  test("a grid that is kept is drawn from as it is", async () => {
    const grid = buildGrid(buildDimensions(TOOLS, RULES).dimensions);
    expect((await plan({ grid, budget: 30 })).tasks).toEqual((await plan({ budget: 30 })).tasks);
  });

  test("no two tasks have the same words", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.nat(9),
        fc.constantFrom("explore", "sft"),
        async (budget, seed, mode) => {
          const { tasks } = await plan({ budget, seed, mode });
          expect(new Set(tasks.map(({ prompt }) => prompt)).size).toBe(tasks.length);
        },
      ),
      { numRuns: 15 },
    );
  });

  test("more than the grid has are further wordings, and that is said", async () => {
    const { warnings, tasks, cells } = await plan({ budget: 300 });
    expect(warnings[0]).toMatch(/^The grid has \d+ situations and 300 were wanted/);
    expect(tasks.length).toBeGreaterThan(cells.length);
  });
});

describe("seeds", () => {
  test("are the tasks, unless situations are asked for beside them", async () => {
    expect((await plan({ seeds: ["A", "B"] })).tasks.map(({ prompt }) => prompt)).toEqual(["A", "B"]);
    const { tasks } = await plan({ seeds: ["A", "B"], situations: 6 });
    expect([tasks.length, tasks[0]!.selectionReason, tasks[5]!.selectionReason]).toEqual([6, "seed", "grid"]);
  });

  test("that the budget does not reach are dropped, with the budget that would", async () => {
    const { seedsDropped, warnings } = await plan({ seeds: ["A", "B", "C"], repeats: 4, budget: 9 });
    expect([seedsDropped, warnings]).toEqual([
      ["C"],
      ["A budget of 9 runs 2 of 3 seeds at 4 rollouts each; all of them take budget 12."],
    ]);
  });
});

describe("a writer", () => {
  test("of one's own words the cards, and its name is on the tasks", async () => {
    const writer: Writer = {
      name: "mine",
      write: async (cards) => ({
        written: cards.map((card, n) => ({ card, prompt: `Ask ${n}`, tags: { tone: "dry" } })),
        warnings: [],
      }),
    };
    const { tasks } = await plan({ budget: 3, writer });
    expect(tasks.map(({ prompt, writerModel, tags }) => [prompt, writerModel, tags.tone])).toEqual(
      [0, 1, 2].map((n) => [`Ask ${n}`, "mine", "dry"]),
    );
  });

  test("that writes nothing ends the run before it began", async () => {
    const writer: Writer = { name: "mute", write: async () => ({ written: [], warnings: ["mute is out of ink."] }) };
    await expect(plan({ writer })).rejects.toEqual(
      new SimulateError("writer_failed", "mute wrote none of 1000 prompts.", "mute is out of ink."),
    );
  });
});
