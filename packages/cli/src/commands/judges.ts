import { basename } from "node:path";
import { GOLD_KINDS, type RowSource } from "@while/schema";
import { metaOf } from "@while/schema/files";
import {
  type CompareJudgesOptions,
  compareJudges,
  formatJudges,
  type Judge,
  type JudgeComparison,
  modelJudge,
  type TrustRule,
  votedRows,
} from "@while/trust";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { anyNumber, choice, list, positive, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { importDefault } from "../io/import-default.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, writeRows } from "../io/row-output.ts";
import { withLabels } from "../io/with-labels.ts";
import { modelOf } from "../model-flags.ts";
import { print } from "../print.ts";
import type { Call, Verb } from "../verb.ts";

interface JudgesFlags {
  columns?: string[];
  modules?: string[];
  models?: string[];
  rubric?: string;
  labels?: string;
  kind?: string;
  gold?: string;
  allowModelGold?: boolean;
  minAgreement?: number;
  minKappa?: number;
  rule?: TrustRule;
  concurrency?: number;
  timeout?: number;
  retries?: number;
}

export const judgesVerb: Verb<JudgesFlags> = {
  name: "judges",
  chapter: "trust",
  summary: "several judges on the same labels: which one, or all by vote?",
  flags: [
    { spec: "--columns <names>", about: "columns that hold their verdicts: no judge is called", read: list },
    { spec: "--modules <files>", about: "ES modules, default export (row) => 0 or 1", read: list },
    { spec: "--models <models>", about: "openai:NAME, or modules that export a model", read: list },
    { spec: "--rubric <file>", about: "with --models: prose, or a checklist (.json)" },
    { spec: "--labels <file>", about: "gold labels, JSONL or CSV, put on the rows that they name" },
    choice("--kind <kind>", GOLD_KINDS, "who gave labels that do not say it"),
    { spec: "--gold <column>", about: "the column of the rows that holds them, in place of --labels" },
    { spec: "--allow-model-gold", about: "labels of a model count as gold" },
    { spec: "--min-agreement <share>", about: "floor for the lower bound (default 0.8)", read: share },
    { spec: "--min-kappa <x>", about: "floor for kappa (default 0.6)", read: anyNumber },
    choice("--rule <rule>", ["floors", "strict"], "what decides: two floors, or both error rates"),
    { spec: "--concurrency <n>", about: "calls at once, 32 at most (8)", read: wholeNumber },
    { spec: "--timeout <seconds>", about: "for one call (of models: 120)", read: positive },
    { spec: "--retries <n>", about: "after failures that pass (of models: 3)", read: zeroOrMore },
  ],
  output: { spec: "-o, --output <file>", about: "the rows, each with the reward that most of them give" },
  examples: [
    { line: "wai judges g.jsonl --columns gpt,rule --labels l.csv --kind human", about: "on recorded verdicts" },
    { line: "wai judges labeled.jsonl --modules a.mjs,b.mjs,c.mjs", about: "called, one after the other" },
  ],
  exits: [
    [EXIT.holds, "one of the judges holds"],
    [EXIT.doesNotHold, "none does"],
    [EXIT.failed, "the command failed: a flag, a label, a module or a file"],
  ],
  async run(call) {
    const { labels, kind, gold } = call.flags;
    if (kind !== undefined && labels === undefined) {
      throw new CliError(
        "bad_arguments",
        "--kind says who gave labels, and there are none.",
        "Name them with --labels FILE.",
      );
    }
    if (gold !== undefined && labels !== undefined) {
      throw new CliError(
        "bad_arguments",
        "--gold and --labels were both given.",
        "Give one: a column of the rows, or a file of labels.",
      );
    }
    if (call.output !== undefined)
      await refuseOverwrite([...call.files, ...(labels === undefined ? [] : [labels])], call.output);
    const judgesFor = await judgesOf(call);
    const read = await readAll(call);
    const rows = labels === undefined ? read.rows : await withLabels(call, read.rows, labels, kind);
    const judges = judgesFor({ ...sourceOf(read), rows });
    const { report, rows: judged } = await onInterrupt(() => compareJudges(rows, judges, optionsOf(call.flags)));
    if (call.output !== undefined) await writeRows(call.output, votedRows(judged), () => metaOf(read.report));
    print(call, report, formatJudges, { to: reportSink(call) });
    return exitCodeOf(report);
  },
};

const MODEL_TIMEOUT_S = 120;
const MODEL_RETRIES = 3;
const JUDGE = "a judge, (row) => 0 or 1";

/** The judges by the names that the report gives them; a model is shown the rules and tools that the rows come with. */
async function judgesOf({ flags, io }: Call<JudgesFlags>): Promise<(source: RowSource) => Map<string, Judge>> {
  const { columns = [], modules = [], models = [], rubric } = flags;
  if (columns.length + modules.length + models.length < 2) {
    const given = columns.length + modules.length + models.length === 0 ? "no judge" : "one judge";
    throw new CliError(
      "bad_arguments",
      `wai judges was given ${given}.`,
      "Name two or more with --columns, --modules and --models; wai judge-trust is for one.",
    );
  }
  if (rubric !== undefined && models.length === 0) {
    throw new CliError("bad_arguments", "--rubric is for models.", "Give --models with it, or leave it out.");
  }
  const named: [name: string, judge: (source: RowSource) => Judge][] = columns.map((name) => [
    name,
    () => columnJudge(name),
  ]);
  for (const path of modules) {
    const judge = await importDefault<Judge>(path, "--modules", JUDGE);
    named.push([judge.judgeName ?? basename(path), () => judge]);
  }
  for (const name of models) {
    const { model, asked } = await modelOf({ model: name, ...(rubric === undefined ? {} : { rubric }) }, io.env);
    named.push([
      name,
      ({ systemPrompt, tools }) =>
        modelJudge(model, {
          ...asked,
          ...(systemPrompt === undefined ? {} : { policy: systemPrompt }),
          ...(tools === undefined ? {} : { tools }),
        }),
    ]);
  }
  const twice = named.find(([name], i) => named.findIndex(([other]) => other === name) !== i);
  if (twice !== undefined) {
    throw new CliError("bad_arguments", `Two judges are called ${twice[0]}.`, "Give every judge a name of its own.");
  }
  return (source) => {
    for (const name of columns) refuseEmptyColumn(source, name);
    return new Map(named.map(([name, judge]) => [name, judge(source)]));
  };
}

/** A verdict that stands on the row already, a number or text that is one. */
function columnJudge(name: string): Judge {
  return (row) => {
    const verdict = row[name];
    const number = typeof verdict === "string" && verdict.trim() !== "" ? Number(verdict) : verdict;
    return { reward: typeof number === "number" && Number.isFinite(number) ? number : null };
  };
}

/** A misspelled column would be a judge that never says anything. */
function refuseEmptyColumn({ rows }: RowSource, name: string): void {
  if (rows.some((row) => row[name] !== undefined && row[name] !== null)) return;
  const keys = [...new Set(rows.slice(0, 100).flatMap((row) => Object.keys(row)))].slice(0, 12).join(", ");
  throw new CliError(
    "bad_flag",
    `--columns names ${name}, and none of ${rows.length} rows has it.`,
    `Give columns of the rows: ${keys}.`,
  );
}

function optionsOf({ models, timeout, retries, ...flags }: JudgesFlags): CompareJudgesOptions {
  const { gold, allowModelGold, minAgreement, minKappa, rule, concurrency } = flags;
  const seconds = timeout ?? (models === undefined ? undefined : MODEL_TIMEOUT_S);
  const given = {
    ...{ gold, allowModelGold, minAgreement, minKappa, rule, concurrency },
    timeoutMs: seconds === undefined ? undefined : seconds * 1000,
    retries: retries ?? (models === undefined ? undefined : MODEL_RETRIES),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function exitCodeOf({ judges }: JudgeComparison): ExitCode {
  return judges.some(({ ok }) => ok) ? EXIT.holds : EXIT.doesNotHold;
}
