import type { Row } from "@while/schema";
import { expect, test, vi } from "vitest";
import { behavioralMarkers, detect, formatMarkers, markRows, rowMarkers, STOCK_MARKERS } from "../src/stock-markers.ts";

test("the first call of a process warns, and no other one", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  detect("hedging", "it depends");
  rowMarkers({ final_text: "x" });
  expect(warn.mock.calls).toEqual([
    [expect.stringMatching(/styleMarkers, styleReport and refusalReport/), "DeprecationWarning"],
  ]);
  warn.mockRestore();
});

test.each([
  // name, present, absent
  [
    "boilerplate",
    ["Certainly!", "Of course , yes", "Here's how it goes", "Feel free to try"],
    ["certainly so", "There is a way"],
  ],
  [
    "self_reference",
    ["As an AI, no", "I'm just an assistant", "I am AI", "I don't have feelings"],
    ["as an aim", "I am aiming"],
  ],
  ["hedging", ["It depends.", "In general it does", "It's important to remember"], ["independs", "it is important"]],
  ["refusal", ["I can't help", "I am not able to", "I won't", "I must decline"], ["I can help", "I will"]],
  [
    "sycophancy",
    ["You're absolutely right", "You are right", "Great point", "my apologies"],
    ["great points", "you were right"],
  ],
])("%s", (name, present, absent) => {
  expect(STOCK_MARKERS).toContain(name);
  for (const text of present) expect(detect(name, text), text).toBe(1);
  for (const text of absent) expect(detect(name, text), text).toBe(0);
});

test("a name that does not exist is refused with the five", () => {
  expect(() => detect("tone", "x")).toThrow(
    "There is no stock marker tone. They are boilerplate, self_reference, hedging, refusal, sycophancy.",
  );
});

test("rows are marked beside what they have, by the final text or by what was said last", () => {
  const rows: Row[] = [
    { final_text: "It depends.", markers: { polite: 1 } },
    {
      messages: [
        { role: "assistant", content: "I won't." },
        { role: "assistant", content: null },
      ],
    },
  ];
  const fails = (): number => {
    throw new Error("no value");
  };
  const marked = markRows(rows, { names: ["hedging", "refusal"], extra: { words: () => 2, fails } });
  expect(marked.map(({ markers }) => markers)).toEqual([
    { polite: 1, hedging: 1, refusal: 0, words: 2 },
    { hedging: 0, refusal: 1, words: 2 },
  ]);
  expect(rows[0]!.markers).toEqual({ polite: 1 });
  const rates = behavioralMarkers(rows, { names: ["hedging", "refusal"] });
  expect(rates).toEqual({ hedging: 0.5, refusal: 0.5 });
  expect(behavioralMarkers([], { names: ["hedging"] })).toEqual({ hedging: 0 });
  expect(formatMarkers({ a: 0.25, b: 0.5 })).toBe("b: 50%\na: 25%");
});
