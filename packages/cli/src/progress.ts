import type { Io } from "./io/io.ts";

/** Work that is over sooner needs no progress. */
export const PROGRESS_AFTER_MS = 500;
const REDRAW_MS = 100;
const BAR_CELLS = 20;

export interface ProgressState {
  verb: string;
  rows: number;
  elapsedMs: number;
  /** How much of the input is read, 0 to 1; null when its size is not known (stdin, gzip). */
  done: number | null;
}

/** One line: verb, bar when the size is known, rows, rows/s, time left. */
export function progressLine({ verb, rows, elapsedMs, done }: ProgressState): string {
  const seconds = elapsedMs / 1000;
  const parts = [`${rows.toLocaleString("en")} rows`, `${Math.round(rows / seconds).toLocaleString("en")} rows/s`];
  if (done === null || done <= 0) return `${verb}  ${parts.join("  ")}`;
  const filled = Math.min(BAR_CELLS, Math.floor(done * BAR_CELLS));
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}`;
  return `${verb}  ${bar}  ${parts.join("  ")}  ${timeLeft(seconds * (1 / done - 1))} left`;
}

/** `8s`, `2m 05s` */
function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
}

export interface ProgressOptions {
  verb: string;
  quiet?: boolean | undefined;
  /** Share of the input read so far; null when unknown. */
  done: () => number | null;
}

/**
 * Passes rows through and draws one line on stderr while they flow: only on a terminal, only past half a second,
 * and gone when the rows are through.
 */
export async function* withProgress<Item>(
  rows: AsyncIterable<Item>,
  { stderr, now }: Pick<Io, "stderr" | "now">,
  { verb, quiet = false, done }: ProgressOptions,
): AsyncGenerator<Item> {
  if (quiet || !stderr.isTty) {
    yield* rows;
    return;
  }
  const start = now();
  let drawnAt = start + PROGRESS_AFTER_MS - REDRAW_MS;
  let drawn = false;
  let count = 0;
  try {
    for await (const row of rows) {
      count += 1;
      const at = now();
      if (at - drawnAt >= REDRAW_MS) {
        const line = progressLine({ verb, rows: count, elapsedMs: at - start, done: done() });
        stderr.write(`\r${line.slice(0, stderr.columns - 1)}\x1b[K`);
        drawnAt = at;
        drawn = true;
      }
      yield row;
    }
  } finally {
    if (drawn) stderr.write("\r\x1b[K");
  }
}
