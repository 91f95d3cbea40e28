import { toolFault } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MockWorld } from "./mock-world.ts";
import { toolSchemas } from "./tool-schemas.ts";

const ID = { type: "object", properties: { order_id: { type: "string" } }, required: ["order_id"] };
const { tools } = toolSchemas([
  { name: "get_order", parameters: ID },
  { name: "update_order", parameters: ID },
  { name: "refund_order", parameters: ID },
  { name: "cancel_order", parameters: ID },
  { name: "delete_order", parameters: ID },
  { name: "create_ticket", parameters: { type: "object", properties: { subject: { type: "string" } } } },
  { name: "get_ticket", parameters: { type: "object", properties: { ticket_id: { type: "string" } } } },
  { name: "search_orders", parameters: { type: "object", properties: { query: { type: "string" } } } },
  { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
  {
    name: "track_order",
    parameters: ID,
    returns: { order_id: "A1000", price: 900, sent: "2024-05-01", note: "in time" },
  },
  { name: "bash", parameters: { type: "object", properties: { command: { type: "string" } } } },
]);
const world = (worldState: string | null = "entity exists", options = {}) =>
  new MockWorld(tools, { seed: 0, taskId: "sc-1", worldState, prompt: "Where is order A1001?", ...options });
const A = { order_id: "A1001" };

describe("state holds together", () => {
  test("an update shows in later reads", () => {
    const w = world();
    expect(w.call("update_order", { ...A, address: "Elm 3" })).toMatchObject({ status: "ok", id: "A1001" });
    expect(w.call("get_order", A)).toMatchObject({ order_id: "A1001", address: "Elm 3" });
  });

  test("what was created is there, and what was deleted is gone", () => {
    const w = world();
    const { ticket_id } = w.call("create_ticket", { subject: "late" }) as { ticket_id: string };
    expect(w.call("get_ticket", { ticket_id })).toMatchObject({ ticket_id, subject: "late" });
    w.call("delete_order", A);
    expect(w.call("get_order", A)).toEqual({ status: "not_found", missing: ["A1001"] });
  });

  test("money is paid back once", () => {
    const w = world();
    expect(w.call("refund_order", A)).toMatchObject({ status: "ok" });
    expect(w.call("refund_order", A)).toMatchObject({ status: "already_done" });
    expect(w.effects().map(({ tool, change }) => [tool, change])).toEqual([["refund_order", "changed"]]);
  });

  test("what a search finds can be read", () => {
    const w = world();
    const { results } = w.call("search_orders", { query: "lamp" }) as { results: { order_id: string }[] };
    expect(results.length).toBeGreaterThan(0);
    for (const found of results) expect(w.call("get_order", { order_id: found.order_id })).toEqual(found);
  });

  test("two tools tell the same of one order", () => {
    const w = world();
    const first = w.call("track_order", A) as { price: number };
    expect((w.call("get_order", A) as { price: number }).price).toBe(first.price);
  });
});

test.each([
  // state, read, write
  ["entity exists", "", ""],
  ["entity missing", "not_found", "not_found"],
  ["entity already acted on", "", "already_done"],
  ["duplicate entity", "", "rejected"],
  ["partially completed", "", ""],
])("in the state %j a read is %j and a refund %j", (state, read, write) => {
  expect(toolFault(world(state).call("get_order", A))).toBe(read);
  expect(toolFault(world(state).call("refund_order", A))).toBe(write);
});

test("a duplicate is settled by the id of one of the two", () => {
  const w = world("duplicate entity");
  const { candidates } = w.call("refund_order", A) as { candidates: { order_id: string }[] };
  expect(candidates).toHaveLength(2);
  expect(w.call("refund_order", { order_id: candidates[0]!.order_id })).toMatchObject({ status: "ok" });
});

test("what was half done is resumed", () => {
  const w = world("partially completed");
  expect(w.call("get_order", A)).toMatchObject({ remaining_steps: ["approved", "closed"] });
  expect(w.call("refund_order", A)).toMatchObject({ status: "ok", resumed: true });
});

test.each<[string, object, string]>([
  ["get_order", { order_id: "Z9999" }, "not_found"],
  ["get_order", {}, "invalid"],
  ["get_order", { order_id: "<order id>" }, "invalid"],
  ["create_ticket", { subject: "string" }, "invalid"],
  ["fly_to_moon", {}, "error"],
])("%s(%j) is %s", (name, given, fault) => {
  expect(toolFault(world().call(name, given as never))).toBe(fault);
});

test("an example fixes the shape: text stays, dates and numbers move by up to a third, what was given is echoed", () => {
  const answer = world().call("track_order", A) as { order_id: string; price: number; sent: string; note: string };
  expect(answer).toMatchObject({ order_id: "A1001", note: "in time" });
  expect(answer.price).toBeGreaterThanOrEqual(600);
  expect(answer.price).toBeLessThanOrEqual(1200);
  expect(answer.sent).toMatch(/^202[2-6]-\d\d-\d\d$/);
});

test("without a state what is named exists seven times in ten", () => {
  const found = Array.from({ length: 500 }, (_, n) => world(null, { taskId: `sc-${n}` }).call("get_order", A)).filter(
    (answer) => toolFault(answer) === "",
  );
  expect(found.length / 500).toBeCloseTo(0.7, 1);
});

const CALLS = fc.array(
  fc.record({
    tool: fc.constantFrom(...tools.map((tool) => tool.function.name)),
    given: fc.constantFrom<object>(A, { query: "x" }, { subject: "s" }, { city: "Oslo" }, { command: "ls" }, {}),
  }),
  { maxLength: 12 },
);

test("the same calls in the same task have the same answers, and to peek changes none of them", () => {
  fc.assert(
    fc.property(CALLS, (calls) => {
      const one = world();
      const other = world();
      for (const { tool, given } of calls) {
        other.peek(tool, given as never);
        expect(other.call(tool, given as never)).toEqual(one.call(tool, given as never));
      }
      expect(other.effects()).toEqual(one.effects());
      expect(other.snapshot()).toEqual(one.snapshot());
    }),
  );
});

test("another task is another world", () => {
  expect(world().call("get_order", A)).not.toEqual(world("entity exists", { taskId: "sc-2" }).call("get_order", A));
});
