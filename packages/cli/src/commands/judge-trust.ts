import { basename } from "node:path";
import { attachRatings, GOLD_KINDS, type Row, type RowSource } from "@while/schema";
import { type Meta, metaOf, readLabels, writeFileAtomically } from "@while/schema/files";
import {
  anchorRun,
  formatJudgeCalibration,
  formatJudgeDrift,
  formatJudgeTrust,
  formatLabelQueue,
  formatRatingAgreement,
  type Judge,
  type JudgeTrust,
  type JudgeTrustOptions,
  judgeCalibration,
  judgeDrift,
  judgeTrust,
  judgeTrustHtml,
  judgeVariants,
  type LabelQueue,
  labelQueue,
  modelJudge,
  ratingAgreement,
  rubricChecklist,
  stampCalibrated,
  stampJudgeSplit,
} from "@while/trust";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { anyNumber, choice, list, positive, range, share, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { readHistory, writeHistory } from "../io/anchor-history.ts";
import { fileVersion } from "../io/file-version.ts";
import { importDefault } from "../io/import-default.ts";
import { writeLabelSheet } from "../io/label-sheet.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, writeRows } from "../io/row-output.ts";
import { refuseVerdicts, withLabels } from "../io/with-labels.ts";
import { checkJudgeTrustFlags, type JudgeTrustFlags } from "../judge-trust-flags.ts";
import { MODEL_FLAGS, modelOf } from "../model-flags.ts";
import { note, print } from "../print.ts";
import { textOf } from "../rules-flags.ts";
import type { Call, Verb } from "../verb.ts";

export const judgeTrustVerb: Verb<JudgeTrustFlags> = {
  name: "judge-trust",
  chapter: "trust",
  summary: "does the judge agree with people, and what else sways it?",
  flags: [
    { spec: "--labels <file>", about: "gold labels, JSONL or CSV, put on the rows that they name" },
    choice("--kind <kind>", GOLD_KINDS, "who gave labels that do not say it"),
    { spec: "--gold <column>", about: "the column of the rows that holds them, in place of --labels" },
    { spec: "--marks <low,high>", about: "they are marks from low to high, as the judge's are (1,5)", read: range },
    { spec: "--calibration", about: "its rewards are chances of a pass: does 0.8 come true in 4 of 5?" },
    { spec: "--calibrated <file>", about: "with it: the rows, rewards mapped to what they have meant" },
    { spec: "--tuned-on <file>", about: "labels or rows that the judge was tuned on: no evidence" },
    choice("--tuned-half <half>", ["a", "b"], "the half of the tasks that it was tuned on"),
    { spec: "--judge <module>", about: "the judge, to call again: default export (row) => 0 or 1" },
    ...MODEL_FLAGS.map((flag) =>
      flag.spec.startsWith("--rubric")
        ? { ...flag, about: "what the judge is told; one probe stuffs its words" }
        : flag,
    ),
    { spec: "--judge-name <name>", about: "its name on the rows, where it does not say it" },
    { spec: "--probes <names>", about: "hacks to try on it: all, extended, or names a,b", read: list },
    { spec: "--variants <names>", about: "the judge asked otherwise: all (of --model), or modules", read: list },
    { spec: "--sample <n>", about: "rows that it judges again (default 40)", read: wholeNumber },
    { spec: "--seed <n>", about: "of that sample, and of --plan", read: zeroOrMore },
    { spec: "--concurrency <n>", about: "calls at once, 32 at most", read: wholeNumber },
    { spec: "--timeout <seconds>", about: "for one call (of a model: 120)", read: positive },
    { spec: "--retries <n>", about: "after failures that pass (of a model: 3)", read: zeroOrMore },
    { spec: "--allow-model-gold", about: "labels of a model count as gold" },
    { spec: "--min-agreement <share>", about: "floor for the lower bound (default 0.8)", read: share },
    { spec: "--min-kappa <x>", about: "floor for kappa, and of marks (default 0.6)", read: anyNumber },
    choice("--rule <rule>", ["floors", "strict"], "what decides: two floors, or both error rates"),
    { spec: "--plan <file>", about: "sheet of the rows to label next, JSONL or .csv" },
    { spec: "--plan-rows <n>", about: "so many, and not as many as decide", read: wholeNumber },
    { spec: "--drift <file>", about: "judge the labeled rows, and compare with the runs kept here" },
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
    [EXIT.holds, "the judge holds; with --drift: it is not shown to be worse"],
    [EXIT.doesNotHold, "it does not, and the findings say why; with --drift: it is worse"],
    [EXIT.cannotTell, "not measured, or these labels cannot tell"],
    [EXIT.failed, "the command failed: a flag, a label, a module or a file"],
  ],
  async run(call) {
    checkJudgeTrustFlags(call.flags);
    const { labels, kind, tunedOn, probes, rubric, html, plan, planRows, drift, calibrated } = call.flags;
    for (const written of [html, plan, drift, calibrated]) {
      if (written === undefined) continue;
      const read = [labels, tunedOn].filter((path) => path !== undefined);
      await refuseOverwrite([...call.files, ...read], written, { sidecar: false });
    }
    const judgeFor = await judgeOf(call);
    const read = await readAll(call);
    if (call.flags.marks !== undefined) return heldAgainstMarks(call, read.rows, call.flags.marks);
    const labeled = labels === undefined ? read.rows : await withLabels(call, read.rows, labels, kind);
    const rows = await withSplit(labeled, call.flags);
    if (call.flags.calibration === true) return calibratedOn(call, rows, () => metaOf(read.report));
    const asked = judgeFor(sourceOf(read));
    if (drift !== undefined) return drifted(call, rows, asked, drift);
    const report = await judgeTrust(rows, asked.judge, {
      ...trustOptions(call.flags),
      ...asked.calls,
      ...(probes === undefined ? {} : { probes: setOf(probes) }),
      ...(asked.variants === undefined ? {} : { variants: asked.variants }),
      ...(rubric === undefined ? {} : { rubric: asked.words ?? (await textOf("--rubric", rubric)) }),
    });
    if (html !== undefined) {
      const page = judgeTrustHtml(report, { about: call.files.map((file) => basename(file)).join(", ") });
      await writeFileAtomically(html, (file) => file.write(page));
    }
    if (plan === undefined) print(call, report, formatJudgeTrust);
    else {
      const queue = planOf(rows, call.flags, planRows);
      if (queue.n > 0)
        await writeLabelSheet(
          plan,
          rows,
          queue.rows.map(({ rowKey }) => rowKey),
        );
      print(
        call,
        { ...report, queue },
        ({ queue: next, ...own }) => `${formatJudgeTrust(own)}\n${formatLabelQueue(next)}`,
      );
      note(call, queue.n === 0 ? `no sheet in ${plan}: there is nothing to label` : `to be labeled: ${plan}`);
    }
    return exitCodeOf(report);
  },
};

interface Asked {
  judge: Judge | null;
  /** Of the judge: its own, or that of its file. */
  version?: string;
  variants?: Record<string, Judge>;
  calls: Pick<JudgeTrustOptions, "concurrency" | "timeoutMs" | "retries">;
  /** The rubric as text, where a model was told one. */
  words?: string;
}

const MODEL_TIMEOUT_S = 120;
const MODEL_RETRIES = 3;

/** The judge of the flags; a model is shown the rules and tools that the rows come with. */
async function judgeOf({ flags, io }: Call<JudgeTrustFlags>): Promise<(source: RowSource) => Asked> {
  const { judge: path, model, variants, concurrency } = flags;
  const timeout = flags.timeout ?? (model === undefined ? undefined : MODEL_TIMEOUT_S);
  const retries = flags.retries ?? (model === undefined ? undefined : MODEL_RETRIES);
  const calls = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(retries === undefined ? {} : { retries }),
  };
  const modules = await modulesOf(variants?.filter((name) => name !== "all") ?? []);
  if (model !== undefined) {
    const { model: ask, asked } = await modelOf({ ...flags, model }, io.env);
    const { rubric } = asked;
    const words = typeof rubric === "object" ? rubricChecklist(rubric) : rubric;
    return ({ systemPrompt, tools }) => {
      const shown = {
        ...asked,
        ...(systemPrompt === undefined ? {} : { policy: systemPrompt }),
        ...(tools === undefined ? {} : { tools }),
      };
      const made = variants?.includes("all") === true ? judgeVariants(ask, shown) : {};
      return {
        ...{ judge: modelJudge(ask, shown), calls },
        ...(variants === undefined ? {} : { variants: { ...made, ...modules } }),
        ...(words === undefined ? {} : { words }),
      };
    };
  }
  if (path === undefined) return () => ({ judge: null, calls });
  const judge = await importDefault<Judge>(path, "--judge", JUDGE);
  const version = judge.version ?? (await fileVersion(path));
  return () => ({ judge, version, calls, ...(variants === undefined ? {} : { variants: modules }) });
}

/** `2026-11-30` of a time in ISO 8601. */
const DATE_CHARS = 10;
const JUDGE = "a judge, (row) => 0 or 1";

async function modulesOf(paths: readonly string[]): Promise<Record<string, Judge>> {
  const judges: Record<string, Judge> = {};
  for (const path of paths) judges[basename(path)] = await importDefault<Judge>(path, "--variants", JUDGE);
  return judges;
}

function trustOptions(flags: JudgeTrustFlags): JudgeTrustOptions {
  const { judgeName, sample, seed, allowModelGold, minAgreement, minKappa, rule, gold } = flags;
  const given = { judgeName, sample, seed, allowModelGold, minAgreement, minKappa, rule, gold };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function planOf(rows: readonly Row[], flags: JudgeTrustFlags, n: number | undefined): LabelQueue {
  const { seed, allowModelGold, minAgreement, minKappa, rule } = flags;
  const given = { seed, allowModelGold, minAgreement, minKappa, rule, n };
  return labelQueue(rows, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

/** A judge that says how sure it is, against labels; and its rows with rewards that mean what they say. */
async function calibratedOn(call: Call<JudgeTrustFlags>, rows: Row[], meta: () => Meta): Promise<ExitCode> {
  const { gold, allowModelGold, calibrated } = call.flags;
  const report = judgeCalibration(rows, {
    ...(gold === undefined ? {} : { gold }),
    ...(allowModelGold === undefined ? {} : { allowModelGold }),
  });
  if (calibrated !== undefined && report.n > 0) {
    await writeRows(calibrated, stampCalibrated(rows, report.map), meta);
  }
  print(call, report, formatJudgeCalibration);
  if (calibrated !== undefined) {
    note(call, report.n > 0 ? `rows in ${calibrated}` : `no rows in ${calibrated}: there is nothing to map by`);
  }
  return exitCodeOf(report);
}

/** A judge that grades on a scale, against marks on the same scale. */
async function heldAgainstMarks(
  call: Call<JudgeTrustFlags>,
  given: Row[],
  scale: NonNullable<JudgeTrustFlags["marks"]>,
): Promise<ExitCode> {
  const { labels, kind, gold, allowModelGold, minKappa } = call.flags;
  let rows = given;
  if (labels !== undefined) {
    const records = await readLabels(labels);
    if (kind !== "model") refuseVerdicts(labels, records);
    const rated = attachRatings(rows, records, { scale, ...(kind === undefined ? {} : { kind }) });
    for (const { text } of rated.report.warnings) note(call, text);
    rows = rated.rows;
  }
  const report = ratingAgreement(await withSplit(rows, call.flags), {
    scale,
    ...(gold === undefined ? {} : { gold }),
    ...(allowModelGold === undefined ? {} : { allowModelGold }),
    ...(minKappa === undefined ? {} : { minConcordance: minKappa }),
  });
  print(call, report, formatRatingAgreement);
  return exitCodeOf(report);
}

/** Judges the anchors anew and holds them against the runs that are kept; then this one is kept too. */
async function drifted(
  call: Call<JudgeTrustFlags>,
  rows: readonly Row[],
  { judge, version, calls }: Asked,
  path: string,
): Promise<ExitCode> {
  const { judgeName } = call.flags;
  const history = await readHistory(path);
  const run = await anchorRun(rows, judge!, {
    ...calls,
    at: new Date().toISOString().slice(0, DATE_CHARS),
    ...(judgeName === undefined ? {} : { judgeName }),
    ...(version === undefined ? {} : { version }),
  });
  const report = judgeDrift(rows, [...history, run]);
  await writeHistory(path, [...history, run]);
  print(call, report, formatJudgeDrift);
  return report.status === "drifted" ? EXIT.doesNotHold : EXIT.holds;
}

async function withSplit(rows: Row[], { tunedOn, tunedHalf }: JudgeTrustFlags): Promise<Row[]> {
  if (tunedHalf !== undefined) return stampJudgeSplit(rows, { tune: tunedHalf });
  if (tunedOn === undefined) return rows;
  const tuned = await readLabels(tunedOn);
  return stampJudgeSplit(rows, { tune: tuned.map((record) => (typeof record.key === "string" ? record.key : record)) });
}

/** One word that stands for several, or the names themselves. */
function setOf(names: readonly string[]): NonNullable<JudgeTrustOptions["probes"]> {
  const [only] = names;
  return names.length === 1 && (only === "all" || only === "extended") ? only : names;
}

function exitCodeOf({ status }: Pick<JudgeTrust, "status">): ExitCode {
  if (status === "pass") return EXIT.holds;
  return status === "fail" ? EXIT.doesNotHold : EXIT.cannotTell;
}
