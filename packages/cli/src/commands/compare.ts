import {
  type CompareVerdict,
  compareRuns,
  compareSequentially,
  formatCompareRuns,
  formatSequentialComparison,
  type Metric,
} from "@while/stats";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

const EXIT_CODE: Readonly<Record<CompareVerdict, ExitCode>> = {
  b_better: EXIT.holds,
  a_better: EXIT.doesNotHold,
  no_difference_detected: EXIT.cannotTell,
  insufficient_data: EXIT.cannotTell,
};

interface CompareFlags {
  metric?: Metric;
  cluster?: string;
  sequential?: boolean;
}

export const compareVerb: Verb<CompareFlags> = {
  name: "compare",
  chapter: "measure",
  summary: "is run B better than run A, task by task?",
  flags: [
    { spec: "--metric <metric>", about: "pass_at_1 (default) or marker:NAME" },
    { spec: "--cluster <key>", about: "what tasks share that are no independent draws: persona, document" },
    { spec: "--sequential", about: "B is still running, its tasks in random order: may it stop?" },
  ],
  examples: [
    { line: "wai compare before.jsonl after.jsonl", about: "pass@1 of the second file against the first" },
    { line: "wai compare a.jsonl b.jsonl --metric marker:brief", about: "the same for a behaviour" },
  ],
  exits: [
    [EXIT.holds, "the second run is better"],
    [EXIT.doesNotHold, "the first run is better"],
    [EXIT.cannotTell, "no difference detected, or too little data for one"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const [a, b, ...rest] = call.files;
    if (a === undefined || b === undefined || rest.length > 0) {
      const given = call.files.length === 1 ? "1 file" : `${call.files.length} files`;
      throw new CliError("bad_arguments", `wai compare was given ${given}.`, "Name two: A, and B that may be better.");
    }
    const { sequential, ...options } = call.flags;
    if (sequential === true && options.cluster !== undefined) {
      throw new CliError(
        "bad_arguments",
        "--sequential and --cluster were both given.",
        "Give one: bets are made task by task, and clusters are compared once, at the end.",
      );
    }
    const one = await readAll({ ...call, files: [a] });
    const other = await readAll({ ...call, files: [b] });
    if (sequential === true) {
      const report = compareSequentially(
        one.rows,
        other.rows,
        options.metric === undefined ? {} : { metric: options.metric },
      );
      print(call, report, formatSequentialComparison);
      return EXIT_CODE[report.verdict];
    }
    const report = compareRuns(one.rows, other.rows, options);
    print(call, report, formatCompareRuns);
    return EXIT_CODE[report.verdict];
  },
};
