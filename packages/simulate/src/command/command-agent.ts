import { spawn } from "node:child_process";
import { isObject } from "@while/schema";
import { joinedTurns } from "../adapters/joined-turns.ts";
import type { Agent, AgentReply } from "../agent/agent.ts";
import { SimulateError } from "../simulate-error.ts";

export interface CommandOptions {
  /** Reads what the program printed; a JSON object with `final_text` or `steps` is a reply, anything else a text. */
  parse?: (stdout: string) => AgentReply | string;
  /** Where it runs. Rollouts that change files want a folder each: give a function, called once a rollout. */
  cwd?: string | (() => string | Promise<string>);
  /** Beside the variables of this process. */
  env?: Readonly<Record<string, string>>;
  /** Longest run; then it is asked to end, and ended. */
  timeoutMs?: number;
  /** `model_version` of the rows; the program's name when left out. */
  modelVersion?: string;
}

/** Replaced by the message in every argument; without it the message goes to the program's input. */
const PROMPT = "{prompt}";
const TIMEOUT_MS = 300_000;
/** What a program that is asked to end gets before it is ended. */
const GRACE_MS = 5000;
const QUOTED = 300;

/**
 * A program as an agent: one process a rollout, the message in, what it printed out. No shell is involved. A program that
 * fails and prints nothing has raised; one that is not there, or runs longer than `timeoutMs`, has too. It ends with the
 * rollout, whatever ends that.
 *
 * @param argv The program and its arguments
 * @throws SimulateError `bad_agent` for an empty list
 */
export function commandAgent(argv: readonly string[], options: CommandOptions = {}): Agent {
  const [program, ...args] = argv;
  if (program === undefined || argv.some((word) => typeof word !== "string")) {
    throw new SimulateError("bad_agent", `The command is ${JSON.stringify(argv)}.`, 'Give ["program", "argument", …].');
  }
  const { parse = parseReply, modelVersion = program } = options;
  const agent: Agent = async (message, { signal }) => {
    const asked = joinedTurns(message);
    const takesArgument = args.some((word) => word.includes(PROMPT));
    const placed = args.map((word) => word.replaceAll(PROMPT, () => asked));
    return parse(await run(program, placed, takesArgument ? "" : asked, signal, options));
  };
  return Object.assign(agent, { modelVersion, kind: "command" as const });
}

async function run(
  program: string,
  args: readonly string[],
  input: string,
  signal: AbortSignal,
  { cwd, env, timeoutMs = TIMEOUT_MS }: CommandOptions,
): Promise<string> {
  const folder = typeof cwd === "function" ? await cwd() : cwd;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      ...(folder === undefined ? {} : { cwd: folder }),
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [stdout, stderr] = ["", ""];
    let why: string | null = null;
    const end = (reason: string): void => {
      why ??= reason;
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), GRACE_MS).unref();
    };
    const timer = setTimeout(() => end(`it ran longer than ${timeoutMs / 1000} s`), timeoutMs);
    const onAbort = (): void => end("the rollout was stopped");
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.on("error", () => {}); // A program that reads no input closes it.
    child.stdin.end(input);
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    };
    child.on("error", (cause: NodeJS.ErrnoException) => {
      done();
      reject(new Error(`${program} cannot be started (${cause.code}): install it, or give its path`, { cause }));
    });
    child.on("close", (code, killed) => {
      done();
      const how = why ?? (killed === null ? `it ended with ${code}` : `it was ended by ${killed}`);
      if (why === null && (code === 0 || stdout.trim() !== "")) resolve(stdout);
      else reject(new Error(`${program}: ${how}${stderr === "" ? "" : `: ${stderr.trim().slice(0, QUOTED)}`}`));
    });
  });
}

function parseReply(stdout: string): AgentReply | string {
  const text = stdout.trim();
  if (!text.startsWith("{")) return text;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && ("final_text" in value || "steps" in value)) return value as AgentReply;
  } catch {
    // Not JSON after all: it is what the program says.
  }
  return text;
}
