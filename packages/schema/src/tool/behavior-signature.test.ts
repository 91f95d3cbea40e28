import { describe, expect, test } from "vitest";
import { behaviorSignature, behaviorText } from "./behavior-signature.ts";

const withTool = (tool: string) => behaviorText({ steps: [{ tool }] });

test.each([
  // tool name, as Python's repr displays it
  ["it's", `"it's"`],
  ['say "hi"', `'say "hi"'`],
  [`it's "x"`, `'it\\'s "x"'`],
  ["a\\b\n\t\r", "'a\\\\b\\n\\t\\r'"],
  ["é☕\u200b\u00a0\u007f\u0000", "'é☕\\u200b\\xa0\\x7f\\x00'"],
  ["📦\u{e0001}", "'📦\\U000e0001'"],
])("the name %j is displayed as %s", (tool, repr) => {
  expect(withTool(tool)).toBe(`(((${repr}, (), ''),), False, 0)`);
});

describe("where an argument comes from", () => {
  const row = (given: object) => ({
    prompt: "Cancel order A-991",
    steps: [
      { tool: "look", arguments: {}, result: { owner: "bo@x.y", n: 12 } },
      { tool: "look", arguments: {}, result: "nothing more" },
      { tool: "act", arguments: given },
    ],
  });

  test.each([
    ["a-991", "user"],
    ["BO@X.Y", "derived"],
    [12, "derived"],
    ["eve", "invented"],
    ["", "absent"],
    [null, "absent"],
  ])("%j is %s", (value, from) => {
    expect(behaviorText(row({ v: value }))).toContain(`('act', (('v', '${from}'),), '')`);
  });

  test("a later result explains nothing", () => {
    const steps = [{ tool: "act", arguments: { v: "zz" }, result: { v: "zz" } }];
    expect(behaviorText({ prompt: "p", steps })).toContain("invented");
  });
});

test("arguments are sorted by name, so their order in the call does not matter", () => {
  const one = { prompt: "p", steps: [{ tool: "t", arguments: { b: 1, a: 2 } }] };
  const other = { prompt: "p", steps: [{ tool: "t", arguments: { a: 2, b: 1 } }] };
  expect(behaviorSignature(one)).toBe(behaviorSignature(other));
});

test.each([
  [0, 0],
  [11, 0],
  [12, 1],
  [143, 11],
  [144, 12],
  [900, 12],
])("a reply of %i words is in bucket %i", (nWords, bucket) => {
  expect(behaviorText({ final_text: "word ".repeat(nWords) })).toBe(`((), False, ${bucket})`);
});
