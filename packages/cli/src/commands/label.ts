import { attachLabels, attachRatings, formatLabels, GOLD_KINDS, VOTERS, type Voters } from "@while/schema";
import { metaOf, readLabels } from "@while/schema/files";
import { formatLabelConsensus, labelConsensus } from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice, range } from "../flag-values.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface LabelFlags {
  labels?: string;
  kind?: string;
  annotator?: string;
  replace?: boolean;
  voters?: Voters;
  consensus?: boolean;
  marks?: [low: number, high: number];
}

export const labelVerb: Verb<LabelFlags> = {
  name: "label",
  chapter: "trust",
  summary: "gold labels on the rows they name, to measure a judge against",
  flags: [
    { spec: "--labels <file>", about: "JSONL or CSV of labels: key,label[,annotator,kind,note]" },
    { spec: "--marks <low,high>", about: "they are marks from low to high (1,5), and no 0 or 1", read: range },
    choice("--kind <kind>", GOLD_KINDS, "who gave labels that do not say it"),
    { spec: "--annotator <name>", about: "whose labels are those without a name" },
    choice("--voters <who>", VOTERS, "whose labels decide: a model's only where no other is, or all"),
    { spec: "--consensus", about: "gold by how often each of 3 annotators errs, not by majority" },
    { spec: "--replace", about: "forget the labels that a labeled row had" },
  ],
  output: { spec: "-o, --output <file>", about: "JSONL (default FILE.labeled.jsonl), - stdout" },
  examples: [
    { line: "wai label rollouts.jsonl --labels ann.csv --kind human", about: "labels of a person, found by their key" },
    { line: "wai label a.jsonl --labels l.jsonl -o b.jsonl", about: "labels whose records say annotator and kind" },
  ],
  exits: [
    [EXIT.holds, "labels were written"],
    [EXIT.doesNotHold, "no label could be used, and no file was written"],
    [EXIT.failed, "a label that names several rows, labels that name none, a flag or a file"],
  ],
  async run(call) {
    const { labels, marks, consensus = false, ...options } = call.flags;
    if (labels === undefined) {
      throw new CliError("bad_arguments", "wai label was given no labels.", "Name their file with --labels FILE.");
    }
    if (consensus && marks !== undefined) {
      throw new CliError("bad_arguments", "--consensus is of labels of 0 and 1.", "Leave out --consensus or --marks.");
    }
    if (labels === STDOUT && call.files.includes(STDOUT)) {
      throw new CliError("bad_arguments", "stdin cannot be both rows and labels.", "Name a file for one of them.");
    }
    const outputFor = await outputOf(call);
    if (call.output !== undefined) await refuseOverwrite([labels], call.output);
    const records = await readLabels(labels);
    const read = await readAll(call);
    const attached =
      marks === undefined
        ? attachLabels(read.rows, records, options)
        : attachRatings(read.rows, records, { ...options, scale: marks });
    const { report } = attached;
    const agreed = consensus ? labelConsensus(attached.rows) : null;
    const rows = agreed?.rows ?? attached.rows;
    const output = outputFor((stem, suffix) => `${stem}.labeled${suffix}`);
    const found = report.matched > 0;
    if (found) await writeRows(output, rows, () => metaOf(read.report));
    const told = agreed === null ? report : { ...report, consensus: agreed.report };
    const format = () =>
      agreed === null ? formatLabels(report) : `${formatLabels(report)}\n${formatLabelConsensus(agreed.report)}`;
    print(call, told, format, { to: reportSink(call) });
    if (found && call.output === undefined) note(call, `rows in ${output}`);
    return found ? EXIT.holds : EXIT.doesNotHold;
  },
};
