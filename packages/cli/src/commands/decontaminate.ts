import type { Row } from "@while/schema";
import { metaOf, readSidecar, writeSidecar } from "@while/schema/files";
import {
  type DecontaminateAllOptions,
  type DecontaminateOptions,
  type DecontaminationReport,
  decontaminate,
  type Embedder,
  formatDecontamination,
  PROFILES,
  type QuestionJudge,
  RULE_SETS,
  SEARCHES,
  SEMANTIC_SIMILARITY,
  type Search,
  SHINGLES,
} from "@while/trust";
import { type DecontaminateFileOptions, decontaminateFile, isRowLines, readEvalRows } from "@while/trust/files";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice, list, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault } from "../io/import-default.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeRows } from "../io/row-output.ts";
import { note, print } from "../print.ts";
import { progressOf } from "../progress.ts";
import { timingOf } from "../timing.ts";
import type { Call, Verb } from "../verb.ts";

/** Those that the library names alike. */
type SameFlags = Pick<
  DecontaminateOptions,
  | "fields"
  | "evalFields"
  | "overlap"
  | "rules"
  | "profile"
  | "rowBackground"
  | "jaccard"
  | "skip"
  | "longestMatch"
  | "shingles"
  | "code"
>;

interface RuleFlags extends SameFlags {
  ngram?: number;
  numbers?: boolean;
  dropDuplicates?: boolean;
}

interface DecontaminateFlags extends RuleFlags {
  against?: string[];
  knownClean?: string[];
  embedder?: string;
  similarity?: number;
  semanticSearch?: Search;
  judge?: string;
  judgeBudget?: number;
  workers?: number;
  timing?: boolean;
}

export const decontaminateVerb: Verb<DecontaminateFlags> = {
  name: "decontaminate",
  chapter: "trust",
  summary: "training rows that an evaluation already holds, and why",
  flags: [
    { spec: "--against <files...>", about: "the evaluation: one file or several" },
    { spec: "--fields <names>", about: "of a row (prompt,messages.user); final_text checks replies", read: list },
    { spec: "--eval-fields <names>", about: "of the evaluation, beside its prompt (answer,reference,..)", read: list },
    { spec: "--overlap <share>", about: "of a row's words that make it a near copy (0.8)", read: share },
    { spec: "--ngram <n>", about: "words, or characters, of a shared run (8, 5)", read: wholeNumber },
    choice("--shingles <unit>", SHINGLES, "of what a run is: words (default), or characters"),
    choice("--rules <set>", RULE_SETS, "v2 (default), or v1 as the Python SDK counts"),
    choice("--profile <name>", Object.keys(PROFILES), "a published rule, to be compared with"),
    { spec: "--numbers", about: "list questions that differ in their numbers alone" },
    { spec: "--code", about: "list programs that differ in their names alone, and compare their comments" },
    { spec: "--row-background <share>", about: "runs that more of the rows have do not count", read: share },
    { spec: "--jaccard <share>", about: "list near duplicates: runs of five characters shared (0.8)", read: share },
    { spec: "--drop-duplicates", about: "drop what --jaccard lists" },
    { spec: "--skip <n>", about: "words of a shared run that may differ (0; 4 as llama2)", read: zeroOrMore },
    { spec: "--longest-match", about: "say how long the longest run of each hit is, four words in it apart" },
    { spec: "--known-clean <files...>", about: "rows that hold nothing of it: what each rule makes of them" },
    { spec: "--embedder <module>", about: "ES module, default export (texts) => vectors" },
    { spec: "--similarity <x>", about: `cosine from which it drops a row (${SEMANTIC_SIMILARITY})`, read: share },
    { spec: "--judge <module>", about: "ES module, default export (evalText, rowText) => the same question?" },
    { spec: "--judge-budget <n>", about: "rows it is asked of at most", read: zeroOrMore },
    choice("--semantic-search <how>", SEARCHES, "compare with every prompt, or the nearest clusters' (by size)"),
    { spec: "--workers <n>", about: "threads for a large JSONL file (one a core)", read: wholeNumber },
    { spec: "--timing", about: "say how long it took, and how much memory" },
  ],
  output: { spec: "-o, --output <file>", about: "the clean rows, byte for byte where they are JSONL, - stdout" },
  examples: [
    { line: "wai decontaminate train.jsonl --against eval.jsonl", about: "did the evaluation leak?" },
    { line: "wai decontaminate train.jsonl --against eval.jsonl -o clean.jsonl", about: "the rows without it" },
  ],
  exits: [
    [EXIT.holds, "no row is dropped"],
    [EXIT.doesNotHold, "rows are"],
    [EXIT.cannotTell, "the evaluation has no row to compare with"],
    [EXIT.failed, "the command failed: a flag or a file"],
  ],
  async run(call) {
    const {
      against,
      knownClean = [],
      timing,
      embedder,
      similarity,
      semanticSearch,
      judge,
      judgeBudget,
      workers,
      ...rules
    } = call.flags;
    if (against === undefined) {
      throw new CliError("bad_arguments", "wai decontaminate was given no evaluation.", "Name it: --against EVAL.");
    }
    for (const [flag, value] of Object.entries({ "--similarity": similarity, "--semantic-search": semanticSearch })) {
      if (value === undefined || embedder !== undefined) continue;
      throw new CliError("bad_flag", `${flag} came without --embedder.`, "Give the module that embeds, too.");
    }
    if (judgeBudget !== undefined && judge === undefined) {
      throw new CliError("bad_flag", "--judge-budget came without --judge.", "Give the module that judges, too.");
    }
    if (call.output !== undefined) await refuseOverwrite([...call.files, ...against, ...knownClean], call.output);
    const say = timingOf(call.io);
    const evaluation = await rowsOf(against);
    const options: DecontaminateOptions = { ...optionsOf(rules), knownClean: await rowsOf(knownClean) };
    const report = (await isCopied(call))
      ? await copied(call, evaluation, { ...options, ...(workers === undefined ? {} : { workers }) })
      : await read(call, evaluation, {
          ...options,
          ...(similarity === undefined ? {} : { similarity }),
          ...(semanticSearch === undefined ? {} : { semanticSearch }),
          ...(judgeBudget === undefined ? {} : { judgeBudget }),
        });
    print(call, report, formatDecontamination, { to: reportSink(call) });
    if (timing === true) note(call, say(report.n));
    return exitCodeOf(report);
  },
};

async function rowsOf(paths: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const path of paths) for (const row of await readEvalRows(path)) rows.push(row);
  return rows;
}

/** Whether the rows are lines that can be copied as they are: one JSONL file, and no flag that reads it otherwise. */
async function isCopied({ files, flags, input, output }: Call<DecontaminateFlags>): Promise<boolean> {
  const [file, another] = files;
  if (file === undefined || another !== undefined) return false;
  if (flags.embedder !== undefined || flags.judge !== undefined) return false;
  const asWritten = Object.keys(input).every((name) => name === "skipBad");
  return asWritten && output !== STDOUT && !/\.parquet$/i.test(output ?? "") && (await isRowLines(file));
}

async function copied(
  call: Call<DecontaminateFlags>,
  evaluation: readonly Row[],
  options: DecontaminateFileOptions,
): Promise<DecontaminationReport> {
  const file = call.files[0]!;
  const { output, input } = call;
  const progress = progressOf(call.verb, call.io, call.common);
  try {
    return await decontaminateFile(file, [evaluation], {
      ...options,
      ...(output === undefined ? {} : { output }),
      onBadRow: input.skipBad === true ? "skip" : "error",
      onProgress: progress.show,
    });
  } finally {
    progress.clear();
    const meta = output === undefined ? null : await readSidecar(file);
    if (meta !== null) await writeSidecar(output!, meta);
  }
}

async function read(
  call: Call<DecontaminateFlags>,
  evaluation: readonly Row[],
  options: DecontaminateAllOptions,
): Promise<DecontaminationReport> {
  const wanted = "an embedder, (texts) => one vector a text";
  const { embedder: path, judge: judgePath } = call.flags;
  const embedder = path === undefined ? undefined : await importDefault<Embedder>(path, "--embedder", wanted);
  const asked = "a judge, (evalText, rowText) => whether both ask the same";
  const judge = judgePath === undefined ? undefined : await importDefault<QuestionJudge>(judgePath, "--judge", asked);
  const source = await readAll(call);
  const result = await decontaminate(sourceOf(source), [evaluation], {
    ...options,
    ...(embedder === undefined ? {} : { embedder }),
    ...(judge === undefined ? {} : { judge }),
  });
  if (call.output !== undefined) await writeRows(call.output, result.rows, () => metaOf(source.report));
  return result.report;
}

function optionsOf({ ngram, numbers, dropDuplicates, ...same }: RuleFlags): DecontaminateOptions {
  if (dropDuplicates === true && same.jaccard === undefined) {
    throw new CliError("bad_flag", "--drop-duplicates came without --jaccard.", "Say how alike: --jaccard 0.8.");
  }
  return {
    ...same,
    ...(ngram === undefined ? {} : { n: ngram }),
    ...(numbers === true ? { numbersAs: "0" } : {}),
    ...(dropDuplicates === true ? { jaccardAction: "drop" } : {}),
  };
}

function exitCodeOf({ nContaminated, nEvalTexts }: DecontaminationReport): ExitCode {
  if (nEvalTexts === 0) return EXIT.cannotTell;
  return nContaminated > 0 ? EXIT.doesNotHold : EXIT.holds;
}
