import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { standardError } from "./markdown.ts";
import { type Job, runCells } from "./run-cells.ts";
import { STUDIES } from "./studies.ts";
import { words } from "./words.ts";

/** Trials a cell: the standard error of a share of 95% is 0.34 points. */
const TRIALS = 4000;
const QUICK_TRIALS = 400;

/** `calibration [--quick] [--trials N] [--seed S] [--study NAME] [--workers N]`: do the numbers hold what they promise? Markdown. */
export async function calibrationCommand(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: "boolean", default: false },
      trials: { type: "string" },
      seed: { type: "string", default: "0" },
      workers: { type: "string", default: String(availableParallelism()) },
      study: { type: "string", multiple: true, default: STUDIES.map(({ name }) => name) },
    },
  });
  const trials = wholeNumber("--trials", values.trials ?? String(values.quick ? QUICK_TRIALS : TRIALS));
  for (const name of values.study) {
    if (STUDIES.some((study) => study.name === name)) continue;
    throw new Error(`There is no study ${name}: pass some of ${STUDIES.map((study) => study.name).join(", ")}.`);
  }
  const studies = STUDIES.filter(({ name }) => values.study.includes(name));
  const jobs = studies.flatMap(({ name, cells, effort }) =>
    cells.map((cell): Job => ({ study: name, cell, trials: Math.ceil(trials * effort), seed: values.seed })),
  );
  const started = performance.now();
  // The dearest first, so that no thread is left with one at the end.
  const order = jobs
    .map((_, i) => i)
    .sort((a, b) => jobs[b]!.cell.n * jobs[b]!.cell.k - jobs[a]!.cell.n * jobs[a]!.cell.k);
  const sorted = await runCells(
    order.map((i) => jobs[i]!),
    { workers: wholeNumber("--workers", values.workers), onDone: (done) => progress(done, jobs.length) },
  );
  const results = jobs.map((_, i) => sorted[order.indexOf(i)]!);
  const parts = studies.map(({ name, print }) => print(results.filter((_, i) => jobs[i]!.study === name)));
  process.stdout.write(`${[heading(trials, values.seed), ...parts].join("\n\n")}\n`);
  process.stderr.write(`${jobs.length} cells in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}

function heading(trials: number, seed: string): string {
  const error = (share: number) => standardError(share, trials);
  return `${trials} trials a cell, seed ${seed}: the standard error of a cell at 95% or 5% is ${error(0.95)} points, at 80% ${error(0.8)}. What is beside a strict verdict was looked at in one trial of four (twice the error), whole reports in ${Math.round(100 * words.effort)} of a hundred trials.`;
}

function wholeNumber(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new Error(`${flag} is ${text}: pass a whole number, 1 or more.`);
}

function progress(done: number, of: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${of} cells${done === of ? "\n" : ""}`);
}
