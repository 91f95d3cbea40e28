import { expect, test } from "vitest";
import type { Sink } from "./io/io.ts";
import { progressLine, progressOf } from "./progress.ts";

test.each([
  [{ verb: "rows", rows: 1200, elapsedMs: 1000, done: null }, "rows  1,200 rows  1,200 rows/s"],
  [{ verb: "rows", rows: 500, elapsedMs: 1000, done: 0 }, "rows  500 rows  500 rows/s"],
  [
    { verb: "pass-at", rows: 50000, elapsedMs: 2000, done: 0.25 },
    "pass-at  █████░░░░░░░░░░░░░░░  50,000 rows  25,000 rows/s  6s left",
  ],
  [
    { verb: "pass-at", rows: 50000, elapsedMs: 2000, done: 0.01 },
    "pass-at  ░░░░░░░░░░░░░░░░░░░░  50,000 rows  25,000 rows/s  3m 18s left",
  ],
])("progressLine(%o)", (state, line) => {
  expect(progressLine(state)).toBe(line);
});

const MEGABYTE = 1_000_000;

/** What is written to stderr while `n` pieces of 100 rows are read, 100 ms apart. */
function drawn(n: number, { isTty = true, quiet = false, totalBytes = null as number | null } = {}): string[] {
  const written: string[] = [];
  let clock = 0;
  const stderr: Sink = {
    write: (text) => written.push(text) > 0,
    closed: false,
    isTty,
    columns: 60,
  };
  const progress = progressOf("rows", { stderr, now: () => clock }, { quiet });
  for (let i = 1; i <= n; i += 1) {
    clock += 100;
    progress.show({ rows: 100 * i, bytes: MEGABYTE * i, totalBytes });
  }
  progress.clear();
  return written;
}

test("nothing is drawn before half a second", () => {
  expect(drawn(4)).toEqual([]);
});

test("past half a second a line is drawn, and erased at the end", () => {
  expect(drawn(6)).toEqual([
    "\rrows  500 rows  1,000 rows/s\x1b[K",
    "\rrows  600 rows  1,000 rows/s\x1b[K",
    "\r\x1b[K",
  ]);
});

test("with the size of the input there is a bar, cut to the terminal", () => {
  expect(drawn(5, { totalBytes: 10 * MEGABYTE })[0]).toBe(
    "\rrows  ██████████░░░░░░░░░░  500 rows  1,000 rows/s  1s left\x1b[K",
  );
});

test("a packed file that unpacks to more than its size has no bar", () => {
  expect(drawn(5, { totalBytes: MEGABYTE })[0]).toBe("\rrows  500 rows  1,000 rows/s\x1b[K");
});

test("a file that is read again starts again, and says so", () => {
  const written: string[] = [];
  let clock = 0;
  const stderr: Sink = { write: (text) => written.push(text) > 0, closed: false, isTty: true, columns: 80 };
  const progress = progressOf("export", { stderr, now: () => clock });
  for (const bytes of [10, 20, 10, 20]) {
    clock += 1000;
    progress.show({ rows: bytes, bytes, totalBytes: 20 });
  }
  expect(written.map((line) => line.match(/^\r(.*?) {2}/)![1])).toEqual([
    "export",
    "export",
    "export, reading 2",
    "export, reading 2",
  ]);
  expect(written.at(-1)).toContain("20 rows  20 rows/s  0s left");
});

test.each([
  ["not on a terminal", { isTty: false }],
  ["under --quiet", { quiet: true }],
])("nothing is drawn %s", (_, options) => {
  expect(drawn(50, options)).toEqual([]);
});
