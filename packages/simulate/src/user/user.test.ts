import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Model } from "../agent/model.ts";
import { patienceOf, walksAway, wantsFollowUp } from "./follow-up.ts";
import { SimulatedUser } from "./simulated-user.ts";
import { defaultMaxTurns, turnBudget } from "./turn-budget.ts";
import { englishLineGate } from "./user-line-gate.ts";

const ASK = "Where is order 4473?";

// Budgets, odds and draws are those of the Python SDK.
test.each([
  [4096, 0, 16],
  [4096, 3, 14],
  [4096, 24, 8],
  [8192, 3, 40],
  [131072, 10, 120],
])("defaultMaxTurns(%i, %i) is %i", (context, nTools, turns) => {
  expect(defaultMaxTurns(context, nTools)).toBe(turns);
});

test.each([
  [ASK, 12, undefined, 6],
  [ASK, 12, 9, 12],
  [ASK, 3, undefined, 4],
  ["Cancel order A1001 now.", 12, undefined, 14],
  ["Cancel order A1001 now.", 12, 9, 16],
  ["I want a refund.", 12, undefined, 12],
  ["I want a refund.", 3, undefined, 2],
  ["I want a refund.", 1, undefined, 1],
])("the budget of %j at %i turns, mean %s, is %i", (key, avgTurns, runningMean, turns) => {
  const mean = runningMean === undefined ? {} : { runningMean };
  expect(turnBudget({ key, cap: 16, avgTurns, ...mean })).toBe(turns);
});

test("a budget is even, and between 2 and the cap", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 40 }), fc.integer({ min: 2, max: 30 }), (key, cap, avgTurns) => {
      const turns = turnBudget({ key, cap, avgTurns });
      expect(turns).toBeGreaterThanOrEqual(2);
      expect(turns).toBeLessThanOrEqual(cap);
      expect(turns % 2).toBe(0);
    }),
  );
});

test.each([
  [2, 0, "short", false],
  [2, 1, "short", false],
  [4, 2, "short", true],
  [4, 2, "normal", false],
  [6, 1, "normal", true],
  [6, 1, "endless", false],
])("at turn %i, after %i questions, patience %s: leaves %s", (turn, questions, level, leaves) => {
  expect(walksAway({ message: ASK, turn, questions, patience: patienceOf(level) })).toBe(leaves);
});

test.each([
  [1, 12, 1, "It shipped.", true],
  [3, 12, 2, "It shipped.", true],
  [3, 4, 1, "It shipped.", false],
  [1, 2, 1, "It shipped.", false],
  [9, 2, 1, "I cannot do that.", true],
  [1, 4, 2, "Which one?", false],
])(
  "at turn %i of %i, after %i turns of their own and %j: goes on %s",
  (turn, budget, userTurns, agentText, expected) => {
    const input = { message: ASK, turn, budget, userTurns, agentText, questions: 0, patience: patienceOf("normal") };
    expect(wantsFollowUp(input)).toBe(expected);
  },
);

test.each([["hasty"], [{ second: 2, later: 0 }], [{ second: 0.5 }]])("patience %j is refused", (given) => {
  expect(() => patienceOf(given as never)).toThrow("patience is");
});

test.each([
  // line, agent, said, kept
  ["yes", "Shall I cancel it?", [], true],
  ["yes", "It is cancelled.", [], false],
  ["ok", "It is cancelled.", [], false],
  ["Thanks a lot, thank you!", "Done.", [], false],
  ["Order A1001.", "Which order?", [], true],
  ["A1001", "Which order?", [], true],
  ["hmm", "Which order?", [], false],
  ["So the parcel left your warehouse on Monday", "The parcel left our warehouse on Monday.", [], false],
  ["It was the blue one from last week.", "Which one?", ["It was the blue one from last week!"], false],
  ['{"name": "cancel", "arguments": {}}', "Which one?", [], false],
  ["And when will it be here?", "It has left.", [], true],
])("the line %j after %j is kept: %s", (line, agentText, said, kept) => {
  expect(englishLineGate(line, { agentText, said: said as string[] }) === null).toBe(kept);
});

describe("SimulatedUser", () => {
  const saying = (...lines: string[]): Model & { seen: string[] } => {
    const seen: string[] = [];
    const model = async ({ messages }: { messages: readonly { content: string }[] }) => {
      seen.push(messages.at(-1)!.content);
      return { text: lines.shift() ?? "", inputTokens: 3, outputTokens: 2 };
    };
    return Object.assign(model, { modelName: "person", seen });
  };
  const scene = { ask: ASK, steps: [], agentText: "Which order?", tags: {}, isAsked: true };

  test("tries once more when a question is open and the first line is no answer", async () => {
    const model = saying("ok", "Order 4473, the lamp.");
    expect(await new SimulatedUser({ model }).next(scene)).toEqual({ line: "Order 4473, the lamp." });
    expect(model.seen[1]).toContain("not used (a rubber stamp)");
  });

  test("misses when nothing usable comes, and leaves by its mark", async () => {
    expect(await new SimulatedUser({ model: saying("ok") }).next({ ...scene, isAsked: false })).toEqual({
      ended: "missed",
    });
    expect(await new SimulatedUser({ model: saying("<leaves>") }).next(scene)).toEqual({ ended: "left" });
  });

  test("reasoning is not spoken, and what was used is metered", async () => {
    const uses: unknown[] = [];
    const user = new SimulatedUser({ model: saying("<think>which?</think>Order 4473, the lamp.") });
    const next = await user.next({ ...scene, meter: (use) => uses.push(use) });
    expect(next).toEqual({ line: "Order 4473, the lamp." });
    expect(uses).toEqual([{ role: "user", model: "person", inputTokens: 3, outputTokens: 2 }]);
  });

  test("answers a tool as its stance has it", async () => {
    const model = saying("No idea which.");
    expect(await new SimulatedUser({ model }).answer("Which one?", { ...scene, tags: { stance: "unsure" } })).toBe(
      "No idea which.",
    );
    expect(model.seen[0]).toContain("Say what you do not know.");
  });
});
