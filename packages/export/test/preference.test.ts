import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exportPreference } from "../src/files.ts";
import { formatPreferenceReport, type PairSource, preferenceLines } from "../src/index.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "while-pairs-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const ask = { role: "user", content: "Où est 42 ?" } as const;
const say = (content: string) => ({ role: "assistant", content }) as const;
const pair = (chosen: string, rejected: string, more: object = {}): PairSource => ({
  prompt: ask.content,
  chosen: [ask, say(chosen)],
  rejected: [ask, say(rejected)],
  ...more,
});
const jsonl = (rows: readonly unknown[], end = "\n") => rows.map((row) => JSON.stringify(row) + end).join("");
const at = (name: string) => join(folder, name);

test("a path: rules and tools of the file beside it, CRLF, and a pair whose sides are rows of steps", async () => {
  const sides = {
    chosen: { steps: [{ tool: "look", arguments: '{"id":12345678901234567890}', result: "r" }], final_text: "Là." },
    rejected: { steps: [], final_text: "Non." },
  };
  writeFileSync(at("a.jsonl"), jsonl([{ prompt: ask.content, ...sides, margin: 1 }], "\r\n"));
  const tools = [{ type: "function", function: { name: "look", parameters: { type: "object" } } }];
  writeFileSync(at("a.meta.json"), JSON.stringify({ system_prompt: "Sois bref.", tools }));
  const report = await exportPreference(at("a.jsonl"), { format: "unsloth", output: at("out.jsonl") });
  const line = readFileSync(at("out.jsonl"), "utf8");
  expect(line).toContain('"arguments": {"id": 12345678901234567890}');
  expect(line).toContain('"margin": 1.0');
  expect(JSON.parse(line)).toMatchObject({
    prompt: [{ role: "system", content: "Sois bref." }, ask],
    rejected: [{ role: "assistant", content: "Non." }],
    tools,
    prompt_text: ask.content,
  });
  expect(report).toMatchObject({ pairs: 1, path: at("out.jsonl"), format: "trl", turnsCut: 1, trlTurnsCut: 1 });
});

const leaky = { messages: [ask, say("The code is ZEBRA-PINK-9931.")], privileged: { reference: "ZEBRA-PINK-9931" } };

test.each([
  ["a chosen side that leaks", [{ chosen: leaky, rejected: [ask, say("no")] }], {}, /^privileged_leak: 1 of 1 chosen/],
  ["no pair", [], {}, /^no_preference_pairs: The source has no pairs/],
  ["ties alone", [pair("a", "b", { tie: true })], {}, /^no_preference_pairs: None of 1 pairs is left: 1 are ties/],
  ["rows", [{ prompt: "q", final_text: "a" }], {}, /^not_pairs: Entry 0 has no chosen\/rejected/],
  ["an empty side", [{ chosen: [], rejected: [ask] }], {}, /^not_pairs/],
  ["a misspelled option", [pair("a", "b")], { dropTie: true }, /^invalid_option.*dropTies/],
  ["an unknown format", [pair("a", "b")], { format: "tlr" }, /^format_unknown/],
  [
    "an image",
    [{ chosen: [ask, { role: "assistant", content: [{ type: "image" }] }], rejected: [ask, say("b")] }],
    {},
    /^consumer_refused: openai pairs hold text/,
  ],
  [
    "a call that is no JSON",
    [{ chosen: [ask, { role: "assistant", tool_calls: [{ name: "f", arguments: "{x" }] }], rejected: [ask, say("b")] }],
    { format: "trl" },
    /^tool_call_roundtrip_invalid: 1 of 1/,
  ],
] as const)("refused: %s", async (_, pairs, options, message) => {
  const output = at("refused.jsonl");
  await expect(exportPreference(pairs as unknown as PairSource[], { ...options, output })).rejects.toThrow(message);
  expect(existsSync(output)).toBe(false);
});

test("a rejected side that leaks is counted and written without its block", () => {
  const { lines, report } = preferenceLines([{ chosen: [ask, say("I may not say.")], rejected: leaky }]);
  expect(report.privilegedLeaks).toEqual({ nChecked: 1, chosen: 0, rejected: 1 });
  expect(lines[0]).not.toContain('"privileged"');
});

test("the file that is read is never written over", async () => {
  writeFileSync(at("same.jsonl"), jsonl([pair("a", "b")]));
  await expect(exportPreference(at("same.jsonl"), { output: at("same.jsonl") })).rejects.toThrow(/^source_overwrite/);
});

test("what is said about pairs: length, models, first turns, the name of the file", async () => {
  const pairs = [1, 2, 3].map((n) => pair(`${"long ".repeat(n)}a`, "b", { margin: n, same_policy: n > 1, note: n }));
  const { report } = preferenceLines(pairs, {}, { output: "dpo.jsonl" });
  expect(report.warnings.map(({ code }) => code)).toEqual(["length_confound", "mixed_policies", "not_for"]);
  expect(formatPreferenceReport(report)).toBe(`export pairs: 3 openai pairs, not written
  chosen is the longer side in 100%; mean margin 2.00
  turns: 1.0 messages shared on average, 0 nearly the same, 0 part before what failed, the better one longer in 100%, margin and length correlate at 1.00
  tool calls: 0 checked as json_string, 0 do not read back
  leaks: not measured, no side carries privileged context long enough to quote
  warning: chosen is the longer reply in 3/3 pairs: a trainer can lower its loss by length alone. Match lengths when the pairs are built.
  warning: 1 of 3 pairs compare two models, so that the trainer also learns to tell them apart by style.
  warning: dpo.jsonl sounds like a file for a preference trainer, and openai pairs fail in trl: write them with format: "trl".
  fields of pairs left out: note (3)`);
});

test("pairs are read and not changed, and the same pairs give the same lines", () => {
  const pairs = [pair("a", "b", { lineage: { chosen: {}, rejected: null } })];
  const before = structuredClone(pairs);
  const { lines } = preferenceLines(pairs, { format: "trl", systemPrompt: "S" });
  expect(pairs).toEqual(before);
  expect(preferenceLines(pairs, { format: "trl", systemPrompt: "S" }).lines).toEqual(lines);
});
