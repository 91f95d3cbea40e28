import { type Job, runCells } from "./run-cells.ts";
import type { Study } from "./study.ts";

export interface StudyRun {
  /** Of a study of full effort. */
  trials: number;
  seed: string;
  workers: number;
}

/** Every cell of some studies on all threads, and what each study prints of its own. Progress goes to stderr. */
export async function runStudies(studies: readonly Study[], { trials, seed, workers }: StudyRun): Promise<string[]> {
  const jobs = studies.flatMap(({ name, cells, effort }) =>
    cells.map((cell): Job => ({ study: name, cell, trials: Math.ceil(trials * effort), seed })),
  );
  const started = performance.now();
  // The dearest first, so that no thread is left with one at the end.
  const order = jobs
    .map((_, i) => i)
    .sort((a, b) => jobs[b]!.cell.n * jobs[b]!.cell.k - jobs[a]!.cell.n * jobs[a]!.cell.k);
  const sorted = await runCells(
    order.map((i) => jobs[i]!),
    { workers, onDone: (done) => progress(done, jobs.length) },
  );
  const results = jobs.map((_, i) => sorted[order.indexOf(i)]!);
  process.stderr.write(`${jobs.length} cells in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  return studies.map(({ name, print }) => print(results.filter((_, i) => jobs[i]!.study === name)));
}

/** @throws Error that names the flag */
export function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`${flag} is ${text}: pass a whole number, 1 or more.`);
}

function progress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} cells${done === of ? "\n" : ""}`);
}
