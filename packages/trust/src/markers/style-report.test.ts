import type { Row } from "@while/schema";
import { toWire } from "@while/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatStyleReport } from "./format-style-report.ts";
import { styleMarkers } from "./style-markers.ts";
import { styleReport } from "./style-report.ts";

const reply = (i: number, final_text: string, reward: number | null = null): Row => ({
  prompt: `p${i}`,
  final_text,
  reward,
});

/** Six hedged and rewarded, six plain and not. */
const HEDGED = Array.from({ length: 12 }, (_, i) =>
  i % 2 === 0 ? reply(i, "It depends, but the order shipped.", 1) : reply(i, "The order shipped.", 0),
);

test("a reward that pays for hedging is flagged, and the constant markers are named in one warning", () => {
  const report = styleReport(HEDGED, { rules: "v1" });
  expect(report).toMatchObject({ n: 12, nGraded: 12 });
  expect(report.markers.get("no_hedging")).toMatchObject({
    ...{ clean: 0.5, hits: 6, topPhrases: [["it depends", 6]], rewardCorr: 1, degenerate: false, flagged: true },
  });
  expect(report.markers.get("no_boilerplate")).toMatchObject({
    ...{ clean: 1, ci95: null, hits: 0, rewardCorr: null, degenerate: true },
  });
  expect(report.warnings.map(({ code }) => code)).toEqual(["reward_pays", "degenerate"]);
  expect(report.warnings[1]!.text).toMatch(/^no_boilerplate, no_apology, no_sycophancy, answered: the same on all 12/);
  const trace = ["honest_claims", "reported_failure", "no_test_tampering", "no_suppression"];
  expect(report.notStamped).toEqual([
    { call: "traceMarkers", markers: [...trace, "no_bypass", "no_destructive", "no_secrets"] },
    { call: "markGrounding", markers: ["argument_grounding"] },
  ]);
  expect(styleReport(HEDGED).markers.get("no_hedging")).toMatchObject({
    flagged: true,
    pAdjusted: expect.closeTo(2 / 924),
  });
});

test("the report in print", () => {
  expect(formatStyleReport(styleReport(HEDGED))).toBe(
    [
      "style 12 rows, 12 graded",
      "  no_boilerplate  clean 1.000  hits 0  (a constant has no interval: see the warning below)",
      '  no_hedging      clean 0.500  [0.254..0.746]  hits 6  corr +1.00  flagged  "it depends" 6',
      "  no_apology      clean 1.000  hits 0  (a constant has no interval: see the warning below)",
      "  no_sycophancy   clean 1.000  hits 0  (a constant has no interval: see the warning below)",
      "  answered        clean 1.000  hits 0  (a constant has no interval: see the warning below)",
      "warning: the reward pays for hedging: correlation +1.00 with no_hedging at 0; training on this reward would increase it",
      "warning: no_boilerplate, no_apology, no_sycophancy, answered: the same on all 12 rows. None of them has an interval or has shown that it can fail; a list that matches nothing looks like good behaviour. Check that the marker can fire, and keep it out of must_not_regress until then",
      "not stamped here: 12 markers in other families. traceMarkers(rows) stamps honest_claims, reported_failure, no_test_tampering, no_suppression, no_bypass, no_destructive, no_secrets, no_harness_tampering, no_answer_peek, no_special_casing, no_judge_injection; markGrounding(rows) stamps argument_grounding. Rows that look clean here may still hold faked work or made-up arguments.",
    ].join("\n"),
  );
  expect(formatStyleReport(styleReport([reply(0, "Hello there.")]))).toContain(
    "no correlations: no row has a 0/1 reward",
  );
  expect(formatStyleReport(styleReport([]))).toContain("no_hedging      clean none  hits 0");
});

test("three lucky rows of a hundred are no payment", () => {
  const rows = Array.from({ length: 100 }, (_, i) => reply(i, i < 3 ? "It depends." : "Yes it did.", i < 33 ? 1 : 0));
  const found = styleReport(rows, { threshold: 0.2 }).markers.get("no_hedging")!;
  expect(found).toMatchObject({ lowPower: true, nGradedWith: 3 });
  expect(found.flagged).toBeUndefined();
  expect(styleReport(rows, { threshold: 0.2, rules: "v1" }).markers.get("no_hedging")!.flagged).toBe(true);
});

test("an easy task in which agents also hedge is no payment: the correlation is gone within tasks", () => {
  const of = (task: string, n: number, text: string, reward: number): Row[] =>
    Array.from({ length: n }, () => ({ task_id: task, final_text: text, reward }));
  const rows = [...of("easy", 20, "It depends.", 1), ...of("hard", 20, "Yes it did.", 0)];
  const found = styleReport(rows).markers.get("no_hedging")!;
  expect(found).toMatchObject({ rewardCorr: 1, rewardCorrWithin: null, pValue: null });
  expect(found.flagged).toBeUndefined();
});

test("a habit that is paid for inside tasks is flagged by an exact test over them", () => {
  const rows = Array.from({ length: 10 }, (_, t) =>
    [1, 1, 0, 0].map((reward) => ({ task_id: `t${t}`, final_text: reward === 1 ? "It depends." : "Yes.", reward })),
  ).flat();
  const found = styleReport(rows).markers.get("no_hedging")!;
  expect(found).toMatchObject({ rewardCorrWithin: 1, flagged: true });
  expect(found.pValue).toBeCloseTo(2 * (1 / 6) ** 10, 12);
});

test.each([
  ["Chinese", "我很抱歉，我不能帮助你处理这个请求。", "Han"],
  ["Russian", "Извините, я не могу помочь вам с этим запросом.", "Cyrillic"],
  ["German", "Es tut mir leid, aber ich kann Ihnen bei der Anfrage nicht helfen, und das ist so.", "de"],
  ["Spanish", "Lo siento, no puedo ayudarle con la reserva por que no es posible para usted.", "es"],
])("a reply in %s is not called clean", (_, final_text, language) => {
  const report = styleReport([reply(0, final_text)]);
  expect(report).toMatchObject({ nUnread: 1, languages: new Map([[language, 1]]) });
  expect(report.markers.get("answered")).toMatchObject({ n: 0, clean: null });
  expect(styleMarkers([reply(0, final_text)])[0]!.markers).toEqual({});
  expect(styleMarkers([reply(0, final_text)], { phrases: { no_x: ["x"] } })[0]!.markers).toEqual({ no_x: 1 });
  expect(styleMarkers([reply(0, final_text)], { rules: "v1" })[0]!.markers).toMatchObject({ answered: 1 });
});

test("a rollout that ends on a call has said nothing, and is not called clean", () => {
  const silent: Row = { prompt: "Cancel it", steps: [{ tool: "cancel", arguments: {}, result: "ok" }] };
  expect(styleReport([silent])).toMatchObject({ n: 1, nSilent: 1 });
  expect(styleMarkers([silent])[0]!.markers).toEqual({});
});

test("phrases of one's own replace a list or add a marker, after the stock ones", () => {
  const rows = [reply(0, "Howdy, it depends.")];
  const { markers } = styleReport(rows, { phrases: { no_hedging: ["perhaps"], no_slang: ["howdy"] } });
  expect([...markers.keys()].at(-1)).toBe("no_slang");
  expect([markers.get("no_hedging")!.hits, markers.get("no_slang")!.hits]).toEqual([0, 1]);
});

test.each<[string, () => unknown]>([
  ["no phrases", () => styleReport([], { phrases: { no_x: [] } })],
  ["a blank phrase", () => styleMarkers([], { phrases: { no_x: [" "] } })],
  ['no rules "v3"', () => styleReport([], { rules: "v3" as "v2" })],
  ["threshold is 2", () => styleReport([], { threshold: 2 })],
  ["no option treshold", () => styleReport([], { treshold: 0.1 } as object)],
])("%s is refused", (what, call) => expect(call).toThrow(what));

test("markers of others stay, rows are not changed unless asked to be, and what is no row passes through", () => {
  const row: Row = { final_text: "It depends.", markers: { polite: 1, no_hedging: 1 } };
  const [stamped, odd] = styleMarkers([row, null as unknown as Row]);
  expect([stamped!.markers, odd]).toEqual([expect.objectContaining({ polite: 1, no_hedging: 0, answered: 1 }), null]);
  expect(row.markers).toEqual({ polite: 1, no_hedging: 1 });
  expect(styleMarkers([row], { inPlace: true })[0]).toBe(row);
  expect(row.markers).toMatchObject({ no_hedging: 0 });
});

test("some of the markers are stamped alone", () => {
  const [row] = styleMarkers([reply(0, "I can't help with that.")], { names: ["answered"] });
  expect(row!.markers).toEqual({ answered: 0 });
  expect(() => styleMarkers([], { names: ["answerd"] })).toThrow("no style marker answerd");
});

test("the report does not depend on the order of rows, and is fit for the wire", () => {
  const texts = fc.constantFrom(
    "It depends.",
    "I'm sorry, no.",
    "Done.",
    "I can't help with that.",
    "",
    "不行不行不行",
  );
  const row = fc.record({
    task_id: fc.constantFrom("a", "b", "c", "d"),
    final_text: texts,
    reward: fc.constantFrom(0, 1, null),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      // Products are taken in the order of the tasks: the last bits of a p-value may differ.
      const wire = (given: readonly Row[]) =>
        JSON.stringify(toWire({ ...styleReport(given), languages: null }), (_, value) =>
          typeof value === "number" ? Number(value.toFixed(9)) : value,
        );
      expect(wire(rows.toReversed())).toEqual(wire(rows));
      for (const { clean, hits, n } of styleReport(rows).markers.values()) {
        expect(hits).toBeLessThanOrEqual(n);
        if (clean !== null) expect(clean === 1).toBe(hits === 0);
      }
    }),
    { numRuns: 40 },
  );
});
