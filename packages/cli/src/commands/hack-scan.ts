import { readRowFiles } from "@while/schema/files";
import {
  type Feature,
  formatHackScan,
  formatHackScanDiff,
  type HackScanDiff,
  type HackScanReport,
  hackScan,
  hackScanDiff,
  SCAN_GROUPINGS,
  SCAN_RULES,
  type ScanOptions,
} from "@while/select";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice, list, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefaultOf } from "../io/import-default.ts";
import { readAll, readOptions } from "../io/read-rows.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface HackScanFlags extends Pick<ScanOptions, "endorsed" | "groupBy" | "rules" | "nPerm" | "seed"> {
  /** An ES module. */
  features?: string;
  /** Files of rollouts to compare with. */
  before?: string[];
}

export const hackScanVerb: Verb<HackScanFlags> = {
  name: "hack-scan",
  chapter: "select",
  summary: "what the reward pays for, and is it what you meant?",
  flags: [
    { spec: "--endorsed <names>", about: "what it is meant to pay for: parts of feature names a,b", read: list },
    { spec: "--features <module>", about: "features of your own: export default { name: (row) => n }" },
    { spec: "--before <files...>", about: "rollouts from before: what does it pay for now that it did not?" },
    choice("--group-by <what>", SCAN_GROUPINGS, "what rollouts are compared within"),
    choice("--rules <rules>", SCAN_RULES, "compat: the numbers of the Python SDK"),
    { spec: "--n-perm <n>", about: "shuffles that the floor rests on (999)", read: wholeNumber },
    { spec: "--seed <n>", about: "seed of the shuffles (0)", read: zeroOrMore },
  ],
  examples: [
    { line: "wai hack-scan rollouts.jsonl", about: "everything that separates a pass from a failure" },
    {
      line: "wai hack-scan new.jsonl --before old.jsonl --endorsed marker:",
      about: "fails where training taught a shortcut",
    },
  ],
  exits: [
    [EXIT.holds, "train, or pool_exhausted: it pays for what is endorsed, or nothing was"],
    [EXIT.doesNotHold, "reward_hack; with --before also a gain that is not endorsed"],
    [EXIT.cannotTell, "degenerate, no_signal or unknown"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const { features: module, before, ...options } = call.flags;
    const wanted = "an object of features, { name: (row) => a number or null }";
    const features =
      module === undefined
        ? {}
        : { features: await importDefaultOf<Record<string, Feature>>("object", module, "--features", wanted) };
    const { rows } = await readAll(call);
    if (before !== undefined) {
      const { rows: old } = await readRowFiles(before, readOptions(call));
      const diff = hackScanDiff(old, rows, { ...options, ...features });
      print(call, diff, formatHackScanDiff);
      return exitOfDiff(diff);
    }
    const report = hackScan(rows, { ...options, ...features });
    print(call, report, formatHackScan);
    return EXIT_OF[report.regime];
  },
};

function exitOfDiff({ before, after, hackLanded }: HackScanDiff): ExitCode {
  if (hackLanded === true) return EXIT.doesNotHold;
  return before.degenerate ? EXIT.cannotTell : EXIT_OF[after.regime];
}

const EXIT_OF: Record<HackScanReport["regime"], ExitCode> = {
  train: EXIT.holds,
  pool_exhausted: EXIT.holds,
  reward_hack: EXIT.doesNotHold,
  degenerate: EXIT.cannotTell,
  no_signal: EXIT.cannotTell,
  unknown: EXIT.cannotTell,
};
