import { checkOptions } from "@while/schema";
import { JUDGE_CONCURRENCY_CAP } from "../judge/run-judge.ts";
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
}

export interface ProbeSettings extends Required<Omit<ProbeOptions, "judgeName">> {
  judgeName: string | undefined;
}

/** @throws TrustError `bad_option` */
export function checkProbeOptions(options: ProbeOptions, others: readonly string[] = []): ProbeSettings {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  const known = ["sample", "seed", "concurrency", "flipFlag", "rule", "judgeName"];
  checkOptions(options, [...known, ...others], refuse);
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
  return { sample, seed, concurrency, flipFlag, rule, judgeName: options.judgeName };
}
