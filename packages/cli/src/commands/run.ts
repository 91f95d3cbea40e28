import { formats } from "@while/export";
import type { Row } from "@while/schema";
import { SELECT_MODES, type SelectMode } from "@while/select";
import { readEvalRows } from "@while/trust/files";
import { CliError } from "../cli-error.ts";
import { EXIT } from "../exit-code.ts";
import { choice, list } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { print } from "../print.ts";
import { RULES_FLAGS, type RulesFlags, rulesOf } from "../rules-flags.ts";
import { formatRun } from "../run/format-run.ts";
import { writeRunDirectory } from "../run/run-directory.ts";
import { exitOfGates } from "../run/run-gate.ts";
import { runLoop } from "../run/run-loop.ts";
import { writeReports } from "../run/write-reports.ts";
import { shellWords } from "../shell-words.ts";
import type { Verb } from "../verb.ts";

interface RunFlags extends RulesFlags {
  mode?: SelectMode;
  format?: string;
  holdout?: string[];
  endorsed?: string[];
  force?: boolean;
}

export const runVerb: Verb<RunFlags> = {
  name: "run",
  chapter: "loop",
  summary: "the whole loop on one file, and one page to show: report.html",
  flags: [
    { spec: "--holdout <files...>", about: "an evaluation that must not be among the rows" },
    choice("--mode <mode>", SELECT_MODES, "tasks with contrast, or replies to imitate"),
    choice(
      "--format <format>",
      formats.list().map(({ name }) => name),
      "who reads the training file (trl)",
    ),
    {
      spec: "--endorsed <names>",
      about: "what the reward is meant to pay for: features a,b",
      read: list,
    },
    ...RULES_FLAGS,
    { spec: "--force", about: "replace a folder that an earlier run wrote" },
  ],
  output: { spec: "-o, --output <dir>", about: "the folder; it appears complete or not at all" },
  examples: [
    { line: "wai run rollouts.jsonl -o report", about: "every question of the loop; then open report/report.html" },
    {
      line: "wai run r.jsonl --holdout eval.jsonl --endorsed marker: -o out",
      about: "against an evaluation, with what the reward is for",
    },
  ],
  exits: [
    [EXIT.holds, "every gate holds, and the training file is written"],
    [EXIT.doesNotHold, "a gate does not: judge, leak, shortcut, selection, export"],
    [EXIT.cannotTell, "one cannot tell: no labels, no grades, too little"],
    [EXIT.failed, "the command failed: a flag, a file, a folder that exists"],
  ],
  async run(call) {
    const { files: sources, flags, output: directory } = call;
    const { force = false, holdout, systemPrompt, tools, ...chosen } = flags;
    if (directory === undefined) {
      throw new CliError("bad_arguments", "wai run was given no folder to write.", "Name one with -o DIR.");
    }
    const options = {
      ...chosen,
      rules: await rulesOf({ systemPrompt, tools }),
      holdout: holdout === undefined ? null : { files: holdout, rows: await evaluation(holdout) },
      // The publish gate is one of those that --no-gate overrules.
      force: call.common.gate === false,
    };
    const command = shellWords(["wai", ...call.argv]);
    const inputs = [...sources, ...(holdout ?? [])];
    const report = await writeRunDirectory(directory, { inputs, force }, async (folder) =>
      writeReports(await runLoop(await readAll(call), { folder, directory, command, sources }, options), folder),
    );
    print(call, report, formatRun);
    return exitOfGates(report.gates);
  },
};

async function evaluation(files: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of files) for (const row of await readEvalRows(file)) rows.push(row);
  return rows;
}
