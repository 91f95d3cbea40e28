import { STAGES, stampStage } from "@while/schema";
import { metaOf } from "@while/schema/files";
import { formatStages, stageReport } from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface StagesFlags {
  stamp?: string;
}

export const stagesVerb: Verb<StagesFlags> = {
  name: "stages",
  chapter: "trust",
  summary: "which training stage saw which task, and was it evaluated on?",
  flags: [choice("--stamp <stage>", STAGES, "what the rows were used for, written on them to -o")],
  output: { spec: "-o, --output <file>", about: "the stamped rows, - is stdout" },
  examples: [
    { line: "wai stages train.jsonl eval.jsonl", about: "is a task of the evaluation in training?" },
    { line: "wai stages rows.jsonl --stamp sft -o sft.jsonl", about: "the same rows, as those of a stage" },
  ],
  exits: [
    [EXIT.holds, "no task is in eval and in training"],
    [EXIT.doesNotHold, "a task is"],
    [EXIT.cannotTell, "no row says of which stage it is"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { stamp } = call.flags;
    const { output } = call;
    if ((stamp === undefined) !== (output === undefined)) {
      const missing = stamp === undefined ? "--stamp STAGE" : "-o FILE";
      const given = stamp === undefined ? "-o" : "--stamp";
      throw new CliError("bad_arguments", `wai stages was given ${given} alone.`, `Give ${missing} with it.`);
    }
    if (output !== undefined) await refuseOverwrite(call.files, output);
    const read = await readAll(call);
    const rows = stamp === undefined ? read.rows : stampStage(read.rows, stamp);
    if (output !== undefined) await writeRows(output, rows, () => metaOf(read.report));
    const report = stageReport(rows);
    print(call, report, formatStages, { to: reportSink(call) });
    if (report.nLeaks > 0) return EXIT.doesNotHold;
    return report.counts.size === 0 ? EXIT.cannotTell : EXIT.holds;
  },
};
