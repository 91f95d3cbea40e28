import fc from "fast-check";
import { expect, test } from "vitest";
import type { Row } from "../row.ts";
import { formatLeakReport } from "./format-leak-report.ts";
import { leakReport, rowLeak, shortLeaks } from "./leaks.ts";
import { commonRuns } from "./quote-runs.ts";

const SECRET = "card on file ends in 4242";
const leaking = {
  scenario_id: "s1",
  rollout_index: 2,
  final_text: `The ${SECRET}.`,
  privileged: { reference: SECRET },
};
/** Word for word, in the reply. */
const WHOLE = { carrier: "reply", coverage: 1 };
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
  ["a quote in the reply", leaking, { field: "reference", needle: SECRET, ...WHOLE }],
  [
    "a quote in what was said with a call",
    { steps: [{ tool: "t", text: SECRET }], privileged: { principle: SECRET } },
    { field: "principle", needle: SECRET, ...WHOLE },
  ],
  [
    "a quote in block content",
    { messages: [{ role: "assistant", content: [{ type: "text", text: SECRET }] }], privileged: { reference: SECRET } },
    { field: "reference", needle: SECRET, ...WHOLE },
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
    { field: "reference", needle: SECRET, ...WHOLE },
  ],
  ["the rubric, which is no text a reply recites", { final_text: SECRET, privileged: { rubric: { a: SECRET } } }, null],
])("%s", (_what, row, leak) => {
  expect(rowLeak(row)).toEqual(leak);
});

test.each([
  ["on 📦 of ten", null],
  ["on 📦 of tens", { field: "reference", needle: "on 📦 of tens", ...WHOLE }],
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
  expect(rowLeak(row, { rules: "v1" })).toEqual({ field: "reference", needle: SECRET, ...WHOLE });
  expect(leakReport([row, leaking])).toMatchObject({ rules: "v2", nChecked: 2, nLeaked: 1, nShown: 1, rate: 0.5 });
  expect(() => leakReport([], { rules: "v3" as never })).toThrow("rules");
});

const NOTE = "the customer said on the phone that the parcel fell off the lorry near Leeds";

test.each<[string, Row, object]>([
  [
    "a quote with punctuation and a word changed",
    { final_text: "The customer said, on the phone, that the parcel fell off the truck near Leeds!" },
    { field: "reference", coverage: 0.8 },
  ],
  [
    "a quote split in two",
    {
      final_text: `We read: "the customer said on the phone that" (and then) "the parcel fell off the lorry near Leeds".`,
    },
    { field: "reference", carrier: "reply", coverage: 1 },
  ],
  [
    "nearly all of a quote",
    { final_text: "said on the phone that the parcel fell off the lorry near leeds" },
    { field: "reference", coverage: 0.867 },
  ],
  ["half of a quote", { final_text: "the customer said on the phone that it was late" }, {}],
  ["its words in another order", { final_text: NOTE.split(" ").reverse().join(" ") }, {}],
  [
    "parts that the user had said",
    { prompt: "The parcel fell off the lorry near Leeds.", final_text: `${NOTE.slice(0, 40)}, x, ${NOTE.slice(33)}` },
    {},
  ],
  [
    "a quote in the arguments of a call",
    { messages: [call({ note: `Note: ${NOTE}.` })] },
    { field: "reference", carrier: "arguments", coverage: 1 },
  ],
  [
    "in arguments that are text",
    { messages: [call(JSON.stringify({ to: [{ note: NOTE }] }))] },
    { carrier: "arguments" },
  ],
  [
    "in what a model thought, in a field of the message",
    { messages: [{ role: "assistant", content: "Sure.", reasoning_content: `They know that ${NOTE}.` }] },
    { carrier: "reasoning" },
  ],
  [
    "in what a model thought, in a block",
    {
      messages: [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: NOTE },
            { type: "text", text: "Ok" },
          ],
        },
      ],
    },
    { carrier: "reasoning" },
  ],
  [
    "in arguments, after a tool had said it",
    { messages: [call({ id: 1 }), { role: "tool", content: NOTE }, call({ note: NOTE })] },
    { shown: "reference" },
  ],
  [
    "in arguments, before a tool says it",
    { messages: [call({ note: NOTE }), { role: "tool", content: NOTE }] },
    { carrier: "arguments" },
  ],
])("%s", (_, row, leak) => {
  const found = rowLeak({ ...row, privileged: { reference: NOTE } });
  if (Object.keys(leak).length === 0) expect(found?.field).toBeUndefined();
  else expect(found).toMatchObject(leak);
});

function call(args: unknown): { role: string; content: string; tool_calls: unknown } {
  return { role: "assistant", content: "", tool_calls: [{ name: "write_note", arguments: args }] };
}

test("an overlap of 1 takes the whole of a quote alone, and one of 0 is refused", () => {
  const row = { final_text: NOTE.slice(13), privileged: { reference: NOTE } };
  expect(rowLeak(row)).toMatchObject({ field: "reference", coverage: 0.867 });
  expect(rowLeak(row, { overlap: 1 })).toEqual({});
  expect(() => rowLeak(row, { overlap: 0 })).toThrow("overlap is 0");
});

test.each([
  // text of the block, said, a leak
  ["confirmation", "your confirmation is on its way", false],
  ["refund issued", "refund issued", false],
  ["ORD-4417-9981", "it is ord-4417-9981.", true],
  ["refund was issued", "a refund was issued", true],
])("%j is a quote: %s says %s", (reference, final_text, isLeak) => {
  expect(rowLeak({ final_text, privileged: { reference } })?.field === "reference").toBe(isLeak);
});

test("what replies of other tasks say too is how people speak, and no secret", () => {
  const phrase = "your refund was approved and is on its way";
  const row = (id: string, final_text: string, reference?: string): Row => ({
    scenario_id: id,
    final_text,
    ...(reference === undefined ? {} : { privileged: { reference } }),
  });
  const rows = [row("a", `Good news: ${phrase}.`, phrase), row("b", `${phrase}!`), row("c", `Yes, ${phrase}`)];
  const report = leakReport(rows);
  expect(report).toMatchObject({ nChecked: 1, nLeaked: 0, nCommon: 1 });
  expect(report.skipped).toEqual([{ field: "reference", needle: phrase, reason: "common", nRows: 1 }]);
  expect(formatLeakReport(report)).toBe(
    "leaks: none in 1 of 3 rows checked; 1 say what other tasks' replies say too, which is none",
  );
  // One other task may be a leak itself, rollouts of one task are one, and who has the same block knows it from there.
  expect(leakReport(rows.slice(0, 2)).nLeaked).toBe(1);
  expect(leakReport([rows[0]!, rows[1]!, rows[1]!, row("a", phrase)]).nLeaked).toBe(1);
  expect(leakReport(rows.map((one) => ({ ...one, privileged: { reference: phrase } }))).nLeaked).toBe(3);
  expect(leakReport([...rows].reverse())).toMatchObject({ nLeaked: 0, nCommon: 1 });
  expect(leakReport(rows, { rules: "v1" })).toMatchObject({ nLeaked: 1, nCommon: 0 });
  expect(rowLeak(rows[0]!)).toMatchObject({ field: "reference" });
  expect(rowLeak(rows[0]!, { common: commonRuns(rows) })).toEqual({ common: "reference" });
});

test.each<[string, unknown, Row, boolean]>([
  ["a number", 42, { final_text: "It is 42." }, true],
  ["a number as text", "42", { final_text: "It is 42, I think" }, true],
  ["a word", "Lisbon", { final_text: "To LISBON" }, true],
  ["part of a number", 42, { final_text: "142, 42.5, 3.42, a42" }, false],
  ["what the user had said", 42, { prompt: "Is it 42?", final_text: "It is 42." }, false],
  [
    "what a tool said",
    "Lisbon",
    { steps: [{ tool: "t", arguments: {}, result: "lisbon" }], final_text: "Lisbon" },
    false,
  ],
  ["a letter", "b", { final_text: "b" }, false],
  ["true", true, { final_text: "true" }, false],
  ["signs of a pattern", "a+b (c)", { final_text: "so a+b (c) it is" }, true],
])("a short answer is listed and is no leak: %s", (_, reference, row, isListed) => {
  const given = { ...row, privileged: { reference } } as Row;
  expect(shortLeaks(given).length > 0).toBe(isListed);
  expect(leakReport([given])).toMatchObject({ nShort: isListed ? 1 : 0, nLeaked: 0, nChecked: 0 });
  expect(rowLeak(given)).toBeNull();
  expect(shortLeaks(given, { rules: "v1" })).toEqual([]);
});

test("short answers and parts in print", () => {
  const rows: Row[] = [
    { scenario_id: "s1", final_text: "It is 42.", privileged: { hidden_state: { total: 42 } } },
    { scenario_id: "s2", messages: [call({ note: NOTE.slice(13) })], privileged: { reference: NOTE } },
  ];
  expect(formatLeakReport(leakReport(rows))).toBe(
    [
      "leaks: 1 of 1 replies checked (100%) quotes its privileged context, 2 rows in all",
      `  s2  reference: "${NOTE.toLowerCase()}", in a tool call, 87% of its words`,
      "1 row says a short answer of the block that nobody had shown, as a right reply does; no leak by itself:",
      '  s1  hidden_state.total: "42"',
    ].join("\n"),
  );
});
