import { WhileError } from "@while/schema";
import { paintFor } from "./colour.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { inFlags } from "./in-flags.ts";
import type { Io } from "./io/io.ts";
import { terminalSafe } from "./terminal-safe.ts";
import type { CommonFlags } from "./verb.ts";

/**
 * The two lines of a failed command on stderr, and with `--json` the same as a document on stdout. A stack trace
 * only under WAI_DEBUG=1.
 */
export function reportError(error: unknown, io: Io, { json = false, color = true }: CommonFlags): ExitCode {
  const { code, what, fix } = inWords(error);
  const { bold, red } = paintFor(io.stderr, { color, env: io.env });
  io.stderr.write(`${bold(red("error:"))} ${terminalSafe(what)}\n${bold("fix:")} ${terminalSafe(fix)}\n`);
  if (io.env.WAI_DEBUG === "1" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  if (json) io.stdout.write(`${JSON.stringify({ error: { code, message: what, fix } }, null, 2)}\n`);
  return EXIT.failed;
}

/** The path of standard input, which its sentence calls by that name. */
const STDIN = "-";

interface Words {
  code: string;
  what: string;
  fix: string;
}

function inWords(error: unknown): Words {
  if (error instanceof WhileError) {
    const { code, fix } = error;
    return { code, what: inFlags(oneLine(whatOf(error))), fix: inFlags(oneLine(fix)) };
  }
  const system = error as NodeJS.ErrnoException;
  if (typeof system?.code === "string" && system.path !== undefined) {
    const { code, path } = system;
    const { what, fix } = SYSTEM_WORDS[code] ?? {
      what: "The system refuses (CODE)",
      fix: "Check the path and its rights.",
    };
    return { code: code.toLowerCase(), what: `${what.replace("CODE", code)}: ${path}.`, fix };
  }
  return {
    code: "internal",
    what: `wai met what it does not know: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    fix: "This is a fault in wai: run again with WAI_DEBUG=1 and report what it prints.",
  };
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ").trim();

/** The sentence with the place behind it, and without the code or the place in front of it. */
function whatOf(error: WhileError): string {
  const what = error.what.replace(new RegExp(`^${error.code}: `), "");
  const { file, line } = (error as { place?: { file?: string; line?: number } }).place ?? {};
  if (file === undefined) return what;
  if (line === undefined) return what.includes(file) || file === STDIN ? what : `${what} (${file})`;
  const place = `${file}, line ${line}: `;
  return `${what.startsWith(place) ? what.slice(place.length) : what} (${file}:${line})`;
}

const SYSTEM_WORDS: Readonly<Record<string, { what: string; fix: string }>> = {
  ENOENT: { what: "There is no such file", fix: "Check the spelling of the path." },
  EACCES: { what: "Not allowed", fix: "Ask for the rights, or choose another path." },
  ENOSPC: { what: "No space is left", fix: "Free some, or write to another disk." },
  EISDIR: { what: "This is a folder", fix: "Name a file." },
  ENOTDIR: { what: "A part of the path is a file", fix: "Name a folder there." },
};
