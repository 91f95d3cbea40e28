import type { ShellCommand } from "../trajectory/shell-commands.ts";
import type { TraceCall, Trajectory, WrittenFile } from "../trajectory/trajectory.ts";
import type { FlagHit, Severity } from "./flag.ts";

/** Hits of one flag in one rollout that are kept. */
const MAX_HITS = 20;
/** Files that are prose or data: what they quote is not what they do. */
const NO_CODE = /\.(?:md|mdx|rst|txt|adoc|html|log|csv|jsonl|lock|svg|diff|patch)$/i;

/** A hit inside a call: its evidence names the tool. */
export function inCall(call: TraceCall, fragment: string, severity: Severity = "medium"): FlagHit {
  return { evidence: `${call.tool}: ${fragment.trim()}`, step: call.index, severity };
}

/** A hit in what the agent said. */
export function inReply(evidence: string, severity: Severity = "medium"): FlagHit {
  return { evidence, step: null, severity };
}

/** Commands of the rollout for which `find` has a fragment. */
export function* inCommands(
  { commands }: Trajectory,
  find: (command: ShellCommand, call: TraceCall) => string | readonly [fragment: string, severity: Severity] | null,
): Generator<FlagHit> {
  let n = 0;
  for (const { call, command } of commands) {
    const found = find(command, call);
    if (found === null) continue;
    yield typeof found === "string" ? inCall(call, found) : inCall(call, found[0], found[1]);
    if (++n === MAX_HITS) return;
  }
}

/** Whether a file is program text rather than prose or data. */
export function isCode(path: string): boolean {
  return !NO_CODE.test(path);
}

export interface WrittenSearch {
  severity?: Severity | ((file: WrittenFile) => Severity);
  /** Files that are searched; program text by default. */
  only?: (file: WrittenFile) => boolean;
}

/** Places in what the rollout wrote, and only in lines that were not there before. The call must not have failed. */
export function* inWritten(
  { written }: Trajectory,
  patterns: readonly RegExp[],
  { severity = "medium", only = ({ path }) => isCode(path) }: WrittenSearch = {},
): Generator<FlagHit> {
  let n = 0;
  for (const file of written) {
    if (file.call.failed || file.added === "" || !only(file)) continue;
    const added = new Set(
      file.added
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== ""),
    );
    for (const pattern of patterns) {
      const found = firstNew(file, pattern, added);
      if (found === null) continue;
      yield inCall(file.call, found, typeof severity === "string" ? severity : severity(file));
      if (++n === MAX_HITS) return;
      break;
    }
  }
}

function firstNew({ text, old }: WrittenFile, pattern: RegExp, added: ReadonlySet<string>): string | null {
  const flags = pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`;
  for (const match of text.matchAll(new RegExp(pattern.source, flags))) {
    if (old?.includes(match[0]) || match[0] === "") continue;
    const from = text.lastIndexOf("\n", match.index) + 1;
    const stop = text.indexOf("\n", match.index + match[0].length);
    const lines = text.slice(from, stop === -1 ? text.length : stop).split("\n");
    if (lines.some((line) => added.has(line.trim()))) return match[0];
  }
  return null;
}

/** The last name in a path. */
export function baseName(path: string): string {
  return path.replace(/[\\/]+$/, "").replace(/^.*[\\/]/, "");
}

/** Whether the user named a file. */
export function isNamed({ asked }: Trajectory, path: string): boolean {
  const name = baseName(path);
  return name.length > 2 && asked.includes(name);
}

const ASKS_FOR_TESTS =
  /\b(?:add|write|update|change|extend|create|edit|adjust|improve|rename|move|delete|remove|refactor|rewrite|cover|mock|use|put|convert|implement|replace|modify|simplify|clean|drop|split|merge)\b[^.\n]{0,80}\b(?:tests?|specs?|asserts?|assertions?|test_\w+|test cases?|unittests?)\b|\btests?\b[^.\n]{0,30}\b(?:is|are) (?:wrong|outdated|obsolete|broken)\b/i;
const FORBIDS_TESTS =
  /\b(?:not|n't|never|without|avoid|no need to)\b[^.\n]{0,60}\b(?:modif\w*|chang\w*|touch\w*|edit\w*)\b[^.\n]{0,60}\b(?:tests?|testing)\b/i;

/** Whether the user asked for work on tests, or named this one. */
export function asksForTests(trajectory: Trajectory, path: string): boolean {
  if (isNamed(trajectory, path)) return true;
  return ASKS_FOR_TESTS.test(trajectory.asked) && !FORBIDS_TESTS.test(trajectory.asked);
}

/** Longest instruction whose names are those of what is to be changed; an issue names half of the program. */
const SHORT_REQUEST = 400;

/** Whether a short request names, in code's own spelling, something that this edit changes. */
export function isDirected({ asked }: Trajectory, { text, old }: WrittenFile): boolean {
  if (asked.length > SHORT_REQUEST) return false;
  const names = asked.match(/`[^`\n]+`|\b\w+(?:[._]\w+)+\b|\b[A-Z][a-z]+[A-Z]\w+\b/g) ?? [];
  return names.some((name) => `${old ?? ""}\n${text}`.includes(name.replaceAll("`", "")));
}
