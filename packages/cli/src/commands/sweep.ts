import type { Row } from "@while/schema";
import { formatSweep, type Grader, harnessSweep, type SweepOptions, type SweepVariant } from "@while/simulate";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault, importDefaultOf } from "../io/import-default.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { stoppable } from "../io/stoppable.ts";
import { clientOf, KEY_FLAGS, type KeyFlags } from "../platform/platform-verb.ts";
import { note, print } from "../print.ts";
import type { Verb } from "../verb.ts";

interface SweepFlags
  extends KeyFlags,
    Pick<SweepOptions, "behavior" | "concurrency" | "gradedBy" | "k" | "noiseRuns" | "seed" | "testVersion"> {
  variants?: string;
  judge?: string;
  agreement?: number;
  humanN?: number;
  post?: string;
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
    choice("--graded-by <what>", ["program", "judge"], "whether a pass rests on a program or on an opinion"),
    { spec: "--concurrency <n>", about: "rollouts at once (32)", read: wholeNumber },
    { spec: "--seed <n>", about: "of every draw (0)", read: zeroOrMore },
    { spec: "--post <agent>", about: "a run of each setup, to this agent of the platform" },
    ...KEY_FLAGS,
  ],
  output: { spec: "-o, --output <file>", about: "the graded rows of all setups" },
  examples: [
    { line: "wai sweep asks.jsonl --variants setups.mjs --judge judge.mjs", about: "is one of them better?" },
    {
      line: "wai sweep run/ --variants v.mjs --judge j.mjs --noise-runs 3 --post desk",
      about: "with a floor that three runs make, and a run of each setup on the platform",
    },
  ],
  exits: [
    [EXIT.holds, "one variant clears all others"],
    [EXIT.doesNotHold, "none does"],
    [EXIT.cannotTell, "there is one variant, or the noise was not measured"],
    [EXIT.failed, "the command failed: a flag, a file, variants that cannot be compared"],
  ],
  async run(call) {
    const { variants: module, judge, agreement, humanN, post, apiKey: _, apiKeyStdin: __, ...options } = call.flags;
    if (module === undefined || judge === undefined) {
      const missing = module === undefined ? "--variants" : "--judge";
      throw new CliError("bad_arguments", `wai sweep was given no ${missing}.`, `Name a module with ${missing} FILE.`);
    }
    if ((agreement === undefined) !== (humanN === undefined)) {
      throw new CliError("bad_flag", "--agreement and --human-n belong together.", "Give both, or neither.");
    }
    if (call.output !== undefined) await refuseOverwrite(call.files, call.output);
    const variants = await importDefaultOf<SweepVariant[]>(
      "object",
      module,
      "--variants",
      "a list of { harness, agent }",
    );
    const grader = await importDefault<Grader>(judge, "--judge", "a judge, (row) => 0 or 1");
    const source = sourceOf(await readAll(call));
    const rows: Row[] = [];
    const client = post === undefined ? null : await clientOf(call);
    try {
      // A key that is refused is told before the first rollout, and not after the last.
      const sink = client === null ? null : await client.track(post as string);
      const report = await stoppable((signal) =>
        harnessSweep(variants, source, {
          ...options,
          ...{ judge: grader, signal },
          ...(source.tools === undefined ? {} : { tools: source.tools }),
          ...(agreement === undefined || humanN === undefined ? {} : { labels: { agreement, humanN } }),
          ...(sink === null ? {} : { sink }),
          onVariant: (label, index, of) => note(call, `${label}, ${index + 1} of ${of}`),
          onRows: (own) => {
            for (const row of own) rows.push(row);
          },
        }),
      );
      print(call, report, formatSweep, { to: reportSink(call) });
      if (sink !== null) note(call, `posted: wai verdict ${sink.id}, ${sink.url}`);
      if (report.best !== null) return EXIT.holds;
      return report.variants.length < 2 || report.noiseFloor === null ? EXIT.cannotTell : EXIT.doesNotHold;
    } finally {
      // Rollouts cost money: they are kept, whatever came after them.
      if (call.output !== undefined && rows.length > 0) await writeRows(call.output, rows);
      await client?.close();
    }
  },
};
