import { basename } from "node:path";
import { attachLabels, GOLD_KINDS, type Row } from "@while/schema";
import { readLabels, writeFileAtomically } from "@while/schema/files";
import {
  formatJudgeTrust,
  type Judge,
  type JudgeTrust,
  type JudgeTrustOptions,
  judgeTrust,
  judgeTrustHtml,
  type TrustRule,
} from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { anyNumber, choice, list, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault } from "../io/import-default.ts";
import { readAll } from "../io/read-rows.ts";
import { refuseOverwrite, STDOUT } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import { textOf } from "../rules-flags.ts";
import type { Call, Verb } from "../verb.ts";

interface JudgeTrustFlags {
  labels?: string;
  kind?: string;
  judge?: string;
  judgeName?: string;
  probes?: string[];
  rubric?: string;
  sample?: number;
  seed?: number;
  allowModelGold?: boolean;
  minAgreement?: number;
  minKappa?: number;
  rule?: TrustRule;
  html?: string;
}

export const judgeTrustVerb: Verb<JudgeTrustFlags> = {
  name: "judge-trust",
  chapter: "trust",
  summary: "does the judge agree with people, and what else sways it?",
  flags: [
    { spec: "--labels <file>", about: "gold labels, JSONL or CSV, put on the rows that they name" },
    choice("--kind <kind>", GOLD_KINDS, "who gave labels that do not say it"),
    { spec: "--judge <module>", about: "the judge, to call again: default export (row) => 0 or 1" },
    { spec: "--judge-name <name>", about: "its name on the rows, where it does not say it" },
    { spec: "--probes <names>", about: "hacks to try on it: all, extended, or names a,b", read: list },
    { spec: "--rubric <file>", about: "its rubric, whose words one probe stuffs" },
    { spec: "--sample <n>", about: "rows that it judges again (default 40)", read: wholeNumber },
    { spec: "--seed <n>", about: "of that sample", read: zeroOrMore },
    { spec: "--allow-model-gold", about: "labels of a model count as gold" },
    { spec: "--min-agreement <share>", about: "floor for the lower bound (default 0.8)", read: share },
    { spec: "--min-kappa <x>", about: "floor for kappa (default 0.6)", read: anyNumber },
    choice("--rule <rule>", ["floors", "strict"], "what decides: two floors, or both error rates"),
    { spec: "--html <file>", about: "the report as one page that needs no network" },
  ],
  examples: [
    {
      line: "wai judge-trust graded.jsonl --labels ann.csv --kind human",
      about: "is it right as often as it has to be?",
    },
    { line: "wai judge-trust g.jsonl --judge judge.mjs --probes all", about: "and does it fall for a hack?" },
  ],
  exits: [
    [EXIT.holds, "the judge holds"],
    [EXIT.doesNotHold, "it does not, and the findings say why"],
    [EXIT.cannotTell, "not measured, or these labels cannot tell"],
    [EXIT.failed, "the command failed: a flag, a label, a module or a file"],
  ],
  async run(call) {
    const { labels, kind, judge, probes, rubric, html, ...options } = call.flags;
    if (kind !== undefined && labels === undefined) {
      throw new CliError(
        "bad_arguments",
        "--kind says who gave labels, and there are none.",
        "Name them with --labels FILE.",
      );
    }
    if (judge === undefined && probes !== undefined) {
      throw new CliError("bad_arguments", "--probes needs a judge to try them on.", "Name it with --judge MODULE.");
    }
    if (html === STDOUT) {
      throw new CliError("bad_flag", "--html got -, and stdout carries the report.", "Give --html a file name.");
    }
    if (html !== undefined)
      await refuseOverwrite([...call.files, ...(labels === undefined ? [] : [labels])], html, { sidecar: false });
    const own = judge === undefined ? null : await importDefault<Judge>(judge, "--judge", "a judge, (row) => 0 or 1");
    const { rows } = await readAll(call);
    const report = await judgeTrust(labels === undefined ? rows : await withLabels(call, rows, labels, kind), own, {
      ...(options as JudgeTrustOptions),
      ...(probes === undefined ? {} : { probes: setOf(probes) }),
      ...(rubric === undefined ? {} : { rubric: await textOf("--rubric", rubric) }),
    });
    if (html !== undefined) {
      const page = judgeTrustHtml(report, { about: call.files.map((file) => basename(file)).join(", ") });
      await writeFileAtomically(html, (file) => file.write(page));
    }
    print(call, report, formatJudgeTrust);
    return exitCodeOf(report);
  },
};

async function withLabels(call: Call, rows: Row[], path: string, kind: string | undefined): Promise<Row[]> {
  const { rows: labeled, report } = attachLabels(rows, await readLabels(path), kind === undefined ? {} : { kind });
  for (const { text } of report.warnings) note(call, text);
  return labeled;
}

/** One word that stands for several, or the names themselves. */
function setOf(names: readonly string[]): NonNullable<JudgeTrustOptions["probes"]> {
  const [only] = names;
  return names.length === 1 && (only === "all" || only === "extended") ? only : names;
}

function exitCodeOf({ status }: JudgeTrust): ExitCode {
  if (status === "pass") return EXIT.holds;
  return status === "fail" ? EXIT.doesNotHold : EXIT.cannotTell;
}
