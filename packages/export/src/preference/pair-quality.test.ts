import { expect, test } from "vitest";
import type { PreferenceOptions } from "./pair-lines.ts";
import { preferenceLines } from "./preference-lines.ts";
import type { PairSource } from "./wire-pair.ts";

const ask = { role: "user", content: "Refund 42." };
const say = (content: string) => ({ role: "assistant", content });
const call = (args: object, content = "") => ({
  role: "assistant",
  content,
  tool_calls: [{ id: "c", type: "function", function: { name: "refund", arguments: JSON.stringify(args) } }],
});
const answer = { role: "tool", content: "ok", tool_call_id: "c" };
const pair = (chosen: object[], rejected: object[], more: object = {}) =>
  ({ chosen: [ask, ...chosen], rejected: [ask, ...rejected], ...more }) as unknown as PairSource;
const reportOf = (pairs: PairSource[], options: PreferenceOptions = {}) =>
  preferenceLines(pairs, { format: "trl", ...options }).report;

test.each<[string, object[], object[], number]>([
  ["texts alike to nine tenths", [say("It was refunded today.")], [say("It was refunded today!")], 1],
  ["other texts", [say("It was refunded today.")], [say("I cannot do that.")], 0],
  ["one value of the arguments", [call({ id: 42, amount: 5 })], [call({ amount: 6, id: 42 })], 1],
  ["two values", [call({ id: 42, amount: 5 })], [call({ id: 43, amount: 6 })], 0],
  ["a nested value", [call({ a: { b: [1, 2] } })], [call({ a: { b: [1, 3] } })], 1],
  ["a call beside a text", [call({ id: 42 })], [say("")], 0],
])("nearly the same: %s", (_, chosen, rejected, nearIdentical) => {
  expect(reportOf([pair(chosen, rejected)])).toMatchObject({ pairs: 1, nearIdentical });
});

test("turns that are nearly the same are warned about from a fifth of the pairs", () => {
  const near = pair([say("It was refunded today.")], [say("It was refunded today!")]);
  const far = pair([say("It was refunded today.")], [say("I cannot do that.")]);
  const codes = (pairs: PairSource[]) => reportOf(pairs).warnings.map(({ code }) => code);
  expect(codes([near, far, far, far, far])).toContain("likelihood_displacement");
  expect(codes([near, far, far, far, far, far])).not.toContain("likelihood_displacement");
});

test("blame: the sides part in how they greet, and what failed is cut", () => {
  const late = pair([say("Hello!"), ask, call({ id: 42 })], [say("Good day."), ask, call({ id: 43 })], {
    rejected_failure_class: "wrong_order",
  });
  const report = reportOf([late]);
  expect(report).toMatchObject({ blameGap: 1, turnsCut: 1, meanSharedMessages: 1 });
  expect(report.warnings.map(({ code }) => code)).toContain("blame_gap");
  // Without a class, without anything behind the turn, or where the calls differ, nobody is to blame later.
  const { rejected_failure_class: _, ...unknown } = late;
  expect(reportOf([unknown as PairSource]).blameGap).toBe(0);
  expect(reportOf([pair([say("Hello!")], [say("No.")], { rejected_failure_class: "x" })]).blameGap).toBe(0);
  const acts = pair([call({ id: 42 }), answer, say("a")], [call({ id: 43 }), answer, say("b")]);
  expect(reportOf([{ ...acts, rejected_failure_class: "x" }]).blameGap).toBe(0);
});

test("how much longer the better turn is, and whether the margin follows it", () => {
  const pairs = [1, 2, 3].map((margin) => pair([say("a".repeat(10 * margin))], [say("b")], { margin }));
  expect(reportOf(pairs)).toMatchObject({ turnLongerFrac: 1, marginLengthCorrelation: 1 });
  expect(reportOf(pairs.slice(1))).toMatchObject({ turnLongerFrac: 1, marginLengthCorrelation: null });
  expect(reportOf([], { validate: false })).toMatchObject({ nearIdentical: null, turnLongerFrac: null });
});

test("point branch: cut where the pair says it was sampled from, and never guessed", () => {
  const shared = [call({ id: 42 }), answer];
  const at = (branch_at: unknown) => ({ lineage: { branch_at } });
  const pairs = [
    pair([...shared, say("Refunded.")], [...shared, say("No.")], at(1)),
    pair([...shared, say("Refunded.")], [...shared, say("No.")], at(0)),
    pair([...shared, say("Refunded.")], [...shared, say("No.")]),
  ];
  const report = reportOf(pairs, { point: "branch" });
  expect(report).toMatchObject({ pairs: 1, pairsIn: 3, noCompletionDropped: 1, noBranchDropped: 1 });
  expect(reportOf(pairs)).not.toHaveProperty("noBranchDropped");
  expect(() => reportOf(pairs.slice(2), { point: "branch" })).toThrow(/1 do not say where they branch/);
  expect(() => reportOf(pairs, { point: "branch", format: "openai" })).toThrow(/^invalid_option: point is "branch"/);
  expect(() => reportOf(pairs, { point: "last" as never })).toThrow(/^invalid_option: point is "last"/);
});

test("axolotl: a short reply may be found in the template", () => {
  const codes = (reply: string) =>
    reportOf([pair([say(reply)], [say("I cannot do that.")])], { format: "axolotl" }).warnings.map(({ code }) => code);
  expect(codes("Done.")).toEqual(["axolotl_short_reply"]);
  expect(codes("It is done.")).toEqual([]);
});
