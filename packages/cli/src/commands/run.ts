import { formats } from "@while/export";
import { SELECT_MODES, type SelectMode } from "@while/select";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import { RULES_FLAGS, type RulesFlags, rulesOf } from "../rules-flags.ts";
import { formatRun } from "../run/format-run.ts";
import { writeRunDirectory } from "../run/run-directory.ts";
import { runLoop } from "../run/run-loop.ts";
import type { RunVerdict } from "../run/run-report.ts";
import { writeReports } from "../run/write-reports.ts";
import { shellWords } from "../shell-words.ts";
import type { Verb } from "../verb.ts";

const EXIT_OF: Readonly<Record<RunVerdict, ExitCode>> = {
  written: EXIT.holds,
  nothing_kept: EXIT.doesNotHold,
  refused: EXIT.doesNotHold,
  not_graded: EXIT.cannotTell,
};

export const runVerb: Verb<RulesFlags & { mode?: SelectMode; format?: string; force?: boolean }> = {
  name: "run",
  chapter: "loop",
  summary: "the whole loop on one file, and one page to show: report.html",
  flags: [
    choice("--mode <mode>", SELECT_MODES, "tasks with contrast, or replies to imitate"),
    choice(
      "--format <format>",
      formats.list().map(({ name }) => name),
      "who reads the training file (trl)",
    ),
    ...RULES_FLAGS,
    { spec: "--force", about: "replace a folder that an earlier run wrote" },
  ],
  output: { spec: "-o, --output <dir>", about: "the folder; it appears complete or not at all" },
  examples: [
    { line: "wai run rollouts.jsonl -o report", about: "measure, select, export; then open report/report.html" },
    { line: "wai run rollouts.jsonl --mode sft -o sft --force", about: "replies to imitate, in place of an older run" },
  ],
  exits: [
    [EXIT.holds, "the training file is written"],
    [EXIT.doesNotHold, "nothing was worth keeping, or the export was refused"],
    [EXIT.cannotTell, "no row is graded"],
    [EXIT.failed, "the command failed: a flag, a file, a folder that exists"],
  ],
  async run(call) {
    const { files: sources, flags, output: directory } = call;
    const { force = false, systemPrompt, tools, ...chosen } = flags;
    if (directory === undefined) {
      throw new CliError("bad_arguments", "wai run was given no folder to write.", "Name one with -o DIR.");
    }
    const options = { ...chosen, rules: await rulesOf({ systemPrompt, tools }) };
    const command = shellWords(["wai", ...call.argv]);
    const report = await writeRunDirectory(directory, { inputs: sources, force }, async (folder) =>
      writeReports(await runLoop(await readAll(call), { folder, directory, command, sources }, options), folder),
    );
    print(call, report, formatRun);
    return EXIT_OF[report.verdict];
  },
};
