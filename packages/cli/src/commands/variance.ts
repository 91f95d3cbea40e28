import type { Row } from "@while/schema";
import { evalVariance, formatEvalVariance, type Metric, MIN_RERUNS } from "@while/stats";
import { EXIT } from "../exit-code.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

export const varianceVerb: Verb<{ metric?: Metric; by?: string }> = {
  name: "variance",
  chapter: "measure",
  summary: "how much a score moves when the same agent runs again",
  flags: [
    { spec: "--metric <metric>", about: "pass_at_1 (default) or marker:NAME" },
    { spec: "--by <key>", about: "row or lineage key that names the run" },
  ],
  examples: [
    { line: "wai variance run1.jsonl run2.jsonl run3.jsonl", about: "a file a run: spread, noise floor in points" },
    { line: "wai variance all.jsonl --by trial", about: "runs in one file, told apart by a key" },
  ],
  exits: [
    [EXIT.holds, `a spread over ${MIN_RERUNS} runs or more`],
    [EXIT.cannotTell, `fewer runs than ${MIN_RERUNS} have a score`],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const runs: Row[][] = [];
    for (const file of call.files) runs.push((await readAll({ ...call, files: [file] })).rows);
    const report = evalVariance(runs, call.flags);
    print(call, report, formatEvalVariance);
    return report.nRuns < MIN_RERUNS ? EXIT.cannotTell : EXIT.holds;
  },
};
