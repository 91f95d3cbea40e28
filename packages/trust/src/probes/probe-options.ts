import { checkOptions } from "@while/schema";
import { JUDGE_CONCURRENCY_CAP, type RunJudgeOptions } from "../judge/run-judge.ts";
import type { TrustRule } from "../trust/trust-rule.ts";
import { TrustError } from "../trust-error.ts";
import { FLIP_FLAG, JUDGE_CHECK_SAMPLE } from "./thresholds.ts";

/** How a judge is called again. */
export interface ProbeOptions {
  /** Rows that are judged again; by the strict rule, of either verdict. */
  sample?: number;
  seed?: number;
  concurrency?: number;
  /** Share of verdicts from which a flip is a finding. */
  flipFlag?: number;
  rule?: TrustRule;
  /** Name on the rows, as `runJudge` takes it. */
  judgeName?: string;
  /** Time for one call; no limit without it. A call without an answer is an error of the report and no verdict. */
  timeoutMs?: number;
  /** Further tries after a failure that passes. */
  retries?: number;
}

export interface ProbeSettings extends Required<Pick<ProbeOptions, "sample" | "seed" | "flipFlag" | "rule">> {
  /** How `runJudge` calls the judge. */
  call: Pick<RunJudgeOptions, "concurrency" | "judgeName" | "timeoutMs" | "retries">;
}

export const PROBE_OPTION_NAMES: readonly (keyof ProbeOptions)[] = [
  ...(["sample", "seed", "concurrency", "flipFlag", "rule"] as const),
  ...(["judgeName", "timeoutMs", "retries"] as const),
];

/** @throws TrustError `bad_option` */
export function checkProbeOptions(options: ProbeOptions, others: readonly string[] = []): ProbeSettings {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, [...PROBE_OPTION_NAMES, ...others], refuse);
  const { sample = JUDGE_CHECK_SAMPLE, seed = 0, concurrency = 8, flipFlag = FLIP_FLAG, rule = "floors" } = options;
  if (!Number.isSafeInteger(sample) || sample < 1) {
    throw refuse(`sample is ${sample}.`, "Pass a whole number of 1 or more.");
  }
  if (!Number.isSafeInteger(seed)) throw refuse(`seed is ${seed}.`, "Pass a whole number.");
  if (!Number.isSafeInteger(concurrency) || concurrency < 1 || concurrency > JUDGE_CONCURRENCY_CAP) {
    throw refuse(`concurrency is ${concurrency}.`, `Pass a whole number from 1 to ${JUDGE_CONCURRENCY_CAP}.`);
  }
  if (!(flipFlag > 0 && flipFlag < 1)) throw refuse(`flipFlag is ${flipFlag}.`, "Pass a share between 0 and 1.");
  if (rule !== "floors" && rule !== "strict")
    throw refuse(`rule is ${JSON.stringify(rule)}.`, "Pass floors or strict.");
  const { judgeName, timeoutMs, retries } = options;
  const call = {
    concurrency,
    ...(judgeName === undefined ? {} : { judgeName }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(retries === undefined ? {} : { retries }),
  };
  return { sample, seed, flipFlag, rule, call };
}
