import { describe, expect, test } from "vitest";
import { buildEvalIndex } from "./build-eval-index.ts";
import { codeTokens, splitCode } from "./code-tokens.ts";
import { decontaminateSync } from "./decontaminate.ts";
import { formatDecontamination } from "./format-decontamination.ts";

test.each([
  // code, tokens
  ["a = b + 1", "#0 = #0 + number"],
  ["total = total + step", "#0 = #2 + #0"],
  ["if (x == 'y') { return None; }", "if ( #0 = = text ) return none"],
  ["for i in range(10):", "for #0 in #0 ( number ) :"],
  ["über = größe", "#0 = #0"],
])("%j is %j without its names", (code, tokens) => {
  expect(codeTokens(code).join(" ")).toBe(tokens);
});

test("names do not matter, and what is done with them does", () => {
  const renamed = "def g(xs, y):\n    for z in xs:\n        y = y + z\n    return y";
  const plain = "def f(list, sum):\n    for item in list:\n        sum = sum + item\n    return sum";
  expect(codeTokens(renamed)).toEqual(codeTokens(plain));
  expect(codeTokens(renamed.replace("y + z", "z + y"))).not.toEqual(codeTokens(plain));
});

describe("a text is split into code and prose", () => {
  test.each<[string, string, RegExp, string]>([
    ["a docstring", 'def f(a):\n    """ Adds one. """\n    return a + 1', /^def f\(a\):\s+return a \+ 1$/, "Adds one."],
    ["comments", "const a = 1; // one\n/* and\ntwo */ let b = 2;", /const a = 1;\s+let b = 2;/, "one\n and\ntwo"],
    [
      "a fence in a question",
      "What does it do?\n```py\nx = f(1)\n```\nSay it.",
      /^x = f\(1\)\s*$/,
      "What does it do?\n\n\nSay it.",
    ],
    ["two slashes that divide", "def f(a):\n    return a // 2  # half", /a \/\/ 2/, "half"],
    ["no comment in a text or an address", 'u = "http://a.b/#c"\nv = "//"', /#c"\nv = "\/\/"/, ""],
  ])("%s", (_, text, code, prose) => {
    const split = splitCode(text);
    expect(split?.code).toMatch(code);
    expect(split?.prose.replaceAll(/ {2,}/g, " ").trim()).toBe(prose);
  });

  test.each([
    "A farmer has 12 cows (and sells 3).\nHow many remain?",
    "",
    "Return the order, please; it is #4.",
    "中文问题",
  ])("%j is no program", (text) => {
    expect(splitCode(text)).toBeNull();
  });
});

describe("programs with other names", () => {
  const program = `def has_close(numbers, threshold):
    """ Whether two of the given numbers are nearer to each other than the threshold says. """
    for i, a in enumerate(numbers):
        for j, b in enumerate(numbers):
            if i != j:
                distance = abs(a - b)
                if distance < threshold:
                    return True
    return False
`;
  const [prompt, reference] = [program.split("    for")[0]!, program.slice(program.indexOf("    for"))];
  const against = [{ task_id: "e", prompt, reference }];
  const renamed = program
    .replace(/""".*"""/, '""" Near? """')
    .replaceAll("numbers", "vs")
    .replaceAll("distance", "gap")
    .replaceAll("threshold", "limit")
    .replaceAll("has_close", "near");

  test("are listed with the task they are of, and kept", () => {
    const rows = [{ prompt: renamed }, { prompt: "def add(a, b):\n    c = a + b\n    return c" }];
    const { report, rows: kept } = decontaminateSync(rows, against, { code: true });
    expect(kept).toEqual(rows);
    expect(report).toMatchObject({ nCode: 1, relatedExamples: [{ index: 0, rule: "code", evalTask: "e" }] });
    expect(formatDecontamination(report)).toContain("  code           1  a program of the evaluation with other names");
    expect(decontaminateSync(rows, against).report.nCode).toBe(0);
  });

  test("inside a longer program too", () => {
    const other = Array.from(
      { length: 12 },
      (_, i) => `def g${i}(a):\n    b${i} = [a] * ${i}\n    return b${i}.pop()\n`,
    );
    const { report } = decontaminateSync([{ prompt: `${other.join("\n")}\n${renamed}` }], against, { code: true });
    expect(report.relatedExamples).toMatchObject([{ rule: "code", evalCoverage: expect.any(Number) }]);
    expect(report.relatedExamples[0]!.evalCoverage).toBeGreaterThanOrEqual(0.8);
  });

  test("an index without programs is not one with", async () => {
    const index = await buildEvalIndex(against);
    expect(() => decontaminateSync([], index, { code: true })).toThrow("The index was built without code");
    const withCode = await buildEvalIndex(against, { code: true });
    expect(() => decontaminateSync([], withCode)).toThrow("The index was built with code");
    expect(decontaminateSync([{ prompt: renamed }], withCode, { code: true }).report.nCode).toBe(1);
  });
});
