import { describe, expect, test } from "vitest";
import { SimulateError } from "../simulate-error.ts";
import { RolloutWorld, type RolloutWorldOptions } from "./rollout-world.ts";
import { tool, toolSchemas } from "./tool-schemas.ts";

const { tools } = toolSchemas([
  { name: "refund_order", parameters: { order_id: { type: "string" } } },
  tool({ name: "add", execute: ({ a, b }: { a: number; b: number }) => a + b }),
  { name: "ask_person", kind: "human" },
]);
const A = { order_id: "A1001" };
const world = (options: Partial<RolloutWorldOptions> = {}) =>
  new RolloutWorld({
    tools,
    seed: 0,
    taskId: "t",
    faults: null,
    worldState: "entity exists",
    prompt: "Refund A1001.",
    ...options,
  });

test("a fault comes before every world, and changes nothing in it", async () => {
  const seen: string[] = [];
  const faults = { refund_order: { mode: "timeout" } };
  const w = world({ faults, execute: (name) => seen.push(name) });
  expect(await w.call("refund_order", A)).toMatchObject({ status: "timeout" });
  expect([seen, w.effects()]).toEqual([[], []]);
});

test("a typed tool answers itself, the rest goes to execute, and else to the mock world", async () => {
  expect(await world().call("add", { a: 1, b: 2 })).toEqual({ status: "ok", result: 3 });
  expect(await world({ execute: () => ({ paid: true }) }).call("refund_order", A)).toEqual({ paid: true });
  expect(await world().call("refund_order", A)).toMatchObject({ status: "ok", id: "A1001" });
});

test("every call is a step, as it was when it was made", async () => {
  const w = world();
  const given: Record<string, unknown> = { ...A };
  const answer = await w.call("refund_order", given);
  given.order_id = "changed";
  expect(w.steps).toEqual([{ tool: "refund_order", arguments: A, result: answer }]);
});

describe("a tool that throws", () => {
  const failing = (error: Error) => world({ execute: () => Promise.reject(error) }).call("refund_order", A);

  test("has answered with its error", async () => {
    expect(await failing(new Error("no such order"))).toEqual({ status: "error", reason: "no such order" });
  });

  test("breaks the rollout when it says so", async () => {
    await expect(failing(new SimulateError("task_failed", "The sandbox is gone.", "Start it."))).rejects.toThrow(
      "gone",
    );
  });
});

test("a person is asked, and silence is no approval", async () => {
  const asked: string[] = [];
  const askPerson = async (question: string) => {
    asked.push(question);
    return " ";
  };
  const w = world({ askPerson });
  expect(await w.call("ask_person", { question: "Shall I?" })).toEqual({ answer: "(no reply yet)" });
  expect(asked).toEqual(["Shall I?"]);
  expect(await world().call("ask_person", {})).toEqual({ answer: "(no reply yet)" });
});
