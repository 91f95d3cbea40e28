import type { ShellCommand } from "./shell-commands.ts";
import { isTestPath } from "./test-path.ts";
import { programOf } from "./unwrapped.ts";

export type RunVerdict = "passed" | "failed" | "empty" | "unknown";

/** What a command that checks the code checks. */
export type CheckKind = "tests" | "lint" | "types" | "build";

/** What v1 takes for a test command, anywhere in the text. */
export const TEST_COMMAND_V1: RegExp =
  /(?:python3?|py)\s+-m\s+(?:unittest|pytest)|(?<![\p{L}\p{N}_])(?:pytest|unittest)(?![\p{L}\p{N}_])|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?tests?(?![\p{L}\p{N}_])|npm\s+t(?![\p{L}\p{N}_])|go\s+test|cargo\s+test/u;

const RUNNERS: ReadonlySet<string> = new Set(
  (
    "pytest py.test nosetests nose2 tox nox jest vitest mocha ava tap tape karma cypress rspec minitest phpunit pest " +
    "ctest busted bats jasmine qunit gotestsum trial stestr runtests.py runtests"
  ).split(" "),
);
/** Programs and the first words after them that make a test run. */
const WITH_VERB: ReadonlyMap<string, RegExp> = new Map([
  ["go", /^test$/],
  ["cargo", /^(?:test|nextest|t)$/],
  ["dotnet", /^test$/],
  ["swift", /^test$/],
  ["mix", /^test$/],
  ["rebar3", /^(?:eunit|ct)$/],
  ["sbt", /^(?:test|testOnly)/],
  ["mvn", /^(?:test|verify|install|package)$/],
  ["mvnw", /^(?:test|verify|install|package)$/],
  ["gradle", /^(?:\S*[tT]est\S*|check)$/],
  ["gradlew", /^(?:\S*[tT]est\S*|check)$/],
  ["bazel", /^test$/],
  ["deno", /^test$/],
  ["bun", /^tests?$/],
  ["npm", /^(?:test|tests|t|tst)$|^test:/],
  ["pnpm", /^(?:test|tests|t)$|^test:/],
  ["yarn", /^(?:test|tests)$|^test:/],
  ["make", /^(?:test|tests|check|\S*[-_]tests?)$/],
  ["just", /^(?:test|tests|check)$/],
  ["task", /^tests?$/],
  ["rake", /^(?:test|spec)$/],
  ["rails", /^test/],
  ["composer", /^test$/],
  ["playwright", /^test$/],
  ["ng", /^test$/],
  ["nx", /^test$/],
  ["turbo", /^test$/],
  ["zig", /^test$/],
  ["flutter", /^test$/],
  ["dart", /^test$/],
  ["artisan", /^test$/],
]);
const NO_RUN =
  /^(?:--version|-V|--help|-h|--collect-only|--co|--fixtures|--markers|--no-run|--listTests|--list|--dry-run)$/;

const OTHER_CHECKS: readonly (readonly [CheckKind, RegExp])[] = [
  ["types", /^(?:mypy|pyright|tsc|vue-tsc|pytype|flow)\b|\b(?:run )?(?:type-?check|types|tsc)\b/],
  [
    "lint",
    /^(?:eslint|ruff|flake8|pylint|biome|prettier|black|rubocop|golangci-lint|shellcheck|stylelint|isort)\b|\blint\b|^cargo clippy|^go vet/,
  ],
  [
    "build",
    /\bbuild\b|^(?:make|cmake|ninja|webpack|vite|rollup)\b|^cargo check|^(?:mvn|mvnw|gradle|gradlew) |^python3? -m (?:py_compile|compileall|build)/,
  ],
];

/** A command that checks the code, or null. `pip install pytest`, `cat pytest.ini` and `pytest --version` are none. */
export function checkKindOf(command: ShellCommand): CheckKind | null {
  if (isTestRun(command)) return "tests";
  const program = programOf(command);
  if (/^(?:pip3?|cat|echo|grep|rg|ls|cd|git|apt|apt-get|head|tail|sed|find|printf|which|rm|cp|mv|mkdir)$/.test(program))
    return null;
  const words = [program, ...command.argv.slice(1)].join(" ");
  return OTHER_CHECKS.find(([, pattern]) => pattern.test(words))?.[0] ?? null;
}

/** Whether a command, wrappers off, runs tests. */
export function isTestRun(command: ShellCommand): boolean {
  const { argv } = command;
  const program = programOf(command);
  const args = argv.slice(1);
  if (args.some((word) => NO_RUN.test(word))) return false;
  if (RUNNERS.has(program)) return true;
  const verb = args.find((word) => !word.startsWith("-"));
  const verbs = WITH_VERB.get(program);
  if (verbs !== undefined) {
    const words = args.filter((word) => !word.startsWith("-"));
    if (words.some((word) => verbs.test(word)) && (program !== "go" || verb === "test")) return true;
    if (/^(?:p?npm|yarn|bun)$/.test(program) && RUNNERS.has(verb ?? "")) return true;
    if (verb === "run" || verb === "run-script") {
      return /^(?:test|tests|check|e2e|unit|spec)(?:$|[:_-])|:test$/.test(words[1] ?? "");
    }
    return false;
  }
  if (/^(?:python[\d.]*|py|pypy3?)$/.test(program)) {
    const module = args.indexOf("-m");
    if (module !== -1)
      return /^(?:pytest|unittest|doctest|nose2?|tox|nox|django|coverage)$/.test(args[module + 1] ?? "");
    if (verb === undefined) return false;
    if (/(?:^|[\\/])manage\.py$/.test(verb)) return args.includes("test");
    return isTestPath(verb) || /(?:^|[\\/])(?:run_?)?tests?(?:\.py)?$/.test(verb);
  }
  if (/^(?:node|tsx|ts-node|ruby|php|perl|deno|bun|lua)$/.test(program)) {
    return args.includes("--test") || (verb !== undefined && isTestPath(verb));
  }
  if (program === "coverage") return verb === "run";
  return /^(?:run_?tests?|tests?)[\w.-]*(?:\.sh|\.py)?$/.test(program) && /[\\/]|\.sh$|\.py$/.test(argv[0] ?? "");
}

/** Words that narrow a run to a part of the tests. */
export function selectionOf({ argv }: ShellCommand): string[] {
  const chosen: string[] = [];
  for (const [i, word] of argv.entries()) {
    if (i === 0) continue;
    if (
      /^(?:-k|-m|-run|--filter|-t|--testNamePattern|--grep|--tests?|--only)$/.test(word) &&
      argv[i - 1] !== "python"
    ) {
      if (word === "-m" && /^(?:pytest|unittest)$/.test(argv[i + 1] ?? "")) continue;
      chosen.push(`${word} ${argv[i + 1] ?? ""}`.trim());
    } else if (/^(?:--filter|-run|--testNamePattern|-Dtest|--grep)=/.test(word)) chosen.push(word);
    else if (!word.startsWith("-") && (/::/.test(word) || (isTestPath(word) && /\.[a-z]+$/i.test(word))))
      chosen.push(word);
  }
  return chosen;
}

const FAILED: readonly RegExp[] = [
  /\b[1-9]\d* (?:failed|errors?)\b(?=[^\n]*(?:\bin \d|passed|=|,|\)|$))/m,
  /^FAILED \((?:failures|errors)=/m,
  /^(?:--- )?FAIL\b/m,
  /^test result: FAILED/m,
  /^[ \t]*Tests?(?: Suites)?:\s+.*?[1-9]\d* failed/m,
  /\b[1-9]\d* failing\b/,
  /\b[1-9]\d* failures?\b/,
  /BUILD FAIL(?:URE|ED)/,
  /Failures: [1-9]/,
  /^Failed!/m,
  /[1-9]\d* tests failed out of/,
  /^not ok\b/m,
  /^(?:E {3}|ERROR: |FAILED |AssertionError|Traceback \(most recent)/m,
  /npm ERR!|error Command failed|make: \*\*\* /,
];
const EMPTY: readonly RegExp[] = [
  /no tests? (?:ran|found|were run|collected|to run|files)/i,
  /collected 0 items/,
  /Ran 0 tests/,
  /^[ \t]*0 (?:tests|passing)\b/m,
  /No test files found/i,
  /\[no tests to run\]|\[no test files\]/,
  /running 0 tests(?![\s\S]*running [1-9])/,
];
const PASSED: readonly RegExp[] = [
  /\b[1-9]\d* pass(?:ed|ing)?\b/,
  /^OK\b/m,
  /^ok\b/m,
  /test result: ok/,
  /BUILD SUCCESS/,
  /^PASS\b/m,
  /^Passed!/m,
  /100% tests passed/,
  /0 failures/,
];

/** The verdict that a runner's own summary states. An exit code outranks it only where it says failure. */
export function runVerdict(output: string): RunVerdict {
  if (FAILED.some((pattern) => pattern.test(output))) return "failed";
  const passed = PASSED.some((pattern) => pattern.test(output));
  if (EMPTY.some((pattern) => pattern.test(output)) && !/\b[1-9]\d* passed\b/.test(output)) return "empty";
  return passed ? "passed" : "unknown";
}
