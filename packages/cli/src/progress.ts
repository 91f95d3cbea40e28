import type { Io } from "./io/io.ts";

/** Work that is over sooner needs no progress. */
const PROGRESS_AFTER_MS = 500;
const REDRAW_MS = 100;
const BAR_CELLS = 20;

export interface ProgressState {
  verb: string;
  rows: number;
  elapsedMs: number;
  /** How much of the input is read, 0 to 1; null when its size is not known. */
  done: number | null;
}

/** One line: verb, bar when the size is known, rows, rows/s, time left. */
export function progressLine({ verb, rows, elapsedMs, done }: ProgressState): string {
  const seconds = elapsedMs / 1000;
  const parts = [`${rows.toLocaleString("en")} rows`];
  if (seconds > 0) parts.push(`${Math.round(rows / seconds).toLocaleString("en")} rows/s`);
  if (done === null || done <= 0 || seconds <= 0) return `${verb}  ${parts.join("  ")}`;
  const filled = Math.min(BAR_CELLS, Math.floor(done * BAR_CELLS));
  const bar = `${"█".repeat(filled)}${"░".repeat(BAR_CELLS - filled)}`;
  return `${verb}  ${bar}  ${parts.join("  ")}  ${timeLeft(seconds * (1 / done - 1))} left`;
}

/** `8s`, `2m 05s` */
function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole}s` : `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`;
}

/** A line on stderr while rows are read. */
export interface Progress {
  show(state: { rows: number; bytes: number; totalBytes: number | null }): void;
  /** Takes the line away; safe to call when there is none. */
  clear(): void;
}

/** Draws on a terminal alone, and only past half a second. */
export function progressOf(
  verb: string,
  { stderr, now }: Pick<Io, "stderr" | "now">,
  { quiet = false }: { quiet?: boolean | undefined } = {},
): Progress {
  if (quiet || !stderr.isTty) return { show() {}, clear() {} };
  let start = now();
  let drawnAt = start + PROGRESS_AFTER_MS - REDRAW_MS;
  let drawn = false;
  let reading = 1;
  let bytesBefore = 0;
  return {
    show({ rows, bytes, totalBytes }) {
      const at = now();
      // Some verbs read a file again.
      if (bytes < bytesBefore) {
        reading += 1;
        start = at;
      }
      bytesBefore = bytes;
      if (at - drawnAt < REDRAW_MS) return;
      // A packed file unpacks to more bytes than it has, and then its share is not known.
      const done = totalBytes === null || bytes > totalBytes ? null : bytes / totalBytes;
      const line = progressLine({
        verb: reading === 1 ? verb : `${verb}, reading ${reading}`,
        rows,
        elapsedMs: at - start,
        done,
      });
      stderr.write(`\r${line.slice(0, stderr.columns - 1)}\x1b[K`);
      drawnAt = at;
      drawn = true;
    },
    clear() {
      if (drawn) stderr.write("\r\x1b[K");
      drawn = false;
    },
  };
}
