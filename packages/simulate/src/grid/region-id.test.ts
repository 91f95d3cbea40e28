import { describe, expect, test } from "vitest";
import { ProbeIds, probeId, regionId } from "./region-id.ts";

const CELL = {
  tool: "lookup_order",
  rule: "unspecified",
  stance: "ordinary",
  world_state: "entity exists",
  tool_condition: "success",
  history: "fresh",
};

// As the Python SDK derives them.
test.each([
  [CELL, "sc-59361fc4ba"],
  [{ ...CELL, stance: "adversarial", tool_condition: "timeout" }, "sc-1e6ce2c516"],
  [{ ...CELL, rule: "Never refund more than 100 € without a manager" }, "sc-194da23ad2"],
  [{ ...CELL, rule: "Be kind 😀" }, "sc-75be21c96f"],
])("regionId(%j) is %s", (assignment, id) => {
  expect(regionId(assignment)).toBe(id);
});

test("the order of axes is no part of an id", () => {
  expect(regionId(Object.fromEntries(Object.entries(CELL).reverse()))).toBe(regionId(CELL));
});

test.each([
  ["Where is order 4473?", "probe_314763"],
  ["¿Dónde está mi pedido?", "probe_c254c5"],
])("probeId(%j) is %s", (prompt, id) => {
  expect(probeId(prompt)).toBe(id);
});

describe("ProbeIds", () => {
  test("gives the second prompt of a pair that collides a longer id, and each prompt always the same", () => {
    // Two prompts whose hashes begin with the same six digits, by search.
    const [first, second] = collidingPrompts();
    const ids = new ProbeIds();
    expect(ids.idOf(first)).toBe(probeId(first));
    expect(ids.idOf(second)).toMatch(/^probe_[0-9a-f]{10}$/);
    expect(ids.idOf(second)).toBe(ids.idOf(second));
    expect(ids.collisions).toBe(1);
  });
});

function collidingPrompts(): [string, string] {
  const seen = new Map<string, string>();
  for (let n = 0; ; n++) {
    const prompt = `Ask number ${n}`;
    const other = seen.get(probeId(prompt));
    if (other !== undefined) return [other, prompt];
    seen.set(probeId(prompt), prompt);
  }
}
