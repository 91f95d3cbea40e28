import { isObject, type Row, type RowSource, textOf } from "@while/schema";
import type { Warning } from "@while/stats";
import type { Judge } from "../judge/judge.ts";
import type { JudgePayloadOptions } from "../judge/judge-payload.ts";
import type { ModelCall } from "../judge/model-call.ts";
import { modelJudge } from "../judge/model-judge.ts";
import { checkRunOptions, JUDGE_CONCURRENCY_CAP, type RunJudgeOptions, runJudge } from "../judge/run-judge.ts";
import type { ScoredReport, ScoredRows, ScoringWarningCode } from "../judge/scored-rows.ts";
import { type Warmup, warmJudge } from "../judge/warm-judge.ts";
import type { Rubric } from "../rubric/rubric.ts";
import { type GradeTrust, TRUST_MODES, type TrustMode, trustAfterGrade } from "../trust/trust-after-grade.ts";
import { TrustError } from "../trust-error.ts";
import { withFailureClass } from "./failure-class.ts";

export type GradeWarningCode = ScoringWarningCode | "self_judged" | "cold_judge" | "judge_trust";

export interface GradeOptions
  extends Omit<RunJudgeOptions, "model">,
    Omit<JudgePayloadOptions, "privileged" | "tools"> {
  /** Any judge: a rule, a verifier, a reward model. */
  judge?: Judge;
  /** In place of a judge: a language model. */
  model?: ModelCall;
  /** With a model: prose, or a checklist of which every item is decided. Without it the model is a floor of honesty. */
  rubric?: string | Rubric;
  /** With a model, in place of a rubric: a question that is answered by yes or no, with a probability. */
  question?: string;
  /** Of the judging model, where the function does not say it. */
  modelName?: string;
  /** The model whose rows are graded. */
  judgedModel?: string;
  usePrivileged?: boolean;
  maxTokens?: number;
  /** One tiny request before the rows, so that a cold server is not counted as out of time. */
  warm?: boolean;
  /** Measure the judge on rows that have gold labels: say so, refuse to go on (`require`), or not look. */
  trust?: TrustMode;
}

/** What grading did, and whether its judge is to be believed. */
export interface GradeReport extends Omit<ScoredReport, "warnings"> {
  /** Agreement with the gold labels of the rows; null where none was measured. */
  trust: GradeTrust | null;
  /** Rows that keep the verdict of a length limit: they were cut, and no judge can know the rest. */
  nLengthCapped: number;
  /** Rows whose reply was written by the model that judges. */
  nSelfJudged: number;
  /** Rows that the judge decided at a probability near to even (`judge_meta.unsure`). */
  nUnsure: number;
  warmup: Warmup | null;
  warnings: Warning<GradeWarningCode>[];
}

const OF_MODEL = [
  "rubric",
  "question",
  "modelName",
  "usePrivileged",
  "maxTokens",
  "warm",
  "policy",
  "payloadChars",
] as const;

const MODEL_CONCURRENCY = 16;
const MODEL_TIMEOUT_MS = 120_000;
const MODEL_RETRIES = 3;

/** Whose verdict is kept: the rule that fails replies which ran into the length limit. */
const LENGTH_CAP = "length_cap";

/**
 * Grades rows by a judge, or by a language model with or without a rubric, and measures right away whether that judge agrees
 * with the gold labels that some of the rows have. The measurement is stamped on the rows (`judge_meta.trust`), where
 * the publish gate reads it.
 *
 * A model is asked 16 rows at once, for 120 s at most, and again after a failure that passes; a function 32 at once. The
 * agent's system prompt and tools are shown to a model where the rows come with them. A row that it fails has a
 * `failure_class` where a rule of conduct says which.
 *
 * @throws TrustError `no_judge` without a judge and a model, or with both; `bad_option`, `no_version`
 * @throws JudgeTrustError under `trust: "require"`, with the graded rows
 */
export async function grade(
  rows: readonly Row[] | RowSource,
  options: GradeOptions,
): Promise<{ rows: Row[]; report: GradeReport }> {
  const source: RowSource = Array.isArray(rows) ? { rows } : (rows as RowSource);
  const { judge, runOptions, modelName } = judgeOf(source, options);
  checkRunOptions(judge, runOptions);
  const { trust: mode = "warn", warm = options.model !== undefined } = options;
  if (!TRUST_MODES.includes(mode)) {
    throw new TrustError("bad_option", `trust is ${JSON.stringify(mode)}.`, "Pass warn, require or off.");
  }
  const isCapped = (row: Row): boolean => options.model !== undefined && isObject(row) && row.judge_name === LENGTH_CAP;
  const open = source.rows.filter((row) => !isCapped(row));
  const { signal } = runOptions;
  const warmup =
    warm && options.model !== undefined && open.length > 0
      ? await warmJudge(options.model, signal === undefined ? {} : { signal })
      : null;
  const scored = await runJudge({ ...source, rows: open }, judge, runOptions);
  const tools = runOptions.tools ?? source.tools;
  const graded = options.model === undefined ? scored.rows : scored.rows.map((row) => withFailureClass(row, tools));
  const measured = trustAfterGrade(together(source.rows, graded, isCapped), { mode });
  const nSelfJudged = modelName === undefined ? 0 : open.filter((row) => isWrittenBy(row, modelName)).length;
  const warnings: Warning<GradeWarningCode>[] = [
    ...(warmup === null || warmup.ok
      ? []
      : [{ code: "cold_judge" as const, text: `the judge did not answer before the rows were sent: ${warmup.error}` }]),
    ...scored.warnings,
    ...(nSelfJudged === 0 ? [] : [{ code: "self_judged" as const, text: selfJudged(nSelfJudged, modelName!) }]),
    ...measured.warnings.map((text) => ({ code: "judge_trust" as const, text })),
  ];
  const nUnsure = graded.filter(({ judge_meta }) => isObject(judge_meta) && judge_meta.unsure === true).length;
  const nLengthCapped = source.rows.length - open.length;
  const report = { ...reportOf(scored), trust: measured.trust, nLengthCapped, nSelfJudged, nUnsure, warmup, warnings };
  return { rows: measured.rows, report };
}

interface Asked {
  judge: Judge;
  runOptions: RunJudgeOptions;
  modelName: string | undefined;
}

function judgeOf({ systemPrompt, tools }: RowSource, options: GradeOptions): Asked {
  const { judge, model, rubric, question, modelName, usePrivileged, maxTokens, policy, payloadChars, ...rest } =
    options;
  const { trust: _trust, warm: _warm, judgedModel, ...same } = rest;
  const given: RunJudgeOptions = { ...same, ...(judgedModel === undefined ? {} : { model: judgedModel }) };
  if ((judge === undefined) === (model === undefined)) {
    throw new TrustError(
      "no_judge",
      judge === undefined ? "grade was given no judge and no model." : "grade was given a judge and a model.",
      "Pass one of them: judge, a function of a row, or model, a function of messages.",
    );
  }
  if (judge !== undefined) {
    const loose = OF_MODEL.find((name) => options[name] !== undefined);
    if (loose !== undefined) {
      throw new TrustError("bad_option", `${loose} was given with a judge.`, "It is for a model: leave it out.");
    }
    return { judge, runOptions: { concurrency: JUDGE_CONCURRENCY_CAP, ...given }, modelName: undefined };
  }
  const rules = policy ?? systemPrompt;
  const known = given.tools ?? tools;
  const shown = {
    ...(rules === undefined ? {} : { policy: rules }),
    ...(known === undefined ? {} : { tools: known }),
    ...(payloadChars === undefined ? {} : { payloadChars }),
    ...(modelName === undefined ? {} : { modelName }),
    ...(usePrivileged === undefined ? {} : { usePrivileged }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  const made = modelJudge(model!, {
    ...shown,
    ...(rubric === undefined ? {} : { rubric }),
    ...(question === undefined ? {} : { question }),
  });
  const defaults = { concurrency: MODEL_CONCURRENCY, timeoutMs: MODEL_TIMEOUT_MS, retries: MODEL_RETRIES };
  return { judge: made, runOptions: { ...defaults, ...given }, modelName: modelName ?? model!.modelName };
}

/** The judged rows and those that keep their verdict, in the order in which they were given. */
function together(given: readonly Row[], judged: readonly Row[], isKept: (row: Row) => boolean): Row[] {
  let next = 0;
  return given.flatMap((row) => {
    if (isKept(row)) return [row];
    return isObject(row) ? [judged[next++]!] : [];
  });
}

function reportOf({
  rows: _rows,
  systemPrompt: _prompt,
  systemPrompts: _prompts,
  tools: _tools,
  ...rest
}: ScoredRows): ScoredReport {
  const { mode: _mode, ...report } = rest;
  return report;
}

function isWrittenBy({ model_version: written }: Row, modelName: string): boolean {
  const writer = textOf(written);
  return writer !== "" && (writer === modelName || writer === modelName.slice(modelName.indexOf(":") + 1));
}

/** Panickssery et al. 2024, arXiv:2404.13076. */
function selfJudged(n: number, modelName: string): string {
  const replies = n === 1 ? "1 reply" : `${n} replies`;
  return `${replies} written by the model that judges (${modelName}): models prefer their own; judge by another one`;
}
