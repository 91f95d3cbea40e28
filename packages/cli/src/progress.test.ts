import { expect, test } from "vitest";
import type { Sink } from "./io/io.ts";
import { progressLine, withProgress } from "./progress.ts";

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

/** Passes `n` rows, `stepMs` apart, and returns what was written to stderr. */
async function drawn(n: number, stepMs: number, { isTty = true, quiet = false } = {}): Promise<string[]> {
  const written: string[] = [];
  let clock = 0;
  const stderr: Sink = {
    write: (text) => written.push(text) > 0,
    drained: async () => {},
    closed: false,
    isTty,
    columns: 40,
  };
  async function* rows() {
    for (let i = 0; i < n; i += 1) yield i;
  }
  const seen: number[] = [];
  const now = (): number => {
    clock += stepMs;
    return clock;
  };
  for await (const row of withProgress(rows(), { stderr, now }, { verb: "rows", quiet, done: () => null }))
    seen.push(row);
  expect(seen).toHaveLength(n);
  return written;
}

test("nothing is drawn before half a second", async () => {
  expect(await drawn(4, 100)).toEqual([]);
});

test("past half a second a line is drawn, cut to the terminal, and erased at the end", async () => {
  const written = await drawn(12, 100);
  expect(written.length).toBeGreaterThan(1);
  expect(written.at(0)).toBe("\rrows  5 rows  10 rows/s\x1b[K");
  expect(written.at(-1)).toBe("\r\x1b[K");
});

test.each([
  ["not on a terminal", { isTty: false }],
  ["under --quiet", { quiet: true }],
])("nothing is drawn %s", async (_, options) => {
  expect(await drawn(50, 100, options)).toEqual([]);
});
