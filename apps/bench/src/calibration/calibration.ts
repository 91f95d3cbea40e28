import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { standardError } from "./markdown.ts";
import { runStudies, wholeNumber } from "./run-studies.ts";
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
  const parts = await runStudies(studies, {
    trials,
    seed: values.seed,
    workers: wholeNumber("--workers", values.workers),
  });
  process.stdout.write(`${[heading(trials, values.seed), ...parts].join("\n\n")}\n`);
}

function heading(trials: number, seed: string): string {
  const error = (share: number) => standardError(share, trials);
  return `${trials} trials a cell, seed ${seed}: the standard error of a cell at 95% or 5% is ${error(0.95)} points, at 80% ${error(0.8)}. What is beside a strict verdict was looked at in one trial of four (twice the error), whole reports in ${Math.round(100 * words.effort)} of a hundred trials.`;
}
