import { metaOf, readRowFiles } from "@while/schema/files";
import {
  BAND_SOURCES,
  BASELINES,
  formatSelection,
  type OptimizeOptions,
  optimize,
  RL_ORDERS,
  SELECT_MODES,
  SFT_SELECTIONS,
  TRUNCATED_POLICIES,
} from "@while/select";
import { EXIT } from "../exit-code.ts";
import { anyNumber, band, choice, list, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll, readOptions, sourceOf } from "../io/read-rows.ts";
import { reportSink, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

type OptimizeFlags = Omit<OptimizeOptions, "prior"> & { prior?: string[] };

export const optimizeVerb: Verb<OptimizeFlags> = {
  name: "optimize",
  chapter: "select",
  summary: "the rows that training can learn from, and why not the others",
  flags: [
    choice("--mode <mode>", SELECT_MODES, "tasks with contrast, or replies to imitate"),
    { spec: "--target <n>", about: "rows to select (1000)", read: wholeNumber },
    { spec: "--band <low,high>", about: "rl: pass rates worth training on (0.2,0.8)", read: band },
    choice("--band-from <rows>", BAND_SOURCES, "rl: what a task's pass rate is measured on"),
    choice("--baseline <of>", BASELINES, "rl: what the trainer subtracts from a reward (group)"),
    {
      spec: "--endorsed <names>",
      about: "rl: what the reward is meant to pay for: parts of feature names a,b",
      read: list,
    },
    choice("--truncated <what>", TRUNCATED_POLICIES, "rl: what becomes of cut replies (drop)"),
    { spec: "--max-rows <n>", about: "rl: never more, whatever the last group holds", read: wholeNumber },
    { spec: "--prior <files...>", about: "rl: graded rows of an earlier round; tasks outside the band go first" },
    { spec: "--salt <text>", about: "draws other winners among those of equal rank" },
    choice("--order <order>", RL_ORDERS, "rl: difficulties early, or the middle first"),
    choice("--select <rule>", SFT_SELECTIONS, "sft: which of the passing replies"),
    { spec: "--min-reward <x>", about: "sft: reward from which a reply passes (1)", read: anyNumber },
    { spec: "--k <n>", about: "sft: rows that the overall rules take", read: wholeNumber },
    { spec: "--seed <n>", about: "sft: seed of the random rules (0)", read: zeroOrMore },
  ],
  output: { spec: "-o, --output <file>", about: "JSONL (default FILE.rl.jsonl or .sft.jsonl), - stdout" },
  examples: [
    { line: "wai optimize rollouts.jsonl --mode rl -o rl.jsonl", about: "groups with contrast inside the band" },
    { line: "wai optimize rollouts.jsonl --mode sft -o sft.jsonl", about: "one passing reply a prompt" },
  ],
  exits: [
    [EXIT.holds, "rows were kept"],
    [EXIT.doesNotHold, "nothing was kept, and no file written"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const outputFor = await outputOf(call);
    const { prior, ...flags } = call.flags;
    const earlier = prior === undefined ? {} : { prior: (await readRowFiles(prior, readOptions(call))).rows };
    const selection = optimize(sourceOf(await readAll(call)), { ...flags, ...earlier } as OptimizeOptions);
    const output = outputFor((stem, suffix) => `${stem}.${selection.mode}${suffix}`);
    const kept = selection.rows.length > 0;
    if (kept) await writeRows(output, selection.rows, () => metaOf(selection));
    print(call, selection.report, formatSelection, { to: reportSink(call) });
    if (kept) note(call, `rows in ${output}`);
    return kept ? EXIT.holds : EXIT.doesNotHold;
  },
};
