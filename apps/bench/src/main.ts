import { calibrationCommand } from "./calibration/calibration.ts";
import { decontaminateCommand } from "./decontaminate.ts";
import { exportCommand } from "./export.ts";
import { fuzzCommand } from "./fuzz/fuzz.ts";
import { judgeCalibrationCommand } from "./judge-calibration/judge-calibration.ts";
import { makeRolloutsCommand } from "./make-rollouts.ts";
import { pagesCommand } from "./pages.ts";
import { platformCommand } from "./platform.ts";
import { platformSeedCommand } from "./platform-seed.ts";
import { readersCommand } from "./readers.ts";
import { readingCommand } from "./reading.ts";
import { hackScanCommand, selectCommand } from "./select.ts";
import { hackScanStudyCommand, monitorStudyCommand } from "./select-studies/select-studies.ts";
import { simulateCommand } from "./simulate.ts";
import { statsCommand } from "./stats.ts";

/** `pnpm bench <name>`: every benchmark prints one table and needs no file of its own. */
const BENCHMARKS: Record<string, (args: string[]) => Promise<void>> = {
  calibration: calibrationCommand,
  stats: statsCommand,
  "judge-calibration": judgeCalibrationCommand,
  "hack-scan": hackScanCommand,
  select: selectCommand,
  export: exportCommand,
  "hack-scan-study": hackScanStudyCommand,
  "monitor-study": monitorStudyCommand,
  reading: readingCommand,
  readers: readersCommand,
  "make-rollouts": makeRolloutsCommand,
  decontaminate: decontaminateCommand,
  platform: platformCommand,
  "platform-seed": platformSeedCommand,
  pages: pagesCommand,
  simulate: simulateCommand,
  fuzz: fuzzCommand,
};

const USAGE = `pnpm bench <name>

  calibration [--quick] [--trials N] [--seed S] [--study NAME] [--workers N]
                                coverage, false alarms and power of every verdict; Markdown
  stats [NAME...] [--scale X]   passAt and deltaReport at three sizes: seconds and memory
  judge-calibration [--trials N] [--seed S]
                                findings and verdicts on judges whose faults are known; Markdown
  hack-scan [NAME...] [--scale X]
                                hackScan at three sizes: seconds and memory
  select [NAME...] [--scale X]  optimize at the same sizes
  export [NAME...] [--scale X]  exports of files at the same sizes
  hack-scan-study [--trials N] [--seed S] [--study NAME] [--size N] [--workers N]
                                false alarms and recall of the hack scan; Markdown
  monitor-study [--trials N] [--seed S] [--size N] [--workers N]
                                false and true divergence of the hack monitor; Markdown
  reading [FILE] [--mb N]       reading and validating rows, beside bare JSON.parse
  readers [NAME...] [--mb N] [--document-mb N]
                                wai rows on a large file of each kind: speed and memory
  make-rollouts OUT [--mb N]    a JSONL file of rollouts, the same on every machine
  decontaminate [--rows N] [--eval N] [--no-related]
                                a training file against an evaluation: speed, memory, the same on any threads
  platform [--runs N] [--points N] [--rows N] [--database URL]
                                the server under load: points, scores, rows and pages a second
  platform-seed [--data DIR] [--database URL] [--runs N] [--points N] [--rows N]
                                an agent as large as the pages must bear, in the data of a platform
  pages [--runs N] [--points N] [--rows N]
                                how long a reader waits for the pages of such an agent, and whether scrolling stutters
  simulate [--rollouts N]       what a rollout costs beside its agent, and whether memory grows with the run
  fuzz [--inputs N] [--seed S] [--from I] [--workers N]
                                every reader on files that something went wrong with
  fuzz --seed S --only I        one of those inputs, saved and read
`;

const [name = "", ...args] = process.argv.slice(2);
const run = BENCHMARKS[name];
if (run === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = name === "" || name === "--help" ? 0 : 3;
} else {
  await run(args);
}
