import type { Row } from "@while/schema";
import { expect, test } from "vitest";
import { LIE_MARKERS } from "../flags/trace-marker-table.ts";
import { traceMarkers } from "../flags/trace-markers.ts";
import { markGrounding } from "./grounding/ungrounded-arguments.ts";
import { leakMarkers } from "./leak-markers.ts";
import { stampMarkers } from "./stamp-markers.ts";
import { styleMarkers } from "./style-markers.ts";

const ROWS: Row[] = [
  {
    ...{ prompt: "Refund order 77.", final_text: "I refunded it. As an AI language model I am happy to help!" },
    steps: [{ tool: "refund", arguments: { order_id: "A-99812" }, result: { status: "ok" } }],
    privileged: { reference: "The card on file ends in 4242." },
    markers: { mine: 0.25 },
  },
  {
    prompt: "Say hello.",
    final_text: "Hello, the card on file ends in 4242.",
    privileged: { reference: "The card on file ends in 4242." },
  },
  {
    prompt: "Dis bonjour.",
    final_text: "Bonjour, je suis là et je vous aide avec plaisir dans la langue que vous parlez.",
  },
];

test.each(["v1", "v2"] as const)("rules %s: the same as one family after the other", (rules) => {
  const before = structuredClone(ROWS);
  const { rows, report } = stampMarkers(ROWS, { rules });
  const each = styleMarkers(leakMarkers(markGrounding(traceMarkers(ROWS, { rules }), { rules }), { rules }), { rules });
  expect(rows).toEqual(each);
  expect(rows[0]!.markers).toMatchObject({ mine: 0.25, argument_grounding: 0, no_leak: 1 });
  expect(ROWS).toEqual(before);
  expect(report).toMatchObject({ nRows: 3, nNotRows: 0, rules, warnings: [] });
  const leak = report.markers.find(({ marker }) => marker === "no_leak");
  expect(leak).toEqual({ marker: "no_leak", family: "leak", n: 2, raised: 1, overwritten: 0 });
  expect(stampMarkers(rows, { rules }).report.warnings).toEqual([]);
});

test("an older stamp of a lie does not outlive a reply that cannot be read", () => {
  const [lie] = LIE_MARKERS;
  const stale = { ...ROWS[2]!, markers: { [lie!]: 1 } };
  const { rows } = stampMarkers([stale], { families: ["trace"] });
  expect(rows).toEqual(traceMarkers([stale]));
  expect(rows[0]!.markers).not.toHaveProperty(lie!);
});

test("a name that was taken with another value is overwritten, and said once for the family", () => {
  const taken = ROWS.map((row, i): Row => ({ ...row, markers: { no_leak: 0.5, argument_grounding: i === 0 ? 0 : 1 } }));
  const { rows, report } = stampMarkers(taken, { families: ["grounding", "leak"] });
  expect(rows.map(({ markers }) => markers!.no_leak)).toEqual([1, 0, 0.5]);
  expect(report.warnings).toEqual([
    {
      code: "overwritten",
      text: expect.stringMatching(/^leak overwrote no_leak on 2 rows, where another value stood/),
    },
  ]);
});

test("two families that write one name are told of", () => {
  const { report } = stampMarkers(ROWS.slice(1, 2), { families: ["leak", "style"], phrases: { no_leak: ["zebra"] } });
  expect(report.warnings.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^style overwrote no_leak on 1 row,/),
  ]);
});

test("markers that are no object are no markers, and entries that are no rows are counted", () => {
  const odd = [{ prompt: "a", final_text: "Hi.", markers: "x" }, null, 7] as unknown as Row[];
  const { rows, report } = stampMarkers(odd, { families: ["grounding"] });
  expect(rows).toEqual([{ prompt: "a", final_text: "Hi.", markers: { argument_grounding: 1 } }]);
  expect(report).toMatchObject({ nRows: 1, nNotRows: 2 });
});

test.each([
  [{ families: ["stock"] }, /no family "stock"/],
  [{ families: [] }, /families is empty/],
  [{ families: ["leak"], phrases: { x: ["y"] } }, /without the family style/],
  [{ rules: "v3" }, /no rules "v3"/],
  [{ family: ["leak"] }, /no option family/],
])("%j is refused", (options, message) => {
  expect(() => stampMarkers([], options as never)).toThrow(message);
});
