import { checkOptions, isObject, type Row, type RowSource, textOf } from "@while/schema";
import { MersenneTwister } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { askWithin, errorText } from "./ask-within.ts";
import type { EvalCoverage } from "./eval-coverage.ts";
import { inParallel } from "./in-parallel.ts";
import type { Judge } from "./judge.ts";
import { failureOfResult, type JudgeFailure, OUTAGES } from "./judge-failure.ts";
import { checkScale, type JudgeScale, type NormalizedResult, normalizeJudgeResult } from "./normalize-judge-result.ts";
import { failedResult, type Stamp, scoredRow } from "./scored-row.ts";
import type { ScoredRows } from "./scored-rows.ts";
import { scoringSummary } from "./scoring-summary.ts";
import { stampName } from "./stamp-name.ts";
import { type VerdictStore, verdictKey } from "./verdict-store.ts";

/** Most calls at once: more only meets the other side's limits. */
export const JUDGE_CONCURRENCY_CAP = 32;

export interface RunJudgeOptions {
  /** Name on the rows; without it the judge's own. */
  judgeName?: string;
  /** What the scoring is for, as `lineage.source` says it. */
  source?: string;
  /** The model that is judged. */
  model?: string;
  /** Without it `score_` and 12 random hex digits: two runs of one judge over the same rows are two runs. */
  runId?: string;
  /** Calls at once, 1 to 32. */
  concurrency?: number;
  /** Time for one try, from when that try starts; no limit without it. */
  timeoutMs?: number;
  /** Further tries after a rate limit or a failure of the network; a timeout is not tried again. */
  retries?: number;
  /** Wait before the second try in milliseconds; doubled each time, and spread at random by half of it. */
  backoffMs?: number;
  /** Of the spread. */
  seed?: number;
  /** Calls in a row that failed by rate limit, network, key or time, after which no further call is made; null for never. */
  breakAfter?: number | null;
  /** Anything that would change the judge's labels; without it what the judge says of itself. */
  version?: string;
  /** Range of the judge's marks. */
  scale?: JudgeScale;
  /** Schemas or names of the agent's tools, for what the rows never touched; without it those of the run. */
  tools?: readonly unknown[];
  /** Stops the grading: what is judged stays, the rest is `not_called`. */
  signal?: AbortSignal;
  /** Verdicts that are at hand, and where new ones are kept. Needs a version. */
  verdicts?: VerdictStore;
  /** Leave rows alone that this judge, in this version, has judged already. Needs a version. */
  resume?: boolean;
  /** Told after each row. */
  onProgress?: (progress: { done: number; total: number }) => void;
}

const NAMES: readonly string[] = [
  ...[
    "judgeName",
    "source",
    "model",
    "runId",
    "concurrency",
    "timeoutMs",
    "retries",
    "backoffMs",
    "seed",
    "breakAfter",
  ],
  ...["version", "scale", "tools", "signal", "verdicts", "resume", "onProgress"],
];

/** Longest time that a timer can hold. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** One row's verdict, and what it cost. */
interface Scored {
  row: Row;
  failure: JudgeFailure | null;
  error: string;
}

/**
 * Asks a judge about every row, several at once, and returns new rows with its verdicts in the order given. A judge that
 * throws, answers nonsense or does not answer in time leaves that row without a reward, with the reason in `judge_status`
 * and `judge_meta`; it never stops the others, and nothing becomes 0.
 *
 * @param rows Rows, or what holds them (a run, a selection): its prompt and tools come along. What is no object is left
 *   out and counted
 * @throws TrustError `bad_option`; `no_judge`; `no_version` where verdicts are to be reused and nothing says which judge
 *   gave them
 */
export async function runJudge(
  rows: readonly Row[] | RowSource,
  judge: Judge,
  options: RunJudgeOptions = {},
): Promise<ScoredRows> {
  checkRunOptions(judge, options);
  return await scoreRows(rows, judge, options, null);
}

/** The work of `runJudge`, with what is said about an evaluation set. */
export async function scoreRows(
  given: readonly Row[] | RowSource,
  judge: Judge,
  options: RunJudgeOptions,
  coverageOf: ((rows: readonly Row[]) => EvalCoverage) | null,
): Promise<ScoredRows> {
  const { source = "grade", model = null, concurrency = 8, breakAfter = 20, scale, signal, resume = false } = options;
  const { rows: listed, ...beside }: RowSource = Array.isArray(given) ? { rows: given } : (given as RowSource);
  const rows = listed.filter(isObject) as Row[];
  const version = options.version ?? judge.version ?? null;
  const stamp: Stamp = {
    runId: options.runId ?? randomRunId(),
    source,
    judgeName: stampName(judge, options.judgeName),
    judgeVersion: version,
    kind: judge.kind,
    model,
  };
  const random = new MersenneTwister(options.seed ?? 0);
  const call = {
    timeoutMs: options.timeoutMs,
    retries: options.retries ?? 0,
    backoffMs: options.backoffMs ?? 400,
    random: () => random.random(),
    signal,
  };
  const counts = { nCalls: 0, nRetries: 0, nReused: 0 };
  let outagesInARow = 0;
  let lastOutage: { failure: JudgeFailure; error: string } | null = null;
  let done = 0;

  const judged = async (row: Row, index: number): Promise<Scored> => {
    const finish = (result: NormalizedResult, error = ""): Scored => ({
      row: scoredRow(row, index, result, stamp),
      failure: failureOfResult(result),
      error: error || saidInstead(result),
    });
    if (resume && isJudgedBy(row, stamp)) {
      counts.nReused++;
      return { row, failure: null, error: "" };
    }
    let key: string | null = null;
    try {
      if (options.verdicts !== undefined) key = verdictKey(judge, version!, row, scale);
    } catch (error) {
      const text = errorText(error);
      return finish(failedResult("error", text, undefined), text);
    }
    const known = key === null ? undefined : options.verdicts!.get(key);
    if (known !== undefined) {
      counts.nReused++;
      return finish(known);
    }
    const isBroken = breakAfter !== null && outagesInARow >= breakAfter;
    if (isBroken || signal?.aborted) {
      const why = isBroken ? `Not called after ${breakAfter} failed calls in a row.` : "The grading was stopped.";
      return finish(failedResult("not_called", why, undefined), why);
    }
    const end = await askWithin((aborted) => judge(row, { signal: aborted }), call);
    counts.nCalls += end.tries;
    counts.nRetries += end.tries - 1;
    if ("failure" in end) {
      if (OUTAGES.includes(end.failure)) {
        outagesInARow++;
        lastOutage = { failure: end.failure, error: end.error };
      } else outagesInARow = 0;
      return finish(failedResult(end.failure, end.error, options.timeoutMs), end.error);
    }
    outagesInARow = 0;
    const result = normalizeJudgeResult(end.answer, scale === undefined ? {} : { scale });
    // A failed verdict is not kept: the next grading asks again.
    if (key !== null && result.judge_status === "ok") await options.verdicts!.set(key, result);
    return finish(result);
  };

  const total = rows.length;
  const scored = await inParallel(rows, concurrency, async (row, index) => {
    const one = await judged(row, index);
    options.onProgress?.({ done: ++done, total });
    return one;
  });
  const out = scored.map(({ row }) => row);
  const stopped = stoppedOf(scored, signal?.aborted === true, lastOutage);
  const tools = options.tools ?? beside.tools;
  return {
    ...beside,
    rows: out,
    ...scoringSummary(out, scored, { tools, stopped }),
    ...{ runId: stamp.runId, source, judgeName: stamp.judgeName, judgeVersion: version, model },
    ...counts,
    nNotRows: listed.length - rows.length,
    evalCoverage: coverageOf === null ? null : coverageOf(out),
  };
}

/** @throws TrustError `bad_option`, `no_judge`, `no_version` */
export function checkRunOptions(judge: Judge, options: RunJudgeOptions, also: readonly string[] = []): void {
  checkOptions(options, [...NAMES, ...also], (what, fix) => new TrustError("bad_option", what, fix));
  if (typeof judge !== "function") {
    throw new TrustError(
      "no_judge",
      `The judge is ${judge === null ? "null" : typeof judge}.`,
      "Pass a function from a row to a reward, a boolean or a verdict.",
    );
  }
  const { concurrency, timeoutMs, retries, backoffMs, breakAfter, scale } = options;
  whole("concurrency", concurrency, 1, JUDGE_CONCURRENCY_CAP);
  whole("retries", retries, 0, 100);
  if (breakAfter !== null) whole("breakAfter", breakAfter, 1, Number.MAX_SAFE_INTEGER);
  milliseconds("timeoutMs", timeoutMs, 1);
  milliseconds("backoffMs", backoffMs, 0);
  if (scale !== undefined) checkScale(scale);
  const reuses = options.verdicts !== undefined ? "verdicts" : options.resume === true ? "resume" : null;
  if (reuses !== null && (options.version ?? judge.version) === undefined) {
    throw new TrustError(
      "no_version",
      `${reuses} was given, and the judge ${stampName(judge, options.judgeName)} has no version.`,
      "Pass version: a text that changes whenever the judge's labels could.",
    );
  }
}

function whole(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= least && value <= most)) return;
  const upTo = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`;
  throw new TrustError("bad_option", `${name} is ${value}.`, `Pass a whole number ${upTo}.`);
}

function milliseconds(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (value >= least && value <= MAX_TIMEOUT_MS)) return;
  throw new TrustError("bad_option", `${name} is ${value}.`, `Pass milliseconds from ${least} to ${MAX_TIMEOUT_MS}.`);
}

/** What an answer held in place of a reward, to be shown once for its kind. */
function saidInstead({
  judge_meta: { raw, reward_out_of_range, rating_out_of_scale },
  reason,
}: NormalizedResult): string {
  return String(raw ?? reward_out_of_range ?? rating_out_of_scale ?? reason);
}

function isJudgedBy(row: Row, { judgeName, judgeVersion }: Stamp): boolean {
  const { judge_status: status, judge_name: name, lineage } = row;
  return status === "ok" && name === judgeName && textOf(lineage?.judge_version) === judgeVersion;
}

function stoppedOf(
  scored: readonly Scored[],
  isAborted: boolean,
  outage: { failure: JudgeFailure; error: string } | null,
): ScoredRows["stopped"] {
  const nNotCalled = scored.filter(({ failure }) => failure === "not_called").length;
  if (nNotCalled === 0) return null;
  if (isAborted || outage === null) return { failure: null, error: "The grading was stopped.", nNotCalled };
  return { ...outage, nNotCalled };
}

function randomRunId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(6));
  return `score_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
