import { basename } from "node:path";
import { writeFileAtomically } from "@while/schema/files";
import {
  type DeltaOptions,
  type DeltaReport,
  deltaHtml,
  deltaReport,
  formatDeltaReport,
  type VariedSetting,
} from "@while/stats";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import type { ReadFlag } from "../flag.ts";
import { anyNumber, choice, list, wholeNumber } from "../flag-values.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, STDOUT } from "../io/row-output.ts";
import { print } from "../print.ts";
import type { Verb } from "../verb.ts";

/** One margin for all, or those of single guards. */
type GuardMargin = Pick<DeltaOptions, "margin" | "guardMargins">;

/** `0.05`, or `polite=0.1,brief=0.02` */
const guardMargin: ReadFlag = (text, flag): GuardMargin => {
  if (!text.includes("=")) return { margin: anyNumber(text, flag) as number };
  const margins = list(text, flag) as string[];
  const pairs = margins.map((pair) => {
    const at = pair.lastIndexOf("=");
    return [pair.slice(0, at), anyNumber(pair.slice(at + 1), flag) as number] as const;
  });
  return { guardMargins: Object.fromEntries(pairs) };
};

interface DeltaFlags {
  target?: string;
  guard?: string[];
  guardMargin?: GuardMargin;
  guardMode?: "drop" | "prove";
  by?: string;
  cluster?: string;
  unreplicatedAs?: "pass" | "inconclusive";
  proxy?: string;
  lowerIsBetter?: string[];
  runStd?: number;
  runStdRuns?: number;
  trainRuns?: string;
  balance?: boolean;
  varied?: VariedSetting[];
  html?: string;
  require?: "moved";
}

export const deltaVerb: Verb<DeltaFlags> = {
  name: "delta",
  chapter: "measure",
  summary: "did a change help, break a guard, or compare two evals?",
  flags: [
    { spec: "--target <metric>", about: "what the change was for: pass_at_1 or a marker" },
    { spec: "--guard <metrics>", about: "a proven drop of one of these fails", read: list },
    { spec: "--guard-margin <x>", about: "a guard's drop that would matter: 0.05, or NAME=0.1,..", read: guardMargin },
    choice("--guard-mode <word>", ["drop", "prove"], "a guard fails on a proven drop, or unless none is proven"),
    { spec: "--by <key>", about: "each group too: row key, marker:NAME, tag:NAME; auto is category, else slice" },
    { spec: "--cluster <key>", about: "what tasks share that are no independent draws: persona, document" },
    { spec: "--proxy <metric>", about: "the training reward, which may part from the target" },
    { spec: "--lower-is-better <metrics>", about: "of these, less is better", read: list },
    { spec: "--run-std <x>", about: "std of a score from run to run, if known", read: anyNumber },
    { spec: "--run-std-runs <n>", about: "the runs it was measured on", read: wholeNumber },
    { spec: "--train-runs <key>", about: "rows name their training run by it: a gain has to hold across them" },
    { spec: "--balance", about: "as many rollouts of a task on both sides" },
    { spec: "--varied <settings>", about: "changed on purpose (prompt, model, ...); the rest must match", read: list },
    { spec: "--html <file>", about: "the report as one page that needs no network" },
    choice("--unreplicated-as <word>", ["pass", "inconclusive"], "a gain that no re-run was held against"),
    choice("--require <word>", ["moved"], "exit 1 unless the target moved"),
  ],
  examples: [
    { line: "wai delta before.jsonl after.jsonl --target pass_at_1", about: "did the change help?" },
    {
      line: "wai delta a.jsonl b.jsonl --target pass_at_1 --guard polite --by tier",
      about: "and did it keep the tone, in every tier?",
    },
  ],
  exits: [
    [EXIT.holds, "PASS, or NO DIFFERENCE"],
    [EXIT.doesNotHold, "FAIL; with --require moved also NO DIFFERENCE"],
    [EXIT.cannotTell, "not comparable, not measured, unresolved, or too little data"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const [before, after, ...rest] = call.files;
    if (before === undefined || after === undefined || rest.length > 0) {
      const given = call.files.length === 1 ? "1 file" : `${call.files.length} files`;
      throw new CliError("bad_arguments", `wai delta was given ${given}.`, "Name two: before, and after the change.");
    }
    const { guard, guardMargin: margins, balance, html, require: required, ...options } = call.flags;
    if (html === STDOUT) {
      throw new CliError("bad_flag", "--html got -, and stdout carries the report.", "Give --html a file name.");
    }
    if (html !== undefined) await refuseOverwrite(call.files, html, { sidecar: false });
    const one = await readAll({ ...call, files: [before] });
    const other = await readAll({ ...call, files: [after] });
    const report = deltaReport(one.rows, other.rows, {
      ...options,
      ...margins,
      ...(guard === undefined ? {} : { mustNotRegress: guard }),
      ...(balance === undefined ? {} : { balanceRollouts: balance }),
    });
    if (html !== undefined) await writePage(html, report, { before, after });
    print(call, report, formatDeltaReport);
    return exitCodeOf(report, required);
  },
};

/** Sides by the names of their files: a folder is nobody's business who is sent the page. */
async function writePage(path: string, report: DeltaReport, files: { before: string; after: string }): Promise<void> {
  const page = deltaHtml(report, { before: basename(files.before), after: basename(files.after) });
  await writeFileAtomically(path, (file) => file.write(page));
}

function exitCodeOf({ headline }: DeltaReport, required: DeltaFlags["require"]): ExitCode {
  if (headline === "PASS") return EXIT.holds;
  if (headline === "FAIL") return EXIT.doesNotHold;
  if (headline === "NO DIFFERENCE") return required === "moved" ? EXIT.doesNotHold : EXIT.holds;
  return EXIT.cannotTell;
}
