import { WhileError } from "@while/schema";
import { paintFor } from "./colour.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { Io } from "./io/io.ts";

export interface ReportErrorOptions {
  json: boolean;
  color: boolean;
}

/**
 * The two lines of a failed command on stderr, and with `--json` the same as a document on stdout. A stack trace
 * only under WAI_DEBUG=1.
 */
export function reportError(error: unknown, io: Io, { json, color }: ReportErrorOptions): ExitCode {
  const { code, what, fix } = inWords(error);
  const paint = paintFor(io.stderr, { color, env: io.env });
  io.stderr.write(`${paint.bold(paint.red("error:"))} ${what}\n${paint.bold("fix:")} ${fix}\n`);
  if (io.env.WAI_DEBUG === "1" && error instanceof Error) io.stderr.write(`${error.stack}\n`);
  if (json) io.stdout.write(`${JSON.stringify({ error: { code, message: what, fix } }, null, 2)}\n`);
  return EXIT.failed;
}

function inWords(error: unknown): { code: string; what: string; fix: string } {
  if (error instanceof WhileError) {
    return { code: error.code, what: oneLine(error.what) + placeOf(error), fix: oneLine(error.fix) };
  }
  const system = error as NodeJS.ErrnoException;
  if (typeof system?.code === "string" && system.path !== undefined) {
    return {
      code: system.code.toLowerCase(),
      what: systemSentence(system),
      fix: SYSTEM_FIX[system.code] ?? "Check the path and its permissions.",
    };
  }
  return {
    code: "internal",
    what: `wai met something it does not know: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    fix: "This is a fault in wai. Run again with WAI_DEBUG=1 and report what it prints.",
  };
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ").trim();

/** ` (rollouts.jsonl:12)` for an error that lies in a file, unless its sentence already names the place. */
function placeOf(error: WhileError): string {
  const place = (error as { place?: { file?: string; line?: number } }).place;
  if (place?.file === undefined) return "";
  const text = place.line === undefined ? place.file : `${place.file}:${place.line}`;
  return error.what.includes(text) ? "" : ` (${text})`;
}

const SYSTEM_FIX: Readonly<Record<string, string>> = {
  ENOENT: "Check the spelling of the path.",
  EACCES: "Give yourself the permission, or choose another path.",
  ENOSPC: "Free some space on the disk, or write to another one.",
  EISDIR: "Name a file, not a folder.",
  ENOTDIR: "A part of the path is a file; name a folder there.",
};

const SYSTEM_WORDS: Readonly<Record<string, string>> = {
  ENOENT: "There is no file",
  EACCES: "Not allowed to open",
  ENOSPC: "No space left for",
  EISDIR: "This is a folder:",
  ENOTDIR: "Not a folder on the way to",
};

function systemSentence({ code, path, message }: NodeJS.ErrnoException): string {
  const words = SYSTEM_WORDS[code!];
  return words === undefined ? oneLine(message) : `${words} ${path}.`;
}
