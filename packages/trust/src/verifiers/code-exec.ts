import { isObject, type Row, textOf } from "@while/schema";
import type { JudgeContext, JudgeVerdict } from "../judge/judge.ts";
import { TrustError } from "../trust-error.ts";
import { codeOf } from "./code-of.ts";
import { type ProgramLanguage, runTests, type TestReport } from "./program/run-tests.ts";
import { type CheckResult, type Verifier, verifierOf } from "./verifier.ts";

export interface CodeExecOptions {
  /** The tests; when left out those of the row: `privileged.tests`, `tests`, else its reference. */
  tests?: string;
  language?: ProgramLanguage;
  /** Code that runs before the program: imports, fixtures. */
  setup?: string;
  timeoutMs?: number;
  cpuSeconds?: number;
  memMb?: number;
  /** The executable, by path or name. */
  interpreter?: string;
}

/**
 * The program in the reply passes its tests, run in a process of its own with limits on time, processor, memory and
 * files. Tests are statements, or functions named `test_…`, which are called; all must pass. A program that ends the
 * process before its tests have run fails. Tests that cannot be read, and an interpreter that is not there, are null.
 *
 * **No security boundary.** Put a container around the whole where programs may mean harm.
 *
 * @throws TrustError `bad_option` for a limit that is no positive number, or another language
 */
export function codeExec({
  tests,
  language = "python",
  setup = "",
  timeoutMs = 10_000,
  cpuSeconds = 10,
  memMb = 512,
  interpreter,
}: CodeExecOptions = {}): Verifier<Promise<JudgeVerdict>> {
  for (const [name, value] of Object.entries({ timeoutMs, cpuSeconds, memMb })) {
    if (Number.isInteger(value) && value > 0) continue;
    throw new TrustError("bad_option", `${name} is ${value}.`, "Give a whole number above 0.");
  }
  if (language !== "python" && language !== "javascript") {
    throw new TrustError("bad_option", `language is ${language}.`, "Give python or javascript.");
  }
  const check = async (text: string, reference: unknown, row: Row, { signal }: JudgeContext): Promise<CheckResult> => {
    const found = tests === undefined ? testsOf(row, reference) : { code: tests, isPrivileged: false };
    if (found === null) return [null, "the row has no tests"];
    const candidate = codeOf(text);
    if (candidate.trim() === "") return [0, "no code in the reply"];
    const run = { language, setup, candidate, tests: found.code, timeoutMs, cpuSeconds, memMb, signal };
    const end = await runTests({ ...run, interpreter: interpreter ?? null });
    if ("report" in end) return verdictOf(end.report, found.isPrivileged);
    if (end.ended === "timeout") return [0, `no end after ${timeoutMs} ms`];
    if (end.ended === "cpu") return [0, `no end after ${cpuSeconds} seconds of processor time`];
    return [0, "the program ended before its tests had run"];
  };
  const settings = { tests: tests ?? null, language, setup, timeoutMs, cpuSeconds, memMb };
  return verifierOf("CodeExec", check, { needsReference: false, settings });
}

/** Of a row; a list of tests is one after the other. */
function testsOf(row: Row, reference: unknown): { code: string; isPrivileged: boolean } | null {
  const privileged = isObject(row.privileged) ? row.privileged.tests : null;
  const given = [privileged, row.tests, reference].find((tests) => codeText(tests).trim() !== "");
  if (given === undefined) return null;
  // A reference may be privileged too; nothing is lost when its messages are left out.
  return { code: codeText(given), isPrivileged: given !== row.tests };
}

function codeText(tests: unknown): string {
  return Array.isArray(tests) ? tests.map(textOf).join("\n") : textOf(tests);
}

/** Messages of hidden tests hold what they expect, so only the kind of error is told. */
function verdictOf({ declared, ran, failed, phase }: TestReport, isPrivileged: boolean): CheckResult {
  const [name, kind, message] = failed[0] ?? ["", "", ""];
  const shown = isPrivileged || message === "" ? kind : `${kind}: ${message}`;
  if (phase === "empty") return [null, "the tests test nothing: no statement and no function test_…"];
  if (phase === "unreadable") return [null, `the tests cannot be read: ${kind}`];
  if (phase === "setup") return [null, `the setup failed: ${shown}`];
  if (phase === "candidate") return [0, `the program failed: ${shown}`];
  if (failed.length === 0 && ran === declared) return [1, `${declared} of ${declared} tests passed`];
  if (ran < declared) return [0, `the tests stopped: ${shown}`];
  const where = isPrivileged || name === "" ? "" : `${name}: `;
  return [0, `${failed.length} of ${declared} tests failed: ${where}${shown}`];
}
