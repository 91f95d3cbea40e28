import { existsSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { codeExec, PROGRAM_VERIFIERS } from "../src/files.ts";
import { runJudge, VERIFIERS, verifierByName } from "../src/index.ts";

/** An interpreter comes up in a moment, and on a machine with thirty other things to do in many seconds. */
const PATIENT = { timeoutMs: 110_000 };
const ADD = "def add(a, b):\n    return a + b\n";
const TESTS = "def test_small():\n    assert add(1, 2) == 3\n\ndef test_text():\n    assert add('a', 'b') == 'ab'\n";

test.each<[why: string, reply: string, tests: string, reward: number | null, reason: string]>([
  ["a right program", `Here:\n\`\`\`python\n${ADD}\`\`\``, TESTS, 1, "2 of 2 tests passed"],
  ["without a fence", ADD, "assert add(1, 2) == 3", 1, "1 of 1 tests passed"],
  ["both kinds of test", ADD, `assert add(0, 0) == 0\n${TESTS}`, 1, "3 of 3 tests passed"],
  ["an async test", ADD, "async def test_a():\n    assert add(1, 1) == 2", 1, "1 of 1 tests passed"],
  ["a wrong one", ADD.replace("+", "-"), TESTS, 0, "2 of 2 tests failed: test_small: AssertionError"],
  ["one that raises", "raise ValueError('no')", TESTS, 0, "the program failed: ValueError: no"],
  ["one that is no Python", "def add(", TESTS, 0, "the program failed: SyntaxError"],
  ["an early exit", `${ADD}import sys\nsys.exit(0)`, TESTS, 0, "the program failed: SystemExit: 0"],
  ["a hard exit", `${ADD}import os\nos._exit(0)`, TESTS, 0, "the program ended before its tests had run"],
  [
    "an exit inside of a test",
    "import os\ndef add(a, b): os._exit(0)",
    TESTS,
    0,
    "the program ended before its tests had run",
  ],
  [
    "a report of its own",
    `import os\nos.write(3, b'{"nonce": ""}')`,
    TESTS,
    0,
    "the program failed: OSError: [Errno 9] Bad file descriptor",
  ],
  [
    "tests of its own",
    "def test_small(): pass\ndef test_text(): pass",
    TESTS,
    0,
    "2 of 2 tests failed: test_small: NameError: name 'add' is not defined",
  ],
  ["the block of a script", `${ADD}if __name__ == "__main__":\n    add(1)`, TESTS, 1, "2 of 2 tests passed"],
  ["tests that are no Python", ADD, "assert add(", null, "the tests cannot be read: SyntaxError"],
  [
    "tests of nothing",
    ADD,
    "# none yet\nimport math",
    null,
    "the tests test nothing: no statement and no function test_…",
  ],
  ["no code", " ", TESTS, 0, "no code in the reply"],
])("CodeExec, Python: %s", async (_, final_text, tests, reward, reason) => {
  const verdict = await codeExec(PATIENT)({ final_text, tests });
  expect({ ...verdict, reason: verdict.reason?.split("(candidate.py")[0]?.trim() }).toMatchObject({
    reward,
    reason: expect.stringContaining(`CodeExec: ${reason}`),
  });
});

test.each<[why: string, reply: string, tests: string, reward: number | null, reason: string]>([
  [
    "a right program",
    "```js\nconst add = (a, b) => a + b;\n```",
    "assert.equal(add(1, 2), 3);",
    1,
    "1 of 1 tests passed",
  ],
  [
    "an export",
    "export function add(a, b) { return a + b; }",
    "function test_a() { assert.equal(add(1, 2), 3); }",
    1,
    "1 of 1 tests passed",
  ],
  [
    "module.exports",
    "module.exports = { add: (a, b) => a + b };",
    "assert.equal(add(1, 2), 3)",
    1,
    "1 of 1 tests passed",
  ],
  [
    "an async test",
    "const f = async () => 1;",
    "async function test_a() { assert.equal(await f(), 1); }",
    1,
    "1 of 1 tests passed",
  ],
  [
    "the same name twice",
    "const assert = null; const f = () => 1;",
    "const assert = require('assert');\nassert.equal(f(), 1);",
    1,
    "1 of 1 tests passed",
  ],
  [
    "a wrong one",
    "const f = () => 2;",
    "const test_a = () => assert.equal(f(), 1);",
    0,
    "1 of 1 tests failed: test_a: AssertionError",
  ],
  ["an early exit", "process.exit(0)", "assert.ok(true)", 0, "the program ended before its tests had run"],
  ["one that throws", "throw new TypeError('no')", "assert.ok(true)", 0, "the program failed: TypeError: no"],
  ["no JavaScript", "function (", "assert.ok(true)", 0, "the program failed: SyntaxError"],
  ["tests of nothing", "1", "// none", null, "the tests test nothing"],
])("CodeExec, JavaScript: %s", async (_, final_text, tests, reward, reason) => {
  const verdict = await codeExec({ ...PATIENT, language: "javascript" })({ final_text, tests });
  expect(verdict).toMatchObject({ reward, reason: expect.stringContaining(`CodeExec: ${reason}`) });
});

test("hidden tests are in no reason: neither their names nor what they expect", async () => {
  const tests = "def test_secret_name():\n    assert add(20, 22) == 42, 'wanted 42'";
  const row = { final_text: "def add(a, b): return 0", privileged: { tests } };
  expect((await codeExec(PATIENT)(row)).reason).toBe("CodeExec: 1 of 1 tests failed: AssertionError");
  expect((await codeExec(PATIENT)({ final_text: "x", privileged: { reference: tests } })).reason).toBe(
    "CodeExec: the program failed: NameError",
  );
});

test("a program that does not end is ended, and what it started too", async () => {
  const forks = "import subprocess, time\nsubprocess.Popen(['sleep', '60'])\ntime.sleep(60)";
  const verdict = await codeExec({ timeoutMs: 1500 })({ final_text: forks, tests: "assert True" });
  expect(verdict).toMatchObject({ reward: 0, reason: "CodeExec: no end after 1500 ms" });
});

test.skipIf(process.platform === "win32")("a program is kept to its processor time, memory and file size", async () => {
  const row = (final_text: string) => ({ final_text, tests: "assert True" });
  // A second of processor time is half a minute where thirty others want it too.
  expect((await codeExec({ ...PATIENT, cpuSeconds: 1 })(row("while True: pass"))).reason).toMatch(
    /processor time|before its tests/,
  );
  expect((await codeExec({ ...PATIENT, memMb: 200 })(row("x = bytearray(10**9)"))).reason).toBe(
    "CodeExec: the program failed: MemoryError",
  );
  const large = "f = open('x', 'wb')\nfor i in range(64): f.write(bytes(10**6))";
  expect((await codeExec(PATIENT)(row(large))).reward).toBe(0);
});

test("a program sees an environment of its own, and its directory is gone afterwards", async () => {
  process.env.WHILE_TEST_SECRET = "s3cret";
  onTestFinished(() => void delete process.env.WHILE_TEST_SECRET);
  const look = "import os\nseen = sorted(os.environ)\nopen('note.txt', 'w').write('x')";
  const tests = "assert 'WHILE_TEST_SECRET' not in seen, seen\nassert 'while-code-' in os.environ['HOME']";
  expect(await codeExec(PATIENT)({ final_text: look, tests })).toMatchObject({ reward: 1 });
  const where = await codeExec(PATIENT)({ final_text: "import os", tests: "raise KeyError(os.getcwd())" });
  const directory = /\/[^']*while-code-[^'/]+/.exec(where.reason ?? "")?.[0];
  expect(directory).toBeDefined();
  expect(existsSync(directory!)).toBe(false);
});

test("an interpreter that is not there is a null, as are rows without tests", async () => {
  const verdict = await codeExec({ interpreter: "no-such-python" })({ final_text: "x = 1", tests: "assert x" });
  expect(verdict).toMatchObject({
    reward: null,
    reason: "CodeExec: The interpreter no-such-python could not be started.",
  });
  const node = await codeExec({ interpreter: "/no/such/node", language: "javascript" })({
    final_text: "1",
    tests: "x",
  });
  expect(node.reward).toBeNull();
  expect(await codeExec(PATIENT)({ final_text: "x = 1" })).toMatchObject({
    reward: null,
    reason: "CodeExec: the row has no tests",
  });
});

test("CodeExec is a judge like any other, also by name", async () => {
  const judge = verifierByName("CodeExec:timeoutMs=90000", [...VERIFIERS, ...PROGRAM_VERIFIERS]);
  const rows = [ADD, "def add(a, b): return 0", ""].map((final_text) => ({ final_text, tests: TESTS }));
  const scored = await runJudge(rows, judge);
  expect(scored.rows.map(({ reward, judge_name }) => [reward, judge_name])).toEqual([
    [1, "CodeExec"],
    [0, "CodeExec"],
    [0, "CodeExec"],
  ]);
  expect(() => verifierByName("CodeExec:language=ruby", PROGRAM_VERIFIERS)).toThrow("language is ruby.");
  expect(() => codeExec({ memMb: 0.5 })).toThrow("memMb is 0.5.");
});

test("setup runs before the program, and one that fails is no fault of it", async () => {
  const row = { final_text: "y = x + 1", tests: "assert y == 3" };
  expect((await codeExec({ ...PATIENT, setup: "x = 2" })(row)).reward).toBe(1);
  expect(await codeExec({ ...PATIENT, setup: "raise KeyError(1)" })(row)).toMatchObject({ reward: null });
});
