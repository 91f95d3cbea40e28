import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EXPORT_BLOCKED, scrub } from "./scrub.ts";
import { scrubRow } from "./scrub-row.ts";

const blockedNames = fc.constantFrom(...EXPORT_BLOCKED, "ok", "__proto__", "arguments");
const { tree: trees } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom("text", 1, true, null, "privileged"),
    fc.array(tie("tree"), { maxLength: 3 }),
    // From text, so that __proto__ is an own key as it is in a file.
    fc.array(fc.tuple(blockedNames, tie("tree")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([key, item]) => [key, ...keysOf(item)]);
}

test("no blocked key is left at any depth, and a value without any is the same reference", () => {
  fc.assert(
    fc.property(trees, (value) => {
      const clean = scrub(value);
      expect(keysOf(clean).filter((key) => EXPORT_BLOCKED.includes(key))).toEqual([]);
      if (!keysOf(value).some((key) => EXPORT_BLOCKED.includes(key))) expect(clean).toBe(value);
    }),
  );
});

test("scrubbing twice is scrubbing once, and changes nothing in place", () => {
  fc.assert(
    fc.property(trees, (value) => {
      const before = structuredClone(value);
      const clean = scrub(value);
      expect(scrub(clean)).toBe(clean);
      expect(value).toEqual(before);
    }),
  );
});

describe("scrubRow", () => {
  const call = (given: object) => [{ tool: "cite", arguments: given, result: { rubric: "A", vector: [1] } }];

  test("an argument called reference is what the agent did and stays; the report names it", () => {
    const row = { steps: call({ reference: "INV-7", q: { principle: "x" } }), privileged: { reference: "42" } };
    const { row: clean, removed, kept } = scrubRow(row);
    expect(clean).toEqual({
      steps: [{ tool: "cite", arguments: { reference: "INV-7", q: { principle: "x" } }, result: { rubric: "A" } }],
    });
    expect(kept).toEqual(["steps[0].arguments.reference", "steps[0].arguments.q.principle", "steps[0].result.rubric"]);
    expect(removed).toEqual(["steps[0].result.vector", "privileged"]);
  });

  test.each(["42", 42])("but not when its value is one of the row's own privileged block: %j", (value) => {
    const row = { steps: call({ reference: value }), privileged: { hidden_state: { answer: "42" } } };
    expect(scrubRow(row).removed).toContain("steps[0].arguments.reference");
  });

  test("calls inside messages, and the schemas of tools, are treated alike", () => {
    const row = {
      messages: [
        { role: "assistant", tool_calls: [{ name: "cite", arguments: { reference: "a" } }] },
        {
          role: "assistant",
          tool_calls: [{ function: { name: "cite", arguments: { reference: "b" } }, reference: "c" }],
        },
      ],
      tools: [{ function: { name: "cite", parameters: { properties: { reference: { type: "string" } } } }, rubric: 1 }],
    };
    const { kept, removed } = scrubRow(row);
    expect(kept).toEqual([
      "messages[0].tool_calls[0].arguments.reference",
      "messages[1].tool_calls[0].function.arguments.reference",
      "tools[0].function.parameters.properties.reference",
    ]);
    expect(removed).toEqual(["messages[1].tool_calls[0].reference", "tools[0].rubric"]);
  });

  test("with compat the argument goes too, as it does in the Python SDK", () => {
    const { row, kept } = scrubRow({ steps: call({ reference: "INV-7" }) }, { compat: true });
    expect(keysOf(row).filter((key) => EXPORT_BLOCKED.includes(key))).toEqual([]);
    expect(kept).toEqual([]);
  });

  test("with deep a tool result that quotes the block is emptied; what was said stays for the leak check", () => {
    const quote = "Refund only within THIRTY  days.";
    const row = {
      prompt: quote,
      steps: [{ tool: "policy", result: `Policy: ${quote}`, text: quote }],
      messages: [
        { role: "assistant", content: quote },
        { role: "tool", content: quote },
      ],
      final_text: quote,
      lineage: { note: quote },
      privileged: { reference: "refund only within thirty days." },
    };
    const { row: clean, emptied } = scrubRow(row, { deep: true });
    expect(emptied).toEqual(["steps[0].result", "messages[1].content", "lineage.note"]);
    expect(clean).toMatchObject({ prompt: quote, final_text: quote, steps: [{ result: "", text: quote }] });
    expect(scrubRow(row).emptied).toEqual([]);
  });

  test("a clean row comes back as itself", () => {
    const row = { prompt: "p", steps: call({ q: 1 }).map(({ result: _, ...step }) => step) };
    expect(scrubRow(row).row).toBe(row);
  });

  test("scrubbing a row twice is scrubbing it once", () => {
    const parts = fc.record({
      steps: fc.array(fc.record({ tool: fc.constant("t"), arguments: trees, result: trees })),
      privileged: trees,
      lineage: trees,
    });
    fc.assert(
      fc.property(parts, fc.boolean(), (row, compat) => {
        const once = scrubRow(row as never, { compat }).row;
        expect(scrubRow(once, { compat }).row).toBe(once);
        expect("privileged" in once).toBe(false);
      }),
    );
  });
});
