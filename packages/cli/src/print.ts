import { toWire } from "@while/schema";
import { paintFor } from "./colour.ts";
import { inFlags } from "./in-flags.ts";
import type { Sink } from "./io/io.ts";
import { terminalSafe } from "./terminal-safe.ts";
import type { Call } from "./verb.ts";
import { wrapped } from "./wrapped.ts";

export interface PrintOptions {
  /** Where the report goes: stdout, or stderr where stdout carries rows. */
  to?: Sink;
}

/** A report as its text or, with `--json`, as one document of the same content. The first line is the verdict. */
export function print<Report>(
  { common, io }: Call,
  report: Report,
  format: (report: Report) => string,
  { to = io.stdout }: PrintOptions = {},
): void {
  if (common.json) {
    to.write(`${JSON.stringify(toWire(report), null, 2)}\n`);
    return;
  }
  const { bold } = paintFor(to, { color: common.color, env: io.env });
  const [verdict = "", ...rest] = terminalSafe(inFlags(format(report))).split("\n");
  const shown = (part: string): string => (to.isTty ? wrapped(part, to.columns) : part);
  to.write(`${[bold(shown(verdict)), ...rest.map(shown)].join("\n")}\n`);
}

/** A remark beside the report, on stderr; `--quiet` silences it. */
export function note({ common, io }: Call, text: string): void {
  if (common.quiet) return;
  const { dim } = paintFor(io.stderr, { color: common.color, env: io.env });
  io.stderr.write(`${dim(`note: ${terminalSafe(inFlags(text))}`)}\n`);
}
