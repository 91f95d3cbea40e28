import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { metaOf } from "@while/schema/files";
import {
  formatGrade,
  formatLlmGrade,
  type GradeOptions,
  grade,
  type Judge,
  llmGrade,
  TRUST_MODES,
  type TrustMode,
  VERIFIERS,
  verifierByName,
} from "@while/trust";
import { openVerdictLog, PROGRAM_VERIFIERS } from "@while/trust/files";
import { CliError } from "../cli-error.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { choice, positive, range, wholeNumber, zeroOrMore } from "../flag-values.ts";
import { fileVersion } from "../io/file-version.ts";
import { importDefault } from "../io/import-default.ts";
import { onInterrupt } from "../io/on-interrupt.ts";
import { outputOf } from "../io/output-path.ts";
import { readAll, sourceOf } from "../io/read-rows.ts";
import { refuseOverwrite, reportSink, STDOUT, writeRows } from "../io/row-output.ts";
import { jsonIn, MODEL_FLAGS, type ModelFlags, modelOf } from "../model-flags.ts";
import { note, print } from "../print.ts";
import { progressOf } from "../progress.ts";
import type { Call, Verb } from "../verb.ts";

interface GradeFlags extends ModelFlags {
  judge?: string;
  verifier?: string;
  opinion?: boolean;
  judgeScale?: readonly [number, number];
  trust?: TrustMode;
  concurrency?: number;
  timeout?: number;
  retries?: number;
}

const EVERY_VERIFIER = [...VERIFIERS, ...PROGRAM_VERIFIERS];

export const gradeVerb: Verb<GradeFlags> = {
  name: "grade",
  chapter: "trust",
  summary: "a reward on every row, by a judge measured against the labels",
  flags: [
    { spec: "--judge <module>", about: "ES module whose default export is a function of a row" },
    { spec: "--verifier <name>", about: "a program: ExactMatch, Regex:PATTERN, JsonSchema:FILE …" },
    ...MODEL_FLAGS,
    { spec: "--opinion", about: "with --model: llm_reward beside the reward, no verdict" },
    { spec: "--judge-scale <lo,hi>", about: "range of the judge's own marks", read: range },
    choice("--trust <mode>", TRUST_MODES, "a judge that the labels do not bear out (warn)"),
    { spec: "--concurrency <n>", about: "rows at once, 32 at most", read: wholeNumber },
    { spec: "--timeout <seconds>", about: "for one call (of a model: 120)", read: positive },
    { spec: "--retries <n>", about: "after failures that pass (of a model: 3)", read: zeroOrMore },
  ],
  output: { spec: "-o, --output <file>", about: "JSONL (default FILE.graded.jsonl), - stdout" },
  examples: [
    { line: "wai grade rollouts.jsonl --judge judge.mjs -o graded.jsonl", about: "by a function of your own" },
    { line: "wai grade a.jsonl --model openai:gpt-4o-mini --rubric r.json", about: "by a model, item by item" },
  ],
  exits: [
    [EXIT.holds, "rows were graded; with --trust require also: the judge holds"],
    [EXIT.doesNotHold, "no row has a verdict; with --trust require: the judge does not hold"],
    [EXIT.cannotTell, "with --trust require: no row has a label to measure the judge on"],
    [EXIT.failed, "the command failed: a flag, a file, a key"],
  ],
  async run(call) {
    if (call.flags.opinion === true) return opinions(call);
    const judged = await judgeOf(call);
    const outputFor = await outputOf(call);
    const read = await readAll(call);
    const output = outputFor((stem, suffix) => `${stem}.graded${suffix}`);
    const log = await logOf(call, output, judged);
    const { trust = "warn" } = call.flags;
    const progress = progressOf(call.verb, call.io, call.common);
    const work = (): ReturnType<typeof grade> =>
      grade(sourceOf(read), {
        ...judged,
        ...(log === null ? {} : { verdicts: log.verdicts }),
        // What the labels say decides the exit code; the rows are written either way.
        trust: trust === "off" ? "off" : "warn",
        onProgress: ({ done, total }) => progress.show({ rows: done, bytes: done, totalBytes: total }),
      });
    const { rows, report } = await onInterrupt(work, progress.clear).finally(async () => {
      progress.clear();
      await log?.verdicts.close();
      if (log?.verdicts.size === 0) await rm(log.path, { force: true });
    });
    await writeRows(output, rows, () => metaOf(read.report));
    print(call, report, formatGrade, { to: reportSink(call) });
    if (call.output === undefined) note(call, `rows in ${output}`);
    if (log !== null && log.verdicts.size > 0) await tidy(call, log.path, report.nUnjudged);
    if (report.nGraded === 0 && report.nRows > 0) return EXIT.doesNotHold;
    return trust === "require" ? gateOf(report.trust) : EXIT.holds;
  },
};

function gateOf(trust: { ok: boolean } | null): ExitCode {
  if (trust === null) return EXIT.cannotTell;
  return trust.ok ? EXIT.holds : EXIT.doesNotHold;
}

/** A second opinion beside the rewards, which decides nothing. */
async function opinions(call: Call<GradeFlags>): Promise<ExitCode> {
  const { model, rubric, question, judge, verifier, trust, judgeScale } = call.flags;
  const loose = Object.entries({ judge, verifier, question, trust, "judge-scale": judgeScale }).find(
    ([, value]) => value !== undefined,
  );
  if (model === undefined || loose !== undefined) {
    const what = loose === undefined ? "--opinion needs a model." : `--opinion and --${loose[0]} were both given.`;
    throw new CliError("bad_arguments", what, "An opinion is a model's: give --model, and --rubric as prose.");
  }
  if (rubric !== undefined && /\.json$/i.test(rubric)) {
    throw new CliError(
      "bad_arguments",
      "--opinion got a checklist.",
      "Give --rubric as prose, or leave --opinion out.",
    );
  }
  const { model: ask, asked } = await modelOf({ ...call.flags, model }, call.io.env);
  const outputFor = await outputOf(call);
  const read = await readAll(call);
  const output = outputFor((stem, suffix) => `${stem}.graded${suffix}`);
  const { tools, systemPrompt } = sourceOf(read);
  const progress = progressOf(call.verb, call.io, call.common);
  const work = (): ReturnType<typeof llmGrade> =>
    llmGrade(read.rows, ask, {
      ...(asked as { rubric?: string; usePrivileged?: true; maxTokens?: number }),
      ...(systemPrompt === undefined ? {} : { policy: systemPrompt }),
      ...(tools === undefined ? {} : { tools }),
      ...runFlags(call.flags),
      onProgress: ({ done, total }) => progress.show({ rows: done, bytes: done, totalBytes: total }),
    });
  const { rows, report } = await onInterrupt(work, progress.clear).finally(progress.clear);
  await writeRows(output, rows, () => metaOf(read.report));
  print(call, report, formatLlmGrade, { to: reportSink(call) });
  if (call.output === undefined) note(call, `rows in ${output}`);
  return report.nGraded === 0 && report.nRows > 0 ? EXIT.doesNotHold : EXIT.holds;
}

function runFlags({
  concurrency,
  timeout,
  retries,
}: Pick<GradeFlags, "concurrency" | "timeout" | "retries">): Pick<
  GradeOptions,
  "concurrency" | "timeoutMs" | "retries"
> {
  return {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
    ...(retries === undefined ? {} : { retries }),
  };
}

/** The flags as options of `grade`. Whatever can be refused is refused before a row is read. */
async function judgeOf({ flags, io }: Call<GradeFlags>): Promise<GradeOptions> {
  const { judge, verifier, model, rubric, question, privileged, judgeScale, maxTokens } = flags;
  const who = Object.entries({ judge, verifier, model }).filter(([, value]) => value !== undefined);
  if (who.length !== 1) {
    const given = who.length === 0 ? "no judge" : who.map(([flag]) => `--${flag}`).join(" and ");
    throw new CliError(
      "bad_arguments",
      `wai grade was given ${given}.`,
      "Give one of --judge, --verifier and --model.",
    );
  }
  const ofModel = Object.entries({ rubric, question, privileged, "max-tokens": maxTokens }).find(
    ([, value]) => value !== undefined,
  );
  if (model === undefined && ofModel !== undefined) {
    throw new CliError("bad_arguments", `--${ofModel[0]} is for a model.`, "Give --model with it, or leave it out.");
  }
  const options = { ...(judgeScale === undefined ? {} : { scale: judgeScale }), ...runFlags(flags) };
  if (verifier !== undefined) {
    return { judge: verifierByName(await schemaRead(verifier), EVERY_VERIFIER), ...options };
  }
  if (judge !== undefined) {
    const own = await importDefault<Judge>(judge, "--judge", "a judge, (row) => a reward");
    return { judge: own, version: own.version ?? (await fileVersion(judge)), ...options };
  }
  const { model: ask, asked } = await modelOf({ ...flags, model: model! }, io.env);
  return { model: ask, ...asked, ...options };
}

/** `JsonSchema:FILE` with what the file holds; a schema is longer than a command line is read. */
async function schemaRead(verifier: string): Promise<string> {
  const [, name, argument] = /^(\s*jsonschema\s*:)\s*(.*?)\s*$/is.exec(verifier) ?? [];
  if (name === undefined || argument === undefined || /^(?:\{.*|true|false|)$/s.test(argument)) return verifier;
  if (!existsSync(argument)) {
    const what = `--verifier names the schema ${argument}, and there is no such file.`;
    throw new CliError("bad_flag", what, "Give the path of a JSON file, or the schema itself.");
  }
  return name + JSON.stringify(await jsonIn(argument, "Give a file that holds a JSON Schema."));
}

interface Log {
  path: string;
  verdicts: Awaited<ReturnType<typeof openVerdictLog>>;
}

/** Verdicts beside the output as they come, so that a command which was killed goes on where it stopped. */
async function logOf(
  call: Call<GradeFlags>,
  output: string,
  { judge, version, model }: GradeOptions,
): Promise<Log | null> {
  if (output === STDOUT) return null;
  if (judge !== undefined && (version ?? judge.version) === undefined) return null;
  if (judge === undefined && model!.modelName === undefined) return null;
  const path = `${output}.verdicts`;
  await refuseOverwrite(call.files, path);
  const verdicts = await openVerdictLog(path);
  return { path, verdicts };
}

/** Once every row has its verdict the log has done its work. */
async function tidy(call: Call<GradeFlags>, path: string, nUnjudged: number): Promise<void> {
  if (nUnjudged === 0) await rm(path, { force: true });
  else note(call, `the same command again asks only for the rows without a verdict (${path} has the others)`);
}
