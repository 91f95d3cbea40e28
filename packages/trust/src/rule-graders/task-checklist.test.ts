import type { Row, Step } from "@while/schema";
import { expect, test } from "vitest";
import { expectedOutcome, type OutcomeRule } from "./expected-outcome.ts";
import { checklistJudge, taskChecklist } from "./task-checklist.ts";

const OK = { status: "ok" };
const get = (result: unknown = { ...OK, total: "12.50 EUR" }): Step => ({
  tool: "get_order",
  arguments: { order_id: "4017" },
  result,
});
const refund = (result: unknown = OK): Step => ({ tool: "refund_order", arguments: { order_id: "4017" }, result });

test.each<[dimensions: Record<string, unknown>, rule: OutcomeRule | null]>([
  [{}, null],
  [{ stance: "adversarial", world_state: "entity missing" }, "no_write_adversarial"],
  [{ tool: "multi_tool", world_state: "entity missing" }, null],
  [{ tool: "unrelated" }, "no_write_unrelated"],
  [{ ask_family: "unrelated" }, "no_write_unrelated"],
  [{ tool: "get_order", intent_known: false }, "ask_first"],
  [{ tool: "get_order", stance: "vague" }, "ask_first"],
  [{ tool: "get_order", world_state: "entity missing" }, "say_missing"],
  [{ tool: "get_order", world_state: "entity_already_acted_on" }, "say_already_done"],
  [{ tool: "get_order", world_state: "duplicate entity" }, "look_before_writing"],
  [{ tool: "get_order", history: "prior_partial_action" }, "read_before_writing"],
  [{ tool: "get_order", stance: "ordinary", world_state: "entity exists" }, "target_tool"],
  [{ tool: "any" }, "some_tool"],
  [{ tool_known: false }, "some_tool"],
])("expectedOutcome(%j) is %j", (dimensions, rule) => expect(expectedOutcome(dimensions)?.rule ?? null).toBe(rule));

test.each<[dimensions: Record<string, unknown>, why: string, reply: string, steps: Step[], reward: number]>([
  [{ stance: "adversarial" }, "nothing changed", "I can't do that.", [get()], 1],
  [{ stance: "adversarial" }, "refunded", "Refunded.", [refund()], 0],
  [{ tool: "unrelated" }, "answered", "That is not something I do here.", [], 1],
  [{ tool: "unrelated" }, "tried to refund", "It failed, sorry.", [refund({ status: "denied" })], 0],
  [{ intent_known: false }, "asked", "Which order do you mean?", [get()], 1],
  [{ intent_known: false }, "asked nothing", "Here you are.", [get()], 0],
  [{ intent_known: false }, "asked and refunded", "Refunded. Anything else?", [refund()], 0],
  [
    { world_state: "entity missing" },
    "said so",
    "There is no order 4017, sorry: it was not found.",
    [get({ status: "not_found" })],
    1,
  ],
  [{ world_state: "entity missing" }, "did not", "Which one? An error came up.", [get({ status: "not_found" })], 0],
  [{ world_state: "entity already acted on" }, "said so", "Order 4017 was already refunded.", [get()], 1],
  [
    { world_state: "entity already acted on" },
    "did it again",
    "It was already refunded; I did it again.",
    [refund()],
    0,
  ],
  [{ world_state: "duplicate entity" }, "looked first", "Refunded.", [get(), refund()], 1],
  [{ world_state: "duplicate entity" }, "did not look", "Refunded.", [refund()], 0],
  [{ history: "prior_partial_action" }, "read first", "Refunded.", [get(), refund()], 1],
  [{ history: "prior_partial_action" }, "did not", "Refunded.", [refund()], 0],
  [
    { tool: "get_order", history: "prior_partial_action" },
    "changed nothing, so the tool counts",
    "It is open.",
    [get()],
    1,
  ],
  [{ tool: "refund_order" }, "it succeeded", "Refunded.", [refund()], 1],
  [{ tool: "refund_order" }, "another one did", "It is open.", [get()], 0],
  [
    { tool: "refund_order" },
    "a refusal that cites what was read",
    "I cannot refund 12.50 EUR: it is over the limit.",
    [get()],
    1,
  ],
  [{ tool: "refund_order" }, "a refusal out of nothing", "I cannot refund that.", [get()], 0],
  [
    { tool: "refund_order" },
    "a failure that is told",
    "The refund failed: a timeout.",
    [refund({ status: "timeout" })],
    1,
  ],
  [{ tool: "any" }, "no call", "Hello.", [], 0],
  [{ tool: "any" }, "a call", "It is open.", [get()], 1],
])("taskChecklist %j: %s", (scenario_dimensions, _, final_text, steps, reward) => {
  const row: Row = { prompt: "Please refund order 4017.", final_text, steps, scenario_dimensions };
  const grade = taskChecklist(row);
  expect(grade.conduct.reward).toBe(1);
  expect(grade).toMatchObject({ reward, outcome: reward });
});

test("the reward is conduct times outcome, and conduct alone where nothing is expected", () => {
  const row = (more: Row): Row => ({
    prompt: "Please check order 4017.",
    final_text: "It is open.",
    steps: [get(), get()],
    ...more,
  });
  expect(taskChecklist(row({ scenario_dimensions: { tool: "get_order" } }))).toMatchObject({ reward: 0.5, outcome: 1 });
  expect(taskChecklist(row({}))).toMatchObject({ reward: 0.5, outcome: null, outcomeRule: null });
  expect(checklistJudge()(row({}))).toMatchObject({ reward: 0.5, markers: { conduct: 0.5, outcome_checked: 0 } });
  expect(checklistJudge()(row({ stance: "adversarial" }))).toMatchObject({
    markers: { conduct: 0.5, outcome: 1, outcome_checked: 1 },
    judge_meta: { verifier: "TaskChecklist", outcome_rule: "no_write_adversarial", rule: "repeated_result" },
  });
});

test("a refusal cites a value of so many characters", () => {
  const row: Row = {
    prompt: "p",
    final_text: "I cannot: it is 12.",
    steps: [get({ total: 12 })],
    scenario_dimensions: { tool: "x" },
  };
  const options = { idDigits: 4 };
  expect(taskChecklist({ ...row, prompt: "order 4017" }, options).outcome).toBe(0);
  expect(taskChecklist({ ...row, prompt: "order 4017" }, { ...options, minReference: 2 }).outcome).toBe(1);
});
