import { expect, test } from "vitest";
import { TrustError } from "../trust-error.ts";
import { candidateText } from "./candidate-text.ts";
import { allOf, anyOf, weighted } from "./combine.ts";
import { exactMatch } from "./exact-match.ts";
import { extractAnswer } from "./extract-answer.ts";
import { includes } from "./includes.ts";
import { referenceOf } from "./reference-of.ts";
import { VERIFIERS, verifierByName } from "./registry.ts";
import { rowToolCalls } from "./row-tool-calls.ts";
import { verifierOf } from "./verifier.ts";

test.each<[row: Record<string, unknown>, field: string | undefined, path: string | null, isPrivileged: boolean]>([
  [{ answer: 1, privileged: { reference: 2 } }, undefined, "privileged.reference", true],
  [{ answer: 1, privileged: { answer: 2 } }, undefined, "answer", false],
  [{ target: 0, label: 1 }, undefined, "target", false],
  [{ info: { answer: "x" } }, undefined, "info.answer", false],
  [{ metadata: { gold: "x" } }, undefined, null, false],
  [{ metadata: { gold: "x" } }, "metadata.gold", "metadata.gold", false],
  [{ "metadata.gold": "x" }, "metadata.gold", "metadata.gold", false],
  [{ privileged: { hidden: ["a", "b"] } }, "privileged.hidden.1", "privileged.hidden.1", true],
  [{ answer: " ", expected: "x" }, undefined, "expected", false],
  [{ answer: null }, undefined, null, false],
  [{ answer: "x" }, "constructor.name", null, false],
  [{ answer: false }, undefined, "answer", false],
])("referenceOf(%j, %j)", (row, field, path, isPrivileged) => {
  const found = referenceOf(row, field);
  expect(found === null ? null : found.path).toBe(path);
  expect(found?.isPrivileged ?? false).toBe(isPrivileged);
});

test("the candidate is the final text, else what the assistant said last", () => {
  const messages = [
    { role: "assistant", content: "one" },
    { role: "assistant", content: [{ type: "text", text: "two" }] },
    { role: "assistant", content: null, tool_calls: [] },
  ];
  expect(candidateText({ final_text: "zero", messages })).toBe("zero");
  expect(candidateText({ messages })).toBe("two");
  expect(candidateText({ messages: [...messages, { role: "user", content: "three" }] })).toBe("");
  expect(candidateText({})).toBe("");
});

test("the tool calls of a row come from its messages, else from its steps", () => {
  const nested = { id: "c1", function: { name: "refund", arguments: '{"order": 7}' } };
  const steps = [{ user: "hi" }, { tool: "look", arguments: { id: 1 }, result: {} }, { tool: "stop" }];
  const messages = [{ role: "assistant", tool_calls: [nested, { name: "close", arguments: "{" }] }];
  expect(rowToolCalls({ messages, steps }).map(({ name }) => name)).toEqual(["refund", "close"]);
  expect(rowToolCalls({ messages })[0]).toMatchObject({ name: "refund", arguments: { order: 7 } });
  expect(rowToolCalls({ messages })[1]).toMatchObject({ name: "close", arguments: {}, raw: "{" });
  expect(rowToolCalls({ steps })).toMatchObject([
    { name: "look", arguments: { id: 1 } },
    { name: "stop", arguments: {} },
  ]);
  expect(rowToolCalls({})).toEqual([]);
});

test.each([
  [true, 1, "V: passed"],
  [0.5, 0.5, "V: scored 0.5"],
  [-3, 0, "V: failed"],
  [7, 1, "V: passed"],
  [null, null, "V: cannot tell"],
  [[0, "too long"], 0, "V: too long"],
  [[0, "want gold"], 0, "V: want gold"],
] as const)("a check that says %j", (said, reward, reason) => {
  const verifier = verifierOf("V", () => said);
  expect(verifier({ answer: "gold" })).toEqual({ reward, reason, judge_meta: { verifier: "V" } });
});

test("a privileged key is quoted in no reason, and the reason is cut behind that", () => {
  const gold = "x".repeat(500);
  const verifier = verifierOf("V", () => [0, `${"-".repeat(390)} ${gold} and 42`]);
  const { reason } = verifier({ privileged: { reference: gold } });
  expect(reason).not.toContain("x");
  expect([...reason!].length).toBe(400);
});

test("what a verifier cannot do is a null with its error; what goes wrong in it passes through", async () => {
  const cannot = () => {
    throw new TrustError("cannot_verify", "No interpreter for 42.", "Install one.");
  };
  const said = { reward: null, reason: "V: No interpreter for <reference>." };
  expect(verifierOf("V", cannot)({ privileged: { answer: 42 } })).toMatchObject({
    ...said,
    judge_meta: { error: said.reason },
  });
  expect(await verifierOf("V", async () => cannot())({ privileged: { answer: 42 } })).toMatchObject(said);
  const broken = () => {
    throw new RangeError("mine");
  };
  expect(() => verifierOf("V", broken)({ answer: 1 })).toThrow("mine");
  expect(verifierOf("V", () => Number.NaN)({ answer: 1 })).toMatchObject({ reward: null, reason: "V: V scored NaN." });
});

test("without a reference the verdict is null, and says where it was looked for", () => {
  expect(exactMatch()({ final_text: "x" }).reason).toBe("ExactMatch: the row has no reference");
  expect(exactMatch({ field: "info.gold" })({ answer: "x" })).toMatchObject({
    reward: null,
    reason: "ExactMatch: the row has no reference at info.gold",
  });
});

test("the version of a verifier changes with whatever changes its verdicts", () => {
  const versions = [
    exactMatch().version,
    exactMatch({ field: "gold" }).version,
    includes({ texts: "a" }).version,
    includes({ texts: "b" }).version,
    allOf([exactMatch()]).version,
    allOf([exactMatch({ field: "gold" })]).version,
    weighted([[exactMatch(), 1]]).version,
    weighted([[exactMatch(), 2]]).version,
  ];
  expect(new Set(versions).size).toBe(versions.length);
  expect(exactMatch().version).toBe(exactMatch().version);
});

const said = (name: string, score: number | null) =>
  verifierOf(name, () => [score, `because of ${name}`], { needsReference: false });
const A = said("A", 0.25);
const B = said("B", 1);
const UNKNOWN = said("U", null);

test("All is the lowest, Any the highest, Weighted the mean; null parts count as each says", async () => {
  const parts = [
    { verifier: "B", score: 1, reason: "B: because of B" },
    { verifier: "A", score: 0.25, reason: "A: because of A" },
  ];
  expect(await allOf([B, A])({})).toEqual({
    reward: 0.25,
    reason: "All: A: because of A",
    judge_meta: { verifier: "All", parts },
  });
  expect(await allOf([B, UNKNOWN])({})).toMatchObject({ reward: null, reason: "All: U: because of U" });
  expect(await anyOf([A, UNKNOWN, B])({})).toMatchObject({ reward: 1, reason: "Any: B: because of B" });
  expect(await anyOf([UNKNOWN])({})).toMatchObject({ reward: null });
  const mean = weighted([
    [A, 1],
    [B, 2],
  ]);
  expect(await mean({})).toMatchObject({ reward: 0.75, reason: "Weighted: A 0.25, B 1" });
  expect(await weighted([[UNKNOWN, 1]])({})).toMatchObject({ reward: null });
});

test("combinators refuse nothing to combine, and weights that weigh nothing", () => {
  expect(() => allOf([])).toThrow("All got no verifiers.");
  expect(() => weighted([[A, 0]])).toThrow("The weights are 0.");
  expect(() =>
    weighted([
      [A, -1],
      [B, 2],
    ]),
  ).toThrow("The weights are -1, 2.");
});

test.each([
  ["so \\boxed{\\frac{1}{2}} and", "\\frac{1}{2}"],
  ["\\boxed{1} then \\boxed {2}", "2"],
  ["\\boxed{1} then \\boxed{2", "1"],
  ["The answer is 3.14.", "3.14"],
  ["The answer is 3.14. It is pi.", "3.14"],
  ["**Final answer:** 42\nthanks", "42"],
  ["The final answer is: **-3/4**.", "-3/4"],
  ["Answer: 1 result = 7", "7"],
  ["reasoning\n#### 1,234", "1,234"],
  ["It follows.\n\n x = 5 \n", "x = 5"],
  ["Answers are 1 and 2", "1 and 2"],
  ["The answer is", "The answer is"],
  ["", ""],
])("extractAnswer(%j) is %j", (text, answer) => expect(extractAnswer(text)).toBe(answer));

test.each([
  ["Numeric:tol=0.5", "4.6", "5", 1],
  ["MathEqual", "1/2", "0.5", 1],
  ["ExactMatch", "x", "x", 1],
  ["exactmatch:field=info.gold", "x", "y", null],
  ["Includes:refund", "a refund", null, 1],
  ["MultipleChoice:choices=4", "E", "A", 0],
  ["Regex:^a:b$", "a:b", null, 1],
  ["JsonValid:array", "{}", null, 0],
  ["JsonField:a.b=5", '{"a": {"b": 5}}', null, 1],
  ["JsonField:a=yes", '{"a": "Yes"}', null, 1],
  ["JsonField:a", "{}", null, 0],
  ['JsonSchema:{"type": "array"}', "[]", null, 1],
])("verifierByName(%j)", async (name, final_text, answer, reward) => {
  expect((await verifierByName(name)({ final_text, answer })).reward).toBe(reward);
});

test.each([
  ["ExactMatsh", "Did you mean ExactMatch?"],
  ["", "There is no verifier ."],
  ["MultipleChoice:choices=x", "MultipleChoice got choices=x."],
  ["MultipleChoice:4", "MultipleChoice got 4."],
  ["ExactMatch:__proto__=1", "ExactMatch got __proto__=1."],
  ["Regex", "Regex needs a pattern."],
  ["JsonSchema:5", "JsonSchema got 5."],
  ["JsonValid:list", "topType is list."],
])("verifierByName(%j) is refused", (name, message) => expect(() => verifierByName(name)).toThrow(message));

test("every entry of the registry is found by its name", () => {
  for (const { name } of VERIFIERS)
    expect(() => verifierByName(name.toLowerCase())).not.toThrow("There is no verifier");
});
