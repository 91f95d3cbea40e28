import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Row } from "../row.ts";
import { assignRolloutIds } from "./assign-rollout-ids.ts";
import { rolloutIdOf, shortHash } from "./derived-ids.ts";
import { rowKey } from "./row-key.ts";
import { systemPromptStamp } from "./system-prompt-stamp.ts";

test("rows exported without a scenario do not all become #0", () => {
  const exported = (final_text: string) => ({ scenario_id: "", rollout_index: 0, prompt: "p", final_text });
  expect(rowKey(exported("a"))).toMatch(/^[0-9a-f]{16}$/);
  expect(rowKey(exported("a"))).not.toBe(rowKey(exported("b")));
});

test("shortHash joins its parts by a bar", () => {
  expect(shortHash("a", 1)).toBe(shortHash("a|1"));
});

test("systemPromptStamp counts and cuts code points", () => {
  expect(systemPromptStamp("📦".repeat(121))).toMatchObject({ head: "📦".repeat(120), chars: 121 });
});

describe("rolloutIdOf", () => {
  const row: Row = { task_id: "t", rollout_index: 0, prompt: "p", final_text: "a", model_version: "m" };

  test.each([
    ["reply", { final_text: "b" }],
    ["steps", { steps: [{ text: "a" }] }],
    ["policy", { policy_version: "v2" }],
    ["seed", { seed: 1 }],
    ["eval run", { lineage: { eval_run: 1 } }],
    ["scoring run", { lineage: { scoring_run_id: "score_1" } }],
  ])("tells rollouts of another %s apart, where compat does not", (_what, change) => {
    const other = { ...row, ...change };
    expect(rolloutIdOf(other)).not.toBe(rolloutIdOf(row));
    expect(rolloutIdOf(other, { compat: true })).toBe(rolloutIdOf(row, { compat: true }));
  });

  test("does not depend on the order of keys", () => {
    const one = { ...row, steps: [{ tool: "t", arguments: { a: 1, b: 2 } }] };
    const other = { steps: [{ arguments: { b: 2, a: 1 }, tool: "t" }], ...row };
    expect(rolloutIdOf(one)).toBe(rolloutIdOf(other));
  });
});

describe("assignRolloutIds", () => {
  test("keeps ids that are unique, derives missing ones and renames the second of a pair", () => {
    const rows = [{ rollout_id: "r" }, { prompt: "p" }, { rollout_id: "r" }, { prompt: "p" }];
    const { rows: named, nAssigned, nRenamed } = assignRolloutIds(rows);
    const derived = rolloutIdOf({ prompt: "p" });
    expect(named.map((row) => row.rollout_id)).toEqual(["r", derived, "r.2", `${derived}.2`]);
    expect([nAssigned, nRenamed]).toEqual([2, 2]);
    expect(named[0]).toBe(rows[0]);
  });

  test("names the run once, so pooled runs on one grid cannot collide", () => {
    const once = assignRolloutIds([{ rollout_id: "r" }], { run: "base" }).rows;
    expect(once[0]?.rollout_id).toBe("base/r");
    expect(assignRolloutIds(once, { run: "base" }).rows).toEqual(once);
  });

  test("ids are unique, assigning twice changes nothing and rows are not changed in place", () => {
    const ids = fc.constantFrom("", "a", "a.2", "b", "__proto__");
    const lists = fc.array(fc.record({ rollout_id: ids, prompt: ids }, { requiredKeys: [] }), { maxLength: 10 });
    fc.assert(
      fc.property(lists, (rows) => {
        const before = structuredClone(rows);
        const named = assignRolloutIds(rows).rows;
        expect(new Set(named.map(rowKey)).size).toBe(rows.length);
        expect(assignRolloutIds(named)).toEqual({ rows: named, nAssigned: 0, nRenamed: 0 });
        expect(rows).toEqual(before);
      }),
    );
  });
});
