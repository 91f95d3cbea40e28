import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { standardError } from "../calibration/markdown.ts";
import { runStudies, wholeNumber } from "../calibration/run-studies.ts";
import type { Study } from "../calibration/study.ts";
import { MONITOR_STUDIES } from "./monitor-studies.ts";
import { SCAN_STUDIES } from "./scan-studies.ts";

/** `hack-scan-study [--trials N] [--seed S] [--study NAME] [--size N] [--workers N]`: false alarms and recall. Markdown. */
export const hackScanStudyCommand = (args: string[]): Promise<void> => studyCommand(SCAN_STUDIES, 1000, args);

/** `monitor-study [--trials N] [--seed S] [--size N] [--workers N]`: how often divergence is raised, and should be. Markdown. */
export const monitorStudyCommand = (args: string[]): Promise<void> => studyCommand(MONITOR_STUDIES, 1000, args);

async function studyCommand(studies: readonly Study[], usual: number, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      trials: { type: "string", default: String(usual) },
      seed: { type: "string", default: "0" },
      workers: { type: "string", default: String(availableParallelism()) },
      size: { type: "string", multiple: true },
      study: { type: "string", multiple: true, default: studies.map(({ name }) => name) },
    },
  });
  for (const name of values.study) {
    if (studies.some((study) => study.name === name)) continue;
    throw new Error(`There is no study ${name}: pass some of ${studies.map((study) => study.name).join(", ")}.`);
  }
  const trials = wholeNumber("--trials", values.trials);
  const sizes = values.size?.map((size) => wholeNumber("--size", size));
  const asked = studies
    .filter(({ name }) => values.study.includes(name))
    .map((study) => ({ ...study, cells: study.cells.filter(({ n }) => sizes === undefined || sizes.includes(n)) }));
  const parts = await runStudies(asked, {
    trials,
    seed: values.seed,
    workers: wholeNumber("--workers", values.workers),
  });
  const efforts = asked.map(({ name, effort }) => `${name} ${Math.ceil(trials * effort)}`).join(", ");
  const error = standardError(0.05, trials);
  const heading = `Sets a cell: ${efforts}; seed ${values.seed}. The standard error of 5% is ${error} points in ${trials} sets, and more in fewer. Bold is outside of what is promised.`;
  process.stdout.write(`${[heading, ...parts].join("\n\n")}\n`);
}
