import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row, Step } from "../row.ts";
import { conversation, messagesOf } from "./conversation.ts";
import { fromMessages } from "./from-messages.ts";

const says = (row: Row) => conversation(row).map(({ role, content }) => `${role}: ${content}`);

test.each([
  [
    "the opener comes first",
    { opener: "Hello.", prompt: "Hi", final_text: "Bye." },
    ["assistant: Hello.", "user: Hi", "assistant: Bye."],
  ],
  [
    "the first ask is said once",
    { prompt: "Hi", steps: [{ user: "Hi" }, { text: "Yes?" }], final_text: "Yes?" },
    ["user: Hi", "assistant: Yes?"],
  ],
  [
    "and again when it is repeated later",
    { prompt: "Hi", steps: [{ text: "Yes?" }, { user: "Hi" }], final_text: "What?" },
    ["user: Hi", "assistant: Yes?", "user: Hi", "assistant: What?"],
  ],
  [
    "a blank last turn takes the final text",
    { prompt: "Hi", steps: [{ text: " " }], final_text: "Yes?" },
    ["user: Hi", "assistant: Yes?"],
  ],
  [
    "a final text that an earlier turn had is kept",
    { prompt: "Hi", steps: [{ text: "Yes." }, { user: "Sure?" }, { text: "Let me see." }], final_text: "Yes." },
    ["user: Hi", "assistant: Yes.", "user: Sure?", "assistant: Let me see.", "assistant: Yes."],
  ],
  [
    "an agent that raised keeps the question it failed on",
    { prompt: "Hi", steps: [{ text: "Yes?" }, { user: "Go" }], final_text: "<agent error: timeout>" },
    ["user: Hi", "assistant: Yes?", "user: Go", "assistant: <agent error: timeout>"],
  ],
  ["a lone question stays", { prompt: "Hi", final_text: "" }, ["user: Hi"]],
  [
    "speech with the last call is not said twice",
    { prompt: "Hi", steps: [{ tool: "t", text: "Let me look.", result: "r" }], final_text: "Let me look." },
    ["user: Hi", "assistant: Let me look.", "tool: r"],
  ],
  [
    "nor is speech before a last call without any",
    { prompt: "Hi", steps: [{ text: "One moment." }, { tool: "t", result: "r" }], final_text: "One moment." },
    ["user: Hi", "assistant: One moment.", "assistant: ", "tool: r"],
  ],
  ["an empty row has no conversation", {}, []],
  [
    "what is no step is passed over",
    { prompt: "Hi", steps: [null, 3, {}] as unknown as Step[], final_text: "a" },
    ["user: Hi", "assistant: a"],
  ],
])("%s", (_title, row, expected) => {
  expect(says(row)).toEqual(expected);
});

test("a call that was never answered has no tool message, and a null answer is the text null", () => {
  const row = { prompt: "Hi", steps: [{ tool: "a" }, { tool: "b", result: null }] };
  expect(conversation(row).slice(1)).toEqual([
    { role: "assistant", content: "", tool_calls: [{ name: "a", arguments: {} }] },
    { role: "assistant", content: "", tool_calls: [{ name: "b", arguments: {} }] },
    { role: "tool", name: "b", content: "null" },
  ]);
});

test("messages that a row carries win over its steps", () => {
  const messages = [{ role: "user", content: "x" }];
  expect(messagesOf({ prompt: "y", messages })).toBe(messages);
  expect(messagesOf({ prompt: "y", messages: [] })).toEqual([{ role: "user", content: "y" }]);
});

const words = fc.string({ unit: fc.constantFrom("a", "b", "é", "4", '"', "📦", " ", "{"), minLength: 1, maxLength: 6 });
const argumentObjects = fc.dictionary(words, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });

/** Answers in canonical form: what `fromMessages` reads back is what was there. Text in braces would become JSON. */
const answers = fc.oneof(
  words.filter((text) => !text.includes("{")),
  fc.array(fc.integer(), { maxLength: 3 }),
  argumentObjects.map((object) => JSON.parse(JSON.stringify(object))),
);

const calls = fc.tuple(
  words,
  argumentObjects,
  fc.option(answers, { nil: undefined }),
  fc.option(words, { nil: undefined }),
);

const steps: fc.Arbitrary<Step> = fc.oneof(
  words.map((user) => ({ user })),
  words.map((text) => ({ text })),
  calls.map(([tool, given, result, text]) => ({
    tool,
    arguments: given,
    ...(result !== undefined && { result }),
    ...(text !== undefined && { text }),
  })),
);

/**
 * Rows told in one way only: somebody asked, no turn of the user goes without a reply, the last text is the final
 * text, and every call but the last one was answered.
 */
const canonicalRows = fc
  .record({ prompt: words, opener: fc.option(words, { nil: "" }), steps: fc.array(steps, { maxLength: 8 }) })
  .map(({ prompt, opener, steps: drawn }) => {
    const told = drawn.map((step, i): Step => {
      if (step.tool === undefined || "result" in step || i === drawn.length - 1) return step;
      return { ...step, result: "ok" };
    });
    while (told[0]?.user === prompt) told.shift();
    while (typeof told.at(-1)?.user === "string") told.pop();
    if (told.length === 0) return { prompt, opener: "", steps: told, final_text: "" };
    const texts = told.map((step) => step.text).filter((text) => text !== undefined);
    return { prompt, opener, steps: told, final_text: texts.at(-1) ?? opener };
  });

test("a canonical row told as messages and read back is the same row", () => {
  fc.assert(
    fc.property(canonicalRows, (row) => {
      const { notes, system, ...read } = fromMessages(conversation(row));
      expect(read).toEqual(row);
      expect(system).toBe("");
      expect([...notes]).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("telling a row changes nothing on it", () => {
  fc.assert(
    fc.property(canonicalRows, (row) => {
      const before = structuredClone(row);
      conversation(row);
      expect(row).toEqual(before);
    }),
  );
});
