import type { Sink } from "./io/io.ts";

/** Wraps text for a terminal that shows colour, and hands it back untouched for one that does not. */
export interface Paint {
  bold(text: string): string;
  red(text: string): string;
  dim(text: string): string;
}

const PLAIN: Paint = { bold: (text) => text, red: (text) => text, dim: (text) => text };

const COLOUR: Paint = {
  bold: (text) => `\x1b[1m${text}\x1b[22m`,
  red: (text) => `\x1b[31m${text}\x1b[39m`,
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
};

interface PaintOptions {
  /** false for `--no-color`. */
  color?: boolean | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

/** `--no-color` first, then FORCE_COLOR, then NO_COLOR (no-color.org: any text counts), then what the terminal is. */
export function paintFor(sink: Pick<Sink, "isTty">, { color = true, env }: PaintOptions): Paint {
  if (!color) return PLAIN;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== "") return forced === "0" || forced === "false" ? PLAIN : COLOUR;
  if (env.NO_COLOR) return PLAIN;
  return sink.isTty && env.TERM !== "dumb" ? COLOUR : PLAIN;
}
