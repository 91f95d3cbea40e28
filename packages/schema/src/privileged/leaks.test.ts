import fc from "fast-check";
import { expect, test } from "vitest";
import { formatLeakReport } from "./format-leak-report.ts";
import { leakReport, rowLeak } from "./leaks.ts";

const SECRET = "card on file ends in 4242";
const leaking = {
  scenario_id: "s1",
  rollout_index: 2,
  final_text: `The ${SECRET}.`,
  privileged: { reference: SECRET },
};
const clean = { scenario_id: "s2", final_text: "Done.", privileged: { reference: SECRET } };

test.each([
  ["no block", { final_text: SECRET }, null],
  ["a block that is no object", { final_text: SECRET, privileged: [SECRET] as never }, null],
  [
    "a block of short texts and numbers",
    { final_text: "42", privileged: { reference: "42", hidden_state: { n: 123456789012 } } },
    null,
  ],
  ["a clean reply", clean, {}],
  ["a quote in the reply", leaking, { field: "reference", needle: SECRET }],
  [
    "a quote in what was said with a call",
    { steps: [{ tool: "t", text: SECRET }], privileged: { principle: SECRET } },
    { field: "principle", needle: SECRET },
  ],
  [
    "a quote in block content",
    { messages: [{ role: "assistant", content: [{ type: "text", text: SECRET }] }], privileged: { reference: SECRET } },
    { field: "reference", needle: SECRET },
  ],
  ["the user's words", { prompt: SECRET, privileged: { reference: SECRET } }, {}],
  ["a quote of the ask", { ...leaking, prompt: `My ${SECRET}.` }, { shown: "reference" }],
  [
    "a quote of a tool's answer",
    { ...leaking, steps: [{ tool: "lookup", arguments: {}, result: { note: SECRET } }] },
    { shown: "reference" },
  ],
  [
    "a quote that the user confirms afterwards",
    { ...leaking, final_text: "", steps: [{ text: `It is the ${SECRET}.` }, { user: SECRET }, { text: "Thanks." }] },
    { field: "reference", needle: SECRET },
  ],
  ["the rubric, which is no text a reply recites", { final_text: SECRET, privileged: { rubric: { a: SECRET } } }, null],
])("%s", (_what, row, leak) => {
  expect(rowLeak(row)).toEqual(leak);
});

test.each([
  ["on 📦 of ten", null],
  ["on 📦 of tens", { field: "reference", needle: "on 📦 of tens" }],
])("a quote counts from twelve code points on: %j", (quote, leak) => {
  expect(rowLeak({ final_text: quote, privileged: { reference: quote } })).toEqual(leak);
});

test("the quote is found however its spaces and letters are written", () => {
  fc.assert(
    fc.property(fc.constantFrom(" ", "\n", "\u00a0\t", "  "), fc.boolean(), (blank, upper) => {
      const said = SECRET.replaceAll(" ", blank);
      expect(rowLeak({ ...clean, final_text: upper ? said.toUpperCase() : said })).toHaveProperty("field");
    }),
  );
});

test("a long quote is shown in part, cut between code points", () => {
  const long = "📦 ".repeat(100).trim();
  expect(rowLeak({ final_text: long, privileged: { reference: long } })?.needle).toBe("📦 ".repeat(40));
});

test.each([0, 1.5, Number.NaN])("minLen %d is refused", (minLen) => {
  expect(() => leakReport([], { minLen })).toThrow("minLen");
});

test("the report lists twenty and counts all", () => {
  const report = leakReport({ rows: Array.from({ length: 30 }, () => leaking) });
  expect([report.nLeaked, report.leaked.length, report.rate]).toEqual([30, 20, 1]);
});

test("leaks in print", () => {
  expect(formatLeakReport(leakReport([leaking, clean, { final_text: "x" }]))).toBe(
    [
      "leaks: 1 of 2 replies checked (50%) quotes its privileged context, 3 rows in all",
      '  s1 r2  reference: "card on file ends in 4242"',
    ].join("\n"),
  );
  expect(formatLeakReport(leakReport([clean]))).toBe("leaks: none in 1 of 1 rows checked");
  expect(formatLeakReport(leakReport([clean, { ...leaking, prompt: SECRET }]))).toBe(
    "leaks: none in 2 of 2 rows checked; 1 repeat what they had been shown, which is none",
  );
});

test("nothing checked is no verdict, and exported rows are told apart from rows without context", () => {
  const none = leakReport([{ final_text: "x" }]);
  expect([none.rate, none.checked, none.looksExported]).toEqual([null, false, false]);
  expect(formatLeakReport(none)).toBe(
    "leaks: not measured, 0 of 1 rows could be checked: no row carries privileged context long enough to quote",
  );
  expect(formatLeakReport(leakReport([{ scenario_id: "s", final_text: "x" }]))).toContain("before the export");
});

test("by the first rules a quote of what the agent was shown is a leak too", () => {
  const row = { ...leaking, prompt: SECRET };
  expect(rowLeak(row, { rules: "v1" })).toEqual({ field: "reference", needle: SECRET });
  expect(leakReport([row, leaking])).toMatchObject({ rules: "v2", nChecked: 2, nLeaked: 1, nShown: 1, rate: 0.5 });
  expect(() => leakReport([], { rules: "v3" as never })).toThrow("rules");
});
