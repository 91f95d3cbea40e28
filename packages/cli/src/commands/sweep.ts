import { formatSweep, type Grader, harnessSweep, type SweepOptions, type SweepVariant } from "@while/simulate";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault, importDefaultOf } from "../io/import-default.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { stoppable } from "../io/stoppable.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface SweepFlags
  extends Pick<SweepOptions, "behavior" | "concurrency" | "k" | "noiseRuns" | "seed" | "testVersion"> {
  variants?: string;
  judge?: string;
  agreement?: number;
  humanN?: number;
}

export const sweepVerb: Verb<SweepFlags> = {
  name: "sweep",
  chapter: "measure",
  summary: "which setup of the agent is better, on the same asks",
  flags: [
    { spec: "--variants <module>", about: "ES module: export default [{ harness, agent }, …]" },
    { spec: "--judge <module>", about: "default export (row) => 0 or 1" },
    { spec: "--k <n>", about: "rollouts of each ask (4)", read: wholeNumber },
    { spec: "--noise-runs <n>", about: "runs of the first variant, for the floor (2)", read: wholeNumber },
    { spec: "--behavior <name>", about: "what a pass shows (policy)" },
    { spec: "--test-version <name>", about: "what the asks are called; a hash if left out" },
    { spec: "--agreement <share>", about: "of the judge with people, as measured", read: share },
    { spec: "--human-n <n>", about: "labels behind that", read: wholeNumber },
    { spec: "--concurrency <n>", about: "rollouts at once (32)", read: wholeNumber },
    { spec: "--seed <n>", about: "of every draw (0)", read: zeroOrMore },
  ],
  examples: [
    { line: "wai sweep asks.jsonl --variants setups.mjs --judge judge.mjs", about: "is one of them better?" },
    {
      line: "wai sweep run/ --variants v.mjs --judge j.mjs --noise-runs 3",
      about: "with a floor that three runs make",
    },
  ],
  exits: [
    [EXIT.holds, "one variant clears all others"],
    [EXIT.doesNotHold, "none does"],
    [EXIT.cannotTell, "there is one variant, or the noise was not measured"],
    [EXIT.failed, "the command failed: a flag, a file, variants that cannot be compared"],
  ],
  async run(call) {
    const { variants: module, judge, agreement, humanN, ...options } = call.flags;
    if (module === undefined || judge === undefined) {
      const missing = module === undefined ? "--variants" : "--judge";
      throw new CliError("bad_arguments", `wai sweep was given no ${missing}.`, `Name a module with ${missing} FILE.`);
    }
    if ((agreement === undefined) !== (humanN === undefined)) {
      throw new CliError("bad_flag", "--agreement and --human-n belong together.", "Give both, or neither.");
    }
    const variants = await importDefaultOf<SweepVariant[]>(
      "object",
      module,
      "--variants",
      "a list of { harness, agent }",
    );
    const grader = await importDefault<Grader>(judge, "--judge", "a judge, (row) => 0 or 1");
    const source = sourceOf(await readAll(call));
    const report = await stoppable((signal) =>
      harnessSweep(variants, source, {
        ...options,
        ...{ judge: grader, signal },
        ...(source.tools === undefined ? {} : { tools: source.tools }),
        ...(agreement === undefined || humanN === undefined ? {} : { labels: { agreement, humanN } }),
        onVariant: (label, index, of) => note(call, `${label}, ${index + 1} of ${of}`),
      }),
    );
    print(call, report, formatSweep);
    if (report.best !== null) return EXIT.holds;
    return report.variants.length < 2 || report.noiseFloor === null ? EXIT.cannotTell : EXIT.doesNotHold;
  },
};
