import * as fc from "fast-check";
import { expect, test } from "vitest";
import { rowSchema } from "../row.ts";
import { rowFault } from "./row-fault.ts";

/** Values that are right for some field and wrong for the others. */
const leaf = fc.constantFrom<unknown>(
  ...[null, "", "text", 0, 1, -1, 0.5, 3, Number.NaN, Number.POSITIVE_INFINITY, true, false],
);

const thing = fc.oneof(
  { weight: 3, arbitrary: leaf },
  fc.array(leaf, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom("user", "tool", "text", "id", "role", "name", "label", "type", "__proto__"), leaf),
);

/** Every key that the schema knows, and one that it does not: a key added there is tested here. */
const keys = [...Object.keys((rowSchema as unknown as { shape: object }).shape), "anything"];

const inner = fc.oneof(
  thing,
  fc.array(fc.oneof(thing, stepLike()), { maxLength: 3 }),
  fc.record(
    {
      ...{ temperature: leaf, max_tokens: leaf, model: leaf, source: leaf, judge: leaf, judge_version: leaf },
      ...{
        eval_run: leaf,
        parent: leaf,
        system_prompt_chars: leaf,
        system_prompt_sha: leaf,
        importer: leaf,
        file: leaf,
      },
    },
    { requiredKeys: [] },
  ),
);

function stepLike(): fc.Arbitrary<unknown> {
  return fc.record(
    {
      ...{ user: leaf, tool: leaf, text: leaf, id: leaf, truncated: leaf, role: leaf, name: leaf, tool_call_id: leaf },
      ...{ label: leaf, annotator: leaf, kind: leaf, ts: leaf, note: leaf, type: leaf },
      function: fc.oneof(leaf, fc.record({ name: leaf, description: leaf }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  );
}

test("rowFault and rowSchema accept and refuse the same rows", () => {
  const row = fc.dictionary(fc.constantFrom(...keys), inner, { maxKeys: 3 });
  let refused = 0;
  let runs = 0;
  fc.assert(
    fc.property(row, (candidate) => {
      // zod passes over a number of this name, whatever it is; we look at it like at any other.
      const counted = [candidate.markers, candidate.usage, candidate.sampling];
      fc.pre(!counted.some((numbers) => Object.hasOwn(Object(numbers), "__proto__")));
      const fault = rowFault(candidate);
      runs++;
      if (fault !== null) refused++;
      expect(fault === null, JSON.stringify({ candidate, fault })).toBe(rowSchema.safeParse(candidate).success);
    }),
    { numRuns: 3000 },
  );
  // A test in which everything is refused, or nothing, would hold nothing together.
  expect(refused).toBeGreaterThan(runs / 10);
  expect(refused).toBeLessThan((runs * 9) / 10);
});

test.each([
  [{ reward: "NaN" }, 'reward is the text "NaN" and not a number'],
  [{ reward: 3 }, "reward is 3, outside 0 to 1"],
  [{ reward: true }, "reward is true and not a number"],
  [{ task_id: 7 }, "task_id is 7 and not text"],
  [{ steps: {} }, "steps is an object and not a list"],
  [{ steps: [{ text: "a" }, { tool: 1 }] }, "steps[1].tool is 1 and not text"],
  [{ messages: [{ content: "a" }] }, "messages[0].role is missing and not text"],
  [{ markers: { brief: "high" } }, 'markers.brief is the text "high" and not a number'],
  [{ usage: { input_tokens: Number("1e999") } }, "usage.input_tokens is Infinity and not a number"],
  [{ sampling: { top_k: Number("1e999") } }, "sampling.top_k is Infinity and not a number"],
  [{ lineage: { eval_run: "1" } }, 'lineage.eval_run is the text "1" and not a number'],
  [{ loss_mask: [0, 2] }, "loss_mask[1] is 2 and not 0 or 1"],
])("%j is refused: %s", (row, what) => {
  expect(rowFault(row)?.what).toBe(what);
});

test("a row of contract keys alone passes, and so does one with keys nobody knows", () => {
  expect(rowFault({ task_id: "t", prompt: "p", final_text: "f", reward: 0.5, markers: { brief: null } })).toBeNull();
  expect(rowFault(JSON.parse('{"tier": 3, "__proto__": {"reward": "x"}, "constructor": 1}'))).toBeNull();
});
