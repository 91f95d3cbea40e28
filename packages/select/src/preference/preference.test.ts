import type { Row } from "@while/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SelectError } from "../select-error.ts";
import { buildPreferencePairs } from "./build-preference-pairs.ts";
import { firstTurn } from "./first-turn.ts";
import { formatPairReport } from "./format-pair-report.ts";
import { PAIR_MATCHINGS, type PairOptions } from "./pair-options.ts";

const reply = (prompt: string, reward: number, text: string, more: Row = {}): Row => ({
  prompt,
  reward,
  final_text: text,
  ...more,
});

const someRows = fc.array(
  fc.record({
    prompt: fc.constantFrom("q", "Q ", "w", ""),
    reward: fc.constantFrom<unknown>(0, 0.5, 1, null, 2, "1"),
    final_text: fc.string({ maxLength: 12 }),
  }),
  { maxLength: 30 },
) as fc.Arbitrary<Row[]>;

describe.each(PAIR_MATCHINGS)("matched by %s", (matching) => {
  test("a row is used once, the margin holds, and the counts add up", () => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 1, max: 5 }), (rows, maxPairsPerPrompt) => {
        const { pairs, report } = buildPreferencePairs(rows, { matching, maxPairsPerPrompt, minMargin: 0.5 });
        const used = pairs.flatMap(({ chosen, rejected }) => [chosen, rejected]);
        expect(new Set(used).size).toBe(used.length);
        for (const { margin, chosen, rejected } of pairs) {
          expect(margin).toBeGreaterThanOrEqual(0.5);
          expect(chosen.final_text).not.toBe(rejected.final_text);
        }
        expect(report.trainerPairs + report.firstTurnIdentical).toBe(report.pairs);
        expect(report.note === null).toBe(pairs.length > 0);
      }),
    );
  });
});

test("closest matches both sides: the best reply need not be the first one", () => {
  const rows = [reply("q", 1, "x".repeat(90)), reply("q", 1, "x".repeat(40)), reply("q", 0, "y".repeat(42))];
  expect(buildPreferencePairs(rows).pairs[0]!.length_delta).toBe(-2);
  expect(buildPreferencePairs(rows, { matching: "ranked" }).pairs[0]!.length_delta).toBe(48);
});

test("identical replies with unlike scores are refused and said", () => {
  const { pairs, report } = buildPreferencePairs([reply("q", 1, "same"), reply("q", 0, "same")]);
  expect(pairs).toEqual([]);
  expect(report.identicalReplies).toBe(1);
  expect(report.warnings.join()).toContain("the judge contradicts itself");
});

test("a reply that quotes its privileged block is in no pair", () => {
  const leaking = reply("q", 1, "The key says: refund of 40 dollars", {
    privileged: { reference: "refund of 40 dollars" },
  });
  const { pairs, report } = buildPreferencePairs([leaking, reply("q", 0, "no")]);
  expect({ pairs: pairs.length, leaked: report.privilegedLeaks.nDropped }).toEqual({ pairs: 0, leaked: 1 });
});

test("phrasings of one task pair when asked to", () => {
  const rows = [
    reply("Where is it?", 1, "Here.", { scenario_id: "s" }),
    reply("where's it", 0, "No.", { scenario_id: "s" }),
  ];
  expect(buildPreferencePairs(rows).pairs).toHaveLength(0);
  expect(buildPreferencePairs(rows, { groupBy: "task" }).pairs).toHaveLength(1);
});

test("what is left out is counted by why", () => {
  const rows = [
    reply("q", 1, "a"),
    reply("q", 7, "b"),
    { prompt: "q", final_text: "c" },
    reply("q", 0, "d", { judge_status: "error" }),
    reply(" ", 0, "e"),
    null as never,
  ];
  expect(buildPreferencePairs(rows).report.unscored).toEqual({
    notOk: 1,
    noReward: 1,
    outOfRange: 1,
    noPrompt: 1,
    notRows: 1,
  });
});

test.each<[string, Row, string]>([
  [
    "a step's call",
    { steps: [{ tool: "find", arguments: { b: 1, a: 2 } }] },
    '{"arguments": {"a": 2, "b": 1}, "name": "find"}',
  ],
  [
    "a message's call",
    { messages: [{ role: "assistant", content: "", tool_calls: [{ name: "find", arguments: { a: 1 } }] }] },
    '{"arguments": {"a": 1}, "name": "find"}',
  ],
  ["a step's words", { steps: [{ text: "  " }, { text: "Looking." }], final_text: "Done." }, "Looking."],
  ["a message's words", { messages: [{ role: "assistant", content: "Hello." }] }, "Hello."],
  ["the final text", { final_text: "Done." }, "Done."],
])("the first turn is %s", (_, row, expected) => {
  expect(firstTurn(row)).toBe(expected);
});

test("the report of a length confound, printed", () => {
  const rows = ["a", "b", "c"].flatMap((prompt) => [reply(prompt, 1, "long answer"), reply(prompt, 0, "short")]);
  const { report } = buildPreferencePairs(rows);
  expect(formatPairReport(report)).toBe(
    [
      "3 pairs of 3 of 3 prompts, mean margin 1.00",
      "  chosen is longer in 100%, by 6 characters at the median",
      "  first turns differ in 3",
      "! The chosen reply is the longer one in 3 of 3 pairs: a model would learn length. Match lengths, or sample more rollouts to match among.",
    ].join("\n"),
  );
});

test.each<[PairOptions, RegExp]>([
  [{ minMargin: -1 }, /min_margin must be positive/],
  [{ maxPairsPerPrompt: 0 }, /maxPairsPerPrompt/],
  [{ matching: "best" as never }, /closest, ranked/],
  [{ minMargn: 1 } as never, /minMargin/],
])("%j is refused", (options, message) => {
  expect(() => buildPreferencePairs([], options)).toThrow(SelectError);
  expect(() => buildPreferencePairs([], options)).toThrow(message);
});
