import { describe, expect, test } from "vitest";
import { wai } from "./terminal.ts";

describe("what the command line does not know", () => {
  test.each([
    [["rosw", "a.jsonl"], "wai has no verb rosw.", "Did you mean wai rows?"],
    [["pass_at", "a.jsonl"], "wai has no verb pass_at.", "Did you mean wai pass-at?"],
    [["teleport"], "wai has no verb teleport.", "See wai --help."],
    [["help", "exprot"], "wai has no verb exprot.", "Did you mean wai export?"],
    [["rows", "a.jsonl", "--form", "csv"], "wai rows has no flag --form.", "Did you mean --from?"],
    [["rows", "a.jsonl", "--zzzzzz"], "wai rows has no flag --zzzzzz.", "See wai help rows."],
    [["--verson"], "wai has no flag --verson.", "Did you mean --version?"],
    [["rows"], "wai rows was given no file.", "Name a file of rollouts, a folder of them, or - for stdin."],
    [["pass-at", "a.jsonl", "--k", "none"], '--k got "none".', "Give --k a whole number of 1 or more."],
    [["optimize", "a.jsonl", "--band", "0.8"], '--band got "0.8".', "two shares"],
    [["completion", "csh"], "wai completion has no script for csh.", "Ask for bash, zsh or fish."],
    [["completion"], "wai completion was given no shell.", "Ask for bash, zsh or fish."],
    [["rows", "a.jsonl", "--from"], "--from was given no value.", "It takes <format>"],
  ])("wai %j is refused with what is near", async (argv, what, fix) => {
    const { code, stdout, stderr } = await wai(argv);
    const lines = stderr.split("\n");
    expect({ code, stdout, lines: lines.length }).toEqual({ code: 3, stdout: "", lines: 3 });
    expect(lines[0]).toBe(`error: ${what}`);
    expect(lines[1]).toMatch(/^fix: /);
    expect(lines[1]).toContain(fix);
  });

  test("with --json the error is also a document on stdout", async () => {
    const { code, stdout } = await wai(["rows", "a.jsonl", "--form", "csv", "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "unknown_flag", message: "wai rows has no flag --form.", fix: "Did you mean --from?" },
    });
  });

  test("a stack trace is shown under WAI_DEBUG=1 alone", async () => {
    expect((await wai(["rosw"])).stderr).not.toMatch(/ {4}at /);
    expect((await wai(["rosw"], { env: { WAI_DEBUG: "1" } })).stderr).toMatch(/ {4}at /);
  });

  test("colour on a terminal, none under --no-color or NO_COLOR", async () => {
    expect((await wai(["rosw"], { isTty: true })).stderr).toContain("\x1b[31m");
    expect((await wai(["rosw", "--no-color"], { isTty: true })).stderr).not.toContain("\x1b[");
    expect((await wai(["rosw"], { isTty: true, env: { NO_COLOR: "1" } })).stderr).not.toContain("\x1b[");
  });
});
