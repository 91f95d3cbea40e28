import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { joinUserTurns } from "../agent/user-turns.ts";
import { simulate } from "../engine/simulate.ts";
import { claudeCode, claudeCodeReply } from "./claude-code.ts";
import { codex, codexReply } from "./codex.ts";
import { commandAgent } from "./command-agent.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "while-command-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program of one's own, which runs this. */
function program(source: string): string {
  const path = join(dir, "program.mjs");
  writeFileSync(path, `#!${process.execPath}\n${source}\n`);
  chmodSync(path, 0o755);
  return path;
}
const READ = 'let input = ""; for await (const chunk of process.stdin) input += chunk;';

async function rowOf(agent: Parameters<typeof simulate>[0], seed = "Where is A1001?", more = {}) {
  const { rows, report } = await simulate(agent, { seeds: [seed], ...more });
  return { row: rows[0]!, report };
}

describe("commandAgent", () => {
  test("the message goes to the input, several turns with a blank line between them", async () => {
    const echo = program(`${READ} console.log("got " + JSON.stringify(input));`);
    const { row } = await rowOf(commandAgent([echo]), joinUserTurns(["Hello.", "Where is A1001?"]));
    expect(row).toMatchObject({ final_text: String.raw`got "Hello.\n\nWhere is A1001?"`, model_version: echo });
  });

  test("or where an argument names it, without a shell", async () => {
    const echo = program("console.log(process.argv.slice(2).join('|'))");
    const { row } = await rowOf(commandAgent([echo, "--ask={prompt}", "x"], { modelVersion: "e" }), "$(ls) `a` $&");
    expect(row).toMatchObject({ final_text: "--ask=$(ls) `a` $&|x", model_version: "e" });
  });

  test("a reply in JSON has steps; other JSON is a text", async () => {
    const reply = { final_text: "Found.", steps: [{ tool: "get", arguments: {}, result: { status: "ok" } }] };
    const said = program(`console.log(${JSON.stringify(JSON.stringify(reply))})`);
    expect((await rowOf(commandAgent([said]))).row).toMatchObject({ ...reply, tools_used: ["get"] });
    expect((await rowOf(commandAgent([program('console.log("{\\"a\\": 1}")')]))).row.final_text).toBe('{"a": 1}');
  });

  test.each<[string, string, string]>([
    ["fails and prints nothing", 'console.error("no key"); process.exit(3);', "it ended with 3: no key"],
    [
      "is ended from outside",
      'process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);',
      "it was ended by SIGKILL",
    ],
  ])("a program that %s has raised", async (_what, source, said) => {
    const { row } = await rowOf(commandAgent([program(source)]));
    expect(row).toMatchObject({ finish_reason: "error", final_text: expect.stringContaining(said) });
  });

  test("one that fails with words of its own has said them", async () => {
    const { row } = await rowOf(commandAgent([program('console.log("half"); process.exitCode = 1;')]));
    expect(row).toMatchObject({ final_text: "half", finish_reason: "stop" });
  });

  test("one that is not there says so", async () => {
    const { row } = await rowOf(commandAgent([join(dir, "none")]));
    expect(row.final_text).toContain("cannot be started (ENOENT): install it, or give its path");
  });

  test("one that runs too long is ended, and so is one whose rollout is", async () => {
    // A shell is up at once, which Node on a busy machine is not.
    const slow = ["/bin/sh", "-c", "trap 'echo bye >&2; exit' TERM; while :; do sleep 0.05; done"];
    const { row } = await rowOf(commandAgent(slow, { timeoutMs: 3000 }));
    expect(row.final_text).toContain("it ran longer than 3 s: bye");
    const { report } = await rowOf(commandAgent(slow), "A", { rolloutTimeoutMs: 300, retries: 0 });
    expect(report.rolloutsLostBy).toEqual({ timeout: 1 });
  });

  test("each rollout may have a folder of its own", async () => {
    let n = 0;
    const where = program("console.log(process.cwd())");
    const cwd = () => mkdtempSync(join(dir, `${n++}-`));
    const { rows } = await simulate(commandAgent([where], { cwd }), { seeds: ["A", "B"], concurrency: 1 });
    expect(rows.map(({ final_text }) => final_text!.slice(dir.length).slice(0, 3))).toEqual(["/0-", "/1-"]);
  });

  test("a command that is none is refused", () => {
    expect(() => commandAgent([])).toThrow("The command is [].");
  });
});

const long = "x".repeat(2500);
const CLAUDE = [
  { type: "system", subtype: "init", model: "m", tools: ["Read", "Bash"] },
  {
    type: "assistant",
    message: {
      content: [
        { type: "text", text: "Let me look." },
        { type: "tool_use", id: "t1", name: "Read", input: { file_path: "a.txt" } },
      ],
    },
  },
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: long }] } },
  { type: "assistant", message: { content: [{ type: "tool_use", id: "t2", name: "Bash", input: { command: "x" } }] } },
  {
    type: "user",
    message: {
      content: [{ type: "tool_result", tool_use_id: "t2", is_error: true, content: [{ type: "text", text: "no x" }] }],
    },
  },
  { type: "assistant", message: { content: [{ type: "text", text: "It holds x." }] } },
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "It holds x.",
    usage: { input_tokens: 9, output_tokens: 4 },
  },
];
const linesOf = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");

describe("claudeCode", () => {
  test("its stream is a reply with calls, answers, failures and tokens", async () => {
    const fake = program(`${READ}
      if (process.argv.slice(2).join(" ") !== "-p --output-format stream-json --verbose --model opus --max-turns 5 --x") process.exit(9);
      process.stdout.write(${JSON.stringify(linesOf(CLAUDE))});`);
    const { row } = await rowOf(claudeCode({ program: fake, model: "opus", maxTurns: 5, args: ["--x"] }));
    expect(row).toMatchObject({
      ...{ final_text: "It holds x.", model_version: "claude-code:opus", usage: { input_tokens: 9, output_tokens: 4 } },
      steps: [
        {
          ...{ tool: "Read", arguments: { file_path: "a.txt" }, text: "Let me look." },
          ...{ result: "x".repeat(2000), result_truncated: true, result_chars: 2500 },
        },
        { tool: "Bash", arguments: { command: "x" }, result: { status: "error", reason: "no x" } },
      ],
    });
  });

  test("out of turns it has said what it said last; without a word it has raised; a torn line is none", () => {
    const cut = { type: "result", subtype: "error_max_turns", is_error: true };
    expect(claudeCodeReply(linesOf([...CLAUDE.slice(0, 3), cut]))).toMatchObject({
      ...{ final_text: "Let me look.", ended_by: "max_turns" },
    });
    expect(() =>
      claudeCodeReply(linesOf([{ type: "result", subtype: "error_during_execution", is_error: true }])),
    ).toThrow("claude ended with error_during_execution");
    expect(claudeCodeReply(`${linesOf(CLAUDE.slice(0, 2))}{"type":"assi`).final_text).toBe("Let me look.");
  });
});

const CODEX = [
  { type: "thread.started", thread_id: "th" },
  { type: "turn.started" },
  { type: "item.completed", item: { id: "i0", type: "reasoning", text: "hm" } },
  {
    type: "item.completed",
    item: {
      id: "i1",
      type: "command_execution",
      command: "ls",
      aggregated_output: "a.txt\n",
      exit_code: 0,
      status: "completed",
    },
  },
  {
    type: "item.completed",
    item: {
      id: "i2",
      type: "command_execution",
      command: "cat b",
      aggregated_output: "no b",
      exit_code: 1,
      status: "failed",
    },
  },
  {
    type: "item.completed",
    item: { id: "i3", type: "file_change", changes: [{ path: "a.txt", kind: "update" }], status: "completed" },
  },
  {
    type: "item.completed",
    item: {
      id: "i4",
      type: "mcp_tool_call",
      server: "desk",
      tool: "get",
      arguments: { id: 1 },
      error: { message: "away" },
    },
  },
  { type: "item.completed", item: { id: "i5", type: "agent_message", text: "Done." } },
  { type: "turn.completed", usage: { input_tokens: 12, cached_input_tokens: 2, output_tokens: 3 } },
];

describe("codex", () => {
  test("its events are a reply, its items calls", async () => {
    const fake = program(`${READ}
      if (process.argv.slice(2).join(" ") !== "exec --json --skip-git-repo-check --model m -" || input !== "Where is A1001?") process.exit(9);
      process.stdout.write(${JSON.stringify(linesOf(CODEX))});`);
    const { row } = await rowOf(codex({ program: fake, model: "m" }));
    expect(row).toMatchObject({
      ...{ final_text: "Done.", model_version: "codex:m", usage: { input_tokens: 12, output_tokens: 3 } },
      steps: [
        { tool: "shell", arguments: { command: "ls" }, result: "a.txt\n" },
        { tool: "shell", arguments: { command: "cat b" }, result: { status: "exit_1", output: "no b" } },
        {
          tool: "apply_patch",
          arguments: { changes: [{ path: "a.txt", kind: "update" }] },
          result: { status: "completed" },
        },
        { tool: "desk.get", arguments: { id: 1 }, result: { status: "error", reason: "away" } },
      ],
    });
  });

  test("a turn that failed has raised", () => {
    const failed = { type: "turn.failed", error: { message: "usage limit" } };
    expect(() => codexReply(linesOf([...CODEX.slice(0, 3), failed]))).toThrow("codex: usage limit");
  });
});
