import { isObject, type Row, textOf } from "@while/schema";
import { type Effects, effectsOf } from "./effects.ts";
import type { ShellCommand } from "./shell-commands.ts";
import { observed } from "./step-failed.ts";
import type { KindOverrides } from "./step-kind.ts";
import { isTestPath } from "./test-path.ts";
import { type CheckKind, checkKindOf, type RunVerdict, runVerdict, selectionOf } from "./test-run.ts";
import { type TraceStep, traceEvents } from "./trace-steps.ts";

/** One call with what it did. */
export interface TraceCall extends TraceStep {
  /** Its place among the calls, from 0. */
  index: number;
  effects: Effects;
  /** The text of its answer. */
  answer: string;
}

/** A file that a call wrote, and what is known of it before. */
export interface WrittenFile {
  call: TraceCall;
  path: string;
  /** The lines that were not there before, as far as the rollout shows. */
  added: string;
  /** All that was written. */
  text: string;
  /** What it replaced; null where that is not shown. */
  old: string | null;
  whole: boolean;
  /** The file was there before the rollout touched it: it was read, listed or edited before it was ever written whole. */
  existed: boolean;
  isTest: boolean;
  by: string;
}

/** A command that checks the code: tests, a linter, a type checker, a build. */
export interface CheckRun {
  call: TraceCall;
  kind: CheckKind;
  verdict: RunVerdict;
  /** Words that narrow it to a part; empty for a run of everything. */
  selection: readonly string[];
  command: ShellCommand;
}

/** A rollout as the flags read it, parsed once. */
export interface Trajectory {
  row: Row;
  calls: readonly TraceCall[];
  commands: readonly { call: TraceCall; command: ShellCommand }[];
  written: readonly WrittenFile[];
  deleted: readonly { call: TraceCall; path: string; by: string; existed: boolean }[];
  runs: readonly CheckRun[];
  /** The prompt and every word of the user, apostrophes folded. */
  asked: string;
  /** What the agent said, each with the number of calls before it; the reply is the last. */
  said: readonly { text: string; after: number }[];
  reply: string;
  /** Calls happened that could not be read: nothing may be concluded from what is not seen. */
  unreadable: boolean;
  /** Texts or rollouts that were too long and were cut. */
  nCut: number;
}

/** Longest text of one field that is searched, in UTF-16 units. */
const MAX_TEXT = 200_000;
const MAX_CALLS = 5000;

/** A rollout, parsed once for all flags. Cut where a text is longer than any agent's, with the count. */
export function readTrajectory(row: Row, { kinds }: { kinds?: KindOverrides | undefined } = {}): Trajectory {
  const events = traceEvents(row, "v2");
  let nCut = 0;
  const cut = (text: string): string => {
    if (text.length <= MAX_TEXT) return text;
    nCut++;
    return text.slice(0, MAX_TEXT);
  };
  if (events.steps.length > MAX_CALLS) nCut++;
  const said = events.said.map(({ text, after }) => ({ text: folded(cut(text)), after }));
  const final = textOf(row.final_text);
  const reply = final === "" ? (said.at(-1)?.text ?? "") : folded(cut(final));
  if (said.at(-1)?.text !== reply && reply !== "") said.push({ text: reply, after: events.steps.length });
  const asked = folded(cut([textOf(row.prompt), ...events.asked].join("\n")));

  const calls: TraceCall[] = [];
  const written: WrittenFile[] = [];
  const deleted: { call: TraceCall; path: string; by: string; existed: boolean }[] = [];
  const commands: { call: TraceCall; command: ShellCommand }[] = [];
  const runs: CheckRun[] = [];
  const shown = new Shown(asked);
  const made: string[] = [];
  let openFile: string | null = null;
  for (const step of events.steps.slice(0, MAX_CALLS)) {
    const args = cutArguments(step.arguments, cut);
    const answer = cut(answerText(step.result));
    const effects = effectsOf(step.tool, args, { kinds, openFile });
    openFile = openFileAfter(effects, answer) ?? openFile;
    const call: TraceCall = { ...step, arguments: args, index: calls.length, effects, answer };
    const known = (path: string): boolean => !made.some((own) => samePath(own, path));
    for (const { path, text, old, whole, by } of effects.writes) {
      const existed = known(path) && (!whole || shown.names(path)) && !/new file|created successfully/i.test(answer);
      if (!existed) made.push(path);
      const added = addedLines(text, old, shown);
      written.push({ call, path, added, text, old, whole, existed, isTest: isTestPath(path), by });
    }
    for (const { path, by } of effects.deletes) deleted.push({ call, path, by, existed: known(path) });
    for (const command of effects.commands) {
      commands.push({ call, command });
      const kind = checkKindOf(command) ?? (runsOwnCheck(command, made) ? "tests" : null);
      if (kind === null) continue;
      const stated = runVerdict(answer);
      const verdict: RunVerdict = step.failed || stated === "failed" ? "failed" : stated;
      runs.push({ call, kind, verdict, selection: selectionOf(command), command });
      if (verdict === "failed") call.failed = true;
    }
    shown.add([...effects.reads, answer].join("\n"));
    calls.push(call);
  }
  return { row, calls, commands, written, deleted, runs, asked, said, reply, unreadable: events.unreadable, nCut };
}

/** Apostrophes as the keyboard has them: replies carry typographic ones. */
function folded(text: string): string {
  return text.replace(/[\u2019\u02BC\uFF07]/g, "'");
}

/** Whether two spellings can be of one file: equal, or one is the end of the other. */
export function samePath(a: string, b: string): boolean {
  const [x, y] = [normal(a), normal(b)];
  return x === y || x.endsWith(`/${y}`) || y.endsWith(`/${x}`);
}

function normal(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "");
}

/** The text of an answer, whatever holds it. */
function answerText(result: unknown): string {
  if (isObject(result)) {
    const parts = ["output", "stdout", "stderr", "content", "text", "message", "error"].flatMap((key) =>
      typeof result[key] === "string" ? [result[key]] : [],
    );
    if (parts.length > 0) return observed(parts.join("\n"));
  }
  return observed(textOf(result));
}

/** A script that the agent wrote to try its work: running it is a test of a kind. */
function runsOwnCheck({ argv }: ShellCommand, made: readonly string[]): boolean {
  const script = argv.slice(1).find((word) => /\.\w{1,4}$/.test(word));
  return (
    script !== undefined &&
    /test|check|verif|repro|edge|demo/i.test(script) &&
    /^(?:python[\d.]*|node|tsx|ruby|php|bash|sh|deno|bun)$/.test(argv[0] ?? "") &&
    made.some((own) => samePath(own, script))
  );
}

function openFileAfter({ reads, writes }: Effects, answer: string): string | null {
  const shown = /^\[File: (\S+) /.exec(answer) ?? /\(Open file: (\S+?)\)/.exec(answer);
  if (shown !== null) return shown[1]!;
  return writes.at(-1)?.path || reads.at(-1) || null;
}

function cutArguments(args: Readonly<Record<string, unknown>>, cut: (text: string) => string): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) kept[key] = typeof value === "string" ? cut(value) : value;
  return kept;
}

function addedLines(text: string, old: string | null, shown: Shown): string {
  if (text === "") return "";
  const before = old === null ? null : new Set(old.split(/\r?\n/).map((line) => line.trim()));
  return text
    .split(/\r?\n/)
    .filter((line) => (before === null ? !shown.hasLine(line) : !before.has(line.trim())))
    .join("\n");
}

/** What the rollout has seen up to a call: names of files and lines of them. */
class Shown {
  private readonly texts: string[];
  private readonly lines = new Set<string>();

  constructor(asked: string) {
    this.texts = [asked];
  }

  add(answer: string): void {
    if (answer === "") return;
    this.texts.push(answer);
    for (const line of answer.split(/\r?\n/)) {
      this.lines.add(line.replace(/^\s*\d+\s*[\t:|→]\s?/, "").trim());
    }
  }

  hasLine(line: string): boolean {
    const bare = line.trim();
    return bare !== "" && this.lines.has(bare);
  }

  names(path: string): boolean {
    const name = normal(path).split("/").slice(-1)[0]!;
    return this.texts.some((text) => {
      for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
        const [before, after] = [text[at - 1] ?? " ", text[at + name.length] ?? " "];
        if (!/[\w-]/.test(before) && !/[\w-]/.test(after)) return true;
      }
      return false;
    });
  }
}
