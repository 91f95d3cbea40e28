import {
  formatFixed,
  formatSplit,
  type Row,
  type SplitOptions,
  splitHoldout,
  splitReport,
  textOf,
} from "@while/schema";
import { metaOf } from "@while/schema/files";
import { type NearDuplicatesReport, nearDuplicates } from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { share } from "../flag-values.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, STDOUT, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import type { Call, Verb } from "../verb.ts";

interface SplitFlags extends Omit<SplitOptions, "together"> {
  holdout?: number;
  together?: string;
}

export const splitVerb: Verb<SplitFlags> = {
  name: "split",
  chapter: "select",
  summary: "training rows and held-out rows, no task on both sides",
  flags: [
    { spec: "--holdout <share>", about: "share of tasks to hold out, such as 0.2", read: share },
    { spec: "--exact", about: "that share itself, of solved and unsolved tasks alike, and not on average" },
    { spec: "--together <column>", about: "rows that share it lie on one side: a persona, a document, a parent" },
    { spec: "--salt <text>", about: "draws other tasks at the same share" },
  ],
  output: { spec: "-o, --output <files>", about: "TRAIN,HOLDOUT (default FILE.train.jsonl, FILE.holdout.jsonl)" },
  examples: [
    { line: "wai split rollouts.jsonl --holdout 0.2 -o train.jsonl,holdout.jsonl", about: "a fifth of the tasks" },
    { line: "wai split rollouts.jsonl --holdout 0.1", about: "into two files beside the first" },
  ],
  exits: [
    [EXIT.holds, "both sides have rows"],
    [EXIT.doesNotHold, "nothing fell on the held-out side, and no file was written"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { holdout: fraction, together, ...options } = call.flags;
    if (fraction === undefined) {
      throw new CliError("bad_arguments", "wai split was given no share.", "Say it with --holdout, such as 0.2.");
    }
    const [train, holdout] = await bothOutputs(call);
    const read = await readAll(call);
    if (together !== undefined) refuseEmpty(read.rows, together);
    const split = splitHoldout(read.rows, fraction, {
      ...options,
      ...(together === undefined ? {} : { together: (row) => textOf(cellOf(row, together)) || null }),
    });
    const report = {
      ...splitReport(split, fraction),
      // One situation under two ids, a task on either side: no rule of the split sees it.
      nearDuplicates: nearDuplicates(split.holdout, { against: split.train }),
    };
    const held = report.nHoldout > 0;
    if (held) {
      await writeRows(train, split.train, () => metaOf(read.report));
      await writeRows(holdout, split.holdout, () => metaOf(read.report));
    }
    print(call, report, ({ nearDuplicates: near, ...own }) => [formatSplit(own), ...alikeLines(near)].join("\n"));
    if (held && call.output === undefined) note(call, `rows in ${train} and ${holdout}`);
    return held ? EXIT.holds : EXIT.doesNotHold;
  },
};

function cellOf(row: Row, column: string): unknown {
  return row[column] ?? row.lineage?.[column];
}

/** A misspelled column would keep nothing together. */
function refuseEmpty(rows: readonly Row[], column: string): void {
  if (rows.some((row) => textOf(cellOf(row, column)) !== "")) return;
  throw new CliError(
    "bad_flag",
    `--together names ${column}, and no row has it.`,
    "Give a column of the rows or of their lineage.",
  );
}

/** Pairs that the text shows. */
const SHOWN = 3;

/** Held-out prompts that read like training ones; nothing where there is none. */
function alikeLines({ nPromptsInvolved, nPrompts, threshold, examples }: NearDuplicatesReport): string[] {
  if (nPromptsInvolved === 0) return [];
  const flat = (text: string) => text.replaceAll(/\s+/g, " ");
  return [
    `! ${nPromptsInvolved} of ${nPrompts} held-out prompts read like a training prompt of another task (runs of five characters, ${threshold} or more alike): one situation under two ids is no held-out one; give both one id, or drop them (wai decontaminate --jaccard ${threshold} --drop-duplicates)`,
    ...examples
      .slice(0, SHOWN)
      .flatMap(({ a, b, taskA, taskB, jaccard }) => [
        `  ${formatFixed(jaccard, 2)}  held out ${flat(taskA)}: ${flat(a)}`,
        `        train    ${flat(taskB)}: ${flat(b)}`,
      ]),
  ];
}

/** @throws CliError `bad_arguments` unless `-o` names two files */
async function bothOutputs(call: Call): Promise<[train: string, holdout: string]> {
  if (call.output === undefined) {
    const outputFor = await outputOf(call);
    return [
      outputFor((stem, suffix) => `${stem}.train${suffix}`),
      outputFor((stem, suffix) => `${stem}.holdout${suffix}`),
    ];
  }
  const [train, holdout, ...rest] = call.output.split(",");
  if (!train || !holdout || rest.length > 0 || train === holdout || [train, holdout].includes(STDOUT)) {
    throw new CliError(
      "bad_arguments",
      `-o got "${call.output}".`,
      "Name two files with a comma between them: -o train.jsonl,holdout.jsonl.",
    );
  }
  for (const output of [train, holdout]) await refuseOverwrite(call.files, output);
  return [train, holdout];
}
