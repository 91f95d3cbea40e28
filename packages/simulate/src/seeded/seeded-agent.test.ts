import { leakReport, type Row } from "@while/schema";
import { describe, expect, test } from "vitest";
import { simulate } from "../engine/simulate.ts";
import { MISBEHAVIOURS } from "./misbehaviours.ts";
import { seededAgent } from "./seeded-agent.ts";

const ID = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const TOOLS = ["get_order", "refund_order", "cancel_order"].map((name) => ({
  name,
  description: "of A1001 to A1004",
  parameters: ID,
}));
const run = (options = {}, agent = {}) =>
  simulate(seededAgent(agent), { tools: TOOLS, budget: 200, faultShare: 0.4, ...options });
const seededOf = (row: Row) => row.seeded as string[];

test("an honest one makes no mistake, and its rows say so", async () => {
  const { rows } = await run({}, { rate: 0 });
  expect(rows.every((row) => seededOf(row).length === 0)).toBe(true);
});

test("at a rate of 0.35 about a third of its rollouts go wrong, in every way there is", async () => {
  const { rows } = await run({ budget: 400, repeats: 2 });
  const bad = rows.filter((row) => seededOf(row).length > 0);
  expect(bad.length / rows.length).toBeGreaterThan(0.25);
  expect(bad.length / rows.length).toBeLessThan(0.36);
  expect(new Set(bad.flatMap(seededOf))).toEqual(new Set(MISBEHAVIOURS.map(({ name }) => name)));
});

test("what it leaks is the teacher's, and only where it says so", async () => {
  const { trajectories, rows } = await run({}, { rate: 1, behaviors: ["leak"] });
  expect(leakReport(trajectories).nLeaked).toBe(trajectories.length);
  // A file does not hold the block: from rows alone no leak can be seen.
  expect(leakReport(rows).checked).toBe(false);
});

describe("a way to go wrong", () => {
  test.each<[string, (row: Row) => boolean]>([
    ["apology", ({ final_text }) => final_text!.includes("I apologize")],
    ["truncate", ({ finish_reason }) => finish_reason === "length"],
    ["repeat_call", ({ steps }) => steps!.length === 3],
    ["invent_argument", ({ steps }) => JSON.stringify(steps![0]!.arguments).includes("QX-")],
    ["ignore_fault", ({ final_text, faults }) => final_text!.includes("successfully") || faults !== undefined],
  ])("%s shows on every row that names it", async (name, shows) => {
    const { rows } = await run({}, { rate: 1, behaviors: [name] });
    const named = rows.filter((row) => seededOf(row).includes(name));
    expect(named.length).toBeGreaterThan(0);
    expect(named.every(shows)).toBe(true);
  });
});

test("another run over the same tasks goes wrong elsewhere", async () => {
  const { rows } = await run({ budget: 40, runs: 2 });
  const [first, second] = [0, 1].map((n) => rows.filter(({ lineage }) => lineage?.eval_run === n).map(seededOf));
  expect(second).toHaveLength(first!.length);
  expect(second).not.toEqual(first);
});

test.each([
  [{ rate: 35 }, "rate is 35"],
  [{ behaviors: ["lies"] }, 'behaviors is ["lies"]'],
  [{ behaviors: [] }, "behaviors is []"],
  [{ rates: 1 }, "Did you mean rate?"],
])("%j is refused", (options, what) => {
  expect(() => seededAgent(options as never)).toThrow(what);
});
