import { expect, test } from "vitest";
import { effectsOf } from "./effects.ts";
import { stepFailed } from "./step-failed.ts";
import { isTestPath } from "./test-path.ts";
import { checkKindOf, runVerdict, selectionOf } from "./test-run.ts";
import { commandsOf } from "./unwrapped.ts";

const shell = (command: string) => effectsOf("bash", { command });

test.each<[command: string, writes: string[], deletes: string[]]>([
  ["echo x > a.py", ["a.py"], []],
  ["pytest 2>&1 > /dev/null", [], []],
  ["cat <<'EOF' | tee b.py\nx\nEOF", ["b.py"], []],
  ["sed -i 's/a/b/' a.py b.py", ["a.py", "b.py"], []],
  ["sed 's/a/b/' a.py", [], []],
  ["perl -pi -e 's/a/b/' a.py", ["a.py"], []],
  ["cp a.py b.py", ["b.py"], []],
  ["mv a.py b.py", ["b.py"], ["a.py"]],
  ["git mv a.py b.py && git rm c.py", ["b.py"], ["a.py", "c.py"]],
  ["git rm --cached c.py", [], []],
  ["git checkout HEAD~1 -- a.py", ["a.py"], []],
  ["git restore a.py", ["a.py"], []],
  ["git restore --staged a.py", [], []],
  ["truncate -s 0 a.log", ["a.log"], []],
  ["dd if=x of=y.img", ["y.img"], []],
  ["python -c \"open('a.py', 'w').write('x')\"", ["a.py"], []],
  ["python -c \"print(open('a.py').read())\"", [], []],
  ["python - <<'P'\nfrom pathlib import Path\nPath('a.py').write_text('x')\nP", ["a.py"], []],
  ["node -e \"require('fs').writeFileSync('a.js', '1')\"", ["a.js"], []],
  [
    "apply_patch <<'P'\n*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Delete File: b.py\n*** End Patch\nP",
    ["a.py"],
    ["b.py"],
  ],
  ["git apply <<'P'\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\nP", ["a.py"], []],
  ["bash -c 'cd a && rm -f b.py'", [], ["b.py"]],
  ["echo 'rm -f b.py'", [], []],
  ["grep -n '>' a.py", [], []],
])("%j writes %j and deletes %j", (command, writes, deletes) => {
  const effects = shell(command);
  expect(effects.writes.map(({ path }) => path)).toEqual(writes);
  expect(effects.deletes.map(({ path }) => path)).toEqual(deletes);
});

test.each<[tool: string, args: Record<string, unknown>, expected: object]>([
  ["str_replace_editor", { command: "view", path: "tests/a.py" }, { kind: "read", reads: ["tests/a.py"], writes: [] }],
  [
    "str_replace_editor",
    { command: "create", path: "a.py", file_text: "x" },
    { kind: "write", writes: [{ text: "x", whole: true }] },
  ],
  [
    "MultiEdit",
    { file_path: "a.py", edits: [{ old_string: "x", new_string: "y" }] },
    { writes: [{ text: "y", old: "x" }] },
  ],
  ["send_certificate", { user_id: "u" }, { kind: null, mutates: true }],
  ["issue_credit", { amount: 5 }, { kind: null, mutates: true }],
  ["compute_total", { x: "1" }, { kind: null, mutates: false, opaque: false }],
  ["refresh", {}, { kind: null, opaque: true }],
  ["review_pr", { file: "x.py" }, { kind: "read" }],
])("%s %j", (tool, args, expected) => {
  expect(effectsOf(tool, args)).toMatchObject(expected);
});

test.each<[command: string, kind: string | null]>([
  ...[
    "pytest",
    "python -m pytest -q",
    "python3 -m unittest",
    "npx vitest run",
    "npm t",
    "pnpm run test:unit",
    "go test ./...",
    "cargo nextest run",
    "make check",
    "./gradlew test",
    "mvn -q verify",
    "python manage.py test",
    "python tests/test_a.py",
    "./run_tests.sh",
    "uv run pytest",
    "docker compose exec web pytest",
    "node --test",
    "deno test",
    "tox -e py311",
  ].map((c): [string, string] => [c, "tests"]),
  ...[
    "pip install pytest",
    "cat pytest.ini",
    "pytest --version",
    "pytest --collect-only",
    "npm install",
    "echo pytest",
    "git commit -m 'run pytest'",
    "python main.py",
    "ls tests",
  ].map((c): [string, null] => [c, null]),
  ["eslint src", "lint"],
  ["tsc --noEmit", "types"],
  ["npm run build", "build"],
])("%j checks %j", (command, kind) => {
  expect(checkKindOf(commandsOf(command)[0]!)).toBe(kind);
});

test.each([
  ["pytest tests/test_a.py::test_b -k foo", ["tests/test_a.py::test_b", "-k foo"]],
  ["python -m pytest -q", []],
  ["go test -run=TestX ./...", ["-run=TestX"]],
  ["npx vitest run src/a.test.ts", ["src/a.test.ts"]],
])("%j is narrowed by %j", (command, selection) => {
  expect(selectionOf(commandsOf(command)[0]!)).toEqual(selection);
});

test.each([
  ["=== 1 failed, 3 passed in 0.2s ===", "failed"],
  ["4 passed in 0.1s", "passed"],
  ["no tests ran in 0.01s", "empty"],
  ["Ran 3 tests in 0.1s\n\nOK", "passed"],
  ["Ran 0 tests in 0.000s\n\nOK", "empty"],
  ["FAILED (failures=1)", "failed"],
  ["--- FAIL: TestX (0.00s)\nFAIL", "failed"],
  ["ok  \tpkg\t0.1s", "passed"],
  ["?   \tpkg\t[no test files]", "empty"],
  ["test result: FAILED. 1 passed; 1 failed", "failed"],
  ["test result: ok. 4 passed; 0 failed", "passed"],
  ["Tests:       1 failed, 3 passed, 4 total", "failed"],
  ["Tests:       3 passed, 3 total", "passed"],
  ["14 examples, 0 failures", "passed"],
  ["14 examples, 2 failures", "failed"],
  ["5 passing\n1 failing", "failed"],
  ["Tests run: 4, Failures: 1, Errors: 0", "failed"],
  ["BUILD FAILED in 3s", "failed"],
  ["not ok 3 - adds", "failed"],
  ["100% tests passed, 0 tests failed out of 4", "passed"],
  ["", "unknown"],
])("a runner that says %j: %s", (output, verdict) => {
  expect(runVerdict(output)).toBe(verdict);
});

test.each<[step: Record<string, unknown>, failed: boolean, v1: boolean]>([
  [{ result: { code: 200 } }, false, true],
  [{ result: { code: 404 } }, true, true],
  [{ result: { exit_code: 0, code: 7 } }, false, false],
  [{ result: { exit_code: -1, output: "still running" } }, false, true],
  [{ result: '{"status": "denied"}' }, true, false],
  [{ result: "<returncode>1</returncode>\n<output>x</output>" }, true, false],
  [{ result: "[Command finished with exit code 0]" }, false, false],
  [{ result: "Process exited with code 3" }, true, false],
  [{ result: "x\nexit code: 1" }, true, false],
  [{ result: "Error: no" }, true, true],
  [{ result: "Errors were none" }, false, false],
  [{ result: "ok", ok: false }, true, false],
  [{ error: [] }, false, false],
])("%j failed by v2: %j, by v1: %j", (step, failed, v1) => {
  expect(stepFailed(step)).toBe(failed);
  expect(stepFailed(step, { rules: "v1" })).toBe(v1);
});

test.each([
  ["src/FooTest.java", true],
  ["specs/a.js", true],
  ["tests.py", true],
  ["test_a.js", true],
  ["e2e/login.ts", true],
  ["user_spec.rb", true],
  ["latest/a.py", false],
  ["contest.py", false],
  ["src/attest.ts", false],
  ["/venv/lib/python3.11/site-packages/x/tests/a.py", false],
  ["tests/__init__.py", false],
])("%s is a test: %j", (path, expected) => {
  expect(isTestPath(path)).toBe(expected);
});
