import { metaOf } from "@while/schema/files";
import { type CurriculumOptions, curriculum, formatCurriculum, MEMBERSHIPS, scheduledRows } from "@while/select";
import { EXIT } from "../exit-code.ts";
import { band, choice, share, wholeNumber } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

export const curriculumVerb: Verb<CurriculumOptions> = {
  name: "curriculum",
  chapter: "select",
  summary: "the tasks still worth training on, easy first",
  flags: [
    { spec: "--solved <share>", about: "above it a task has nothing left to teach (0.8)", read: share },
    { spec: "--floor <share>", about: "below it a task is not ready (0.2)", read: share },
    { spec: "--band <low,high>", about: "pass rates worth training on (0.2,0.8)", read: band },
    { spec: "--tiers <n>", about: "parts of the schedule (3)", read: wholeNumber },
    { spec: "--min-rollouts <n>", about: "graded rollouts that a rate rests on (2)", read: wholeNumber },
    choice("--membership <how>", MEMBERSHIPS, "when it is likely enough, or by the measured rate"),
    { spec: "--confidence <share>", about: "how likely is enough (0.9)", read: share },
  ],
  output: { spec: "-o, --output <file>", about: "rows of the schedule, in its order; - is stdout" },
  examples: [
    { line: "wai curriculum rollouts.jsonl", about: "which tasks are solved, which are not ready" },
    { line: "wai curriculum rollouts.jsonl --tiers 4 -o schedule.jsonl", about: "and the rows, easy tasks first" },
  ],
  exits: [
    [EXIT.holds, "there are tasks to train on"],
    [EXIT.doesNotHold, "there are none, and no file was written"],
    [EXIT.cannotTell, "no task is graded"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    if (call.output !== undefined) await refuseOverwrite(call.files, call.output);
    const read = await readAll(call);
    const report = curriculum(read.rows, call.flags);
    if (call.output !== undefined && report.nTrainable > 0) {
      await writeRows(call.output, scheduledRows(read.rows, report), () => metaOf(read.report));
    }
    print(call, report, formatCurriculum, { to: reportSink(call) });
    if (report.nTasks === 0) return EXIT.cannotTell;
    return report.nTrainable > 0 ? EXIT.holds : EXIT.doesNotHold;
  },
};
