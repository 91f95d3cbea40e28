import { metaOf } from "@while/schema/files";
import {
  buildPreferencePairs,
  formatPairReport,
  PAIR_GROUPINGS,
  PAIR_MATCHINGS,
  type PairOptions,
} from "@while/select";
import { EXIT } from "../exit-code.ts";
import { anyNumber, choice, wholeNumber } from "../flag-values.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll } from "../io/read-rows.ts";
import { reportSink, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface PairsFlags {
  maxPerPrompt?: number;
  minMargin?: number;
  /** false for `--no-length-match`. */
  lengthMatch?: boolean;
  matching?: NonNullable<PairOptions["matching"]>;
  groupBy?: NonNullable<PairOptions["groupBy"]>;
}

export const pairsVerb: Verb<PairsFlags> = {
  name: "pairs",
  chapter: "select",
  summary: "the better and the worse of two replies, alike in length",
  flags: [
    { spec: "--max-per-prompt <n>", about: "pairs that one prompt may give (1)", read: wholeNumber },
    { spec: "--min-margin <x>", about: "by how much the scores differ at least (1)", read: anyNumber },
    { spec: "--no-length-match", about: "do not look for replies of like length" },
    choice("--matching <how>", PAIR_MATCHINGS, "both sides by length, or the best reply first"),
    choice("--group-by <what>", PAIR_GROUPINGS, "what a pair shares: the wording, or the task"),
  ],
  output: { spec: "-o, --output <file>", about: "JSONL (default FILE.pairs.jsonl), - stdout" },
  examples: [
    { line: "wai pairs rollouts.jsonl -o pairs.jsonl", about: "one pair a prompt, a pass against a failure" },
    { line: "wai pairs rollouts.jsonl --min-margin 0.5 -o p.jsonl", about: "partial scores too" },
  ],
  exits: [
    [EXIT.holds, "there are pairs"],
    [EXIT.doesNotHold, "there is none, and no file was written"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const outputFor = await outputOf(call);
    const read = await readAll(call);
    const { maxPerPrompt, ...options } = call.flags;
    const { pairs, report } = buildPreferencePairs(read.rows, {
      ...options,
      ...(maxPerPrompt === undefined ? {} : { maxPairsPerPrompt: maxPerPrompt }),
    });
    const output = outputFor((stem, suffix) => `${stem}.pairs${suffix}`);
    const made = pairs.length > 0;
    if (made) {
      await writeRows(
        output,
        pairs.map((pair) => ({ ...pair })),
        () => metaOf(read.report),
      );
    }
    print(call, report, formatPairReport, { to: reportSink(call) });
    if (made && call.output === undefined) note(call, `pairs in ${output}`);
    return made ? EXIT.holds : EXIT.doesNotHold;
  },
};
