import { isObject, type Row, roundHalfEven } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { Warning } from "../warning.ts";

export interface StalenessOptions {
  /** The model about to be trained; rows of any other are stale. */
  baseModel?: string | undefined;
}

export type StalenessWarningCode =
  | "several_policies"
  | "stale_rows"
  | "off_policy_without_logprobs"
  | "partial_sampling";

/** Shares are to 4 decimals, and null without rows. */
export interface StalenessReport {
  n: number;
  /** Rows by `policy_version`, else `model_version`, else "unknown". */
  versions: Map<string, number>;
  /** Rows by `model_version`, where they name one. */
  models: Map<string, number>;
  /** Rows by `sampling.temperature`, where they name one. */
  temperatures: Map<string, number>;
  baseModel: string | null;
  /** Rows of another model than `baseModel`; null without it. Rows that name no model are in `nWithoutModel`. */
  stale: number | null;
  staleShare: number | null;
  nWithoutModel: number;
  /** Share of rows with sampling settings, with a summed log-probability, with one a token. */
  samplingCoverage: number | null;
  logprobCoverage: number | null;
  tokenLogprobCoverage: number | null;
  warnings: Warning<StalenessWarningCode>[];
}

const UNKNOWN = "unknown";

/**
 * Who sampled these rows, and is enough recorded to train on them? An update that takes rows of an older policy for its
 * own needs their log-probabilities to correct for it.
 */
export function stalenessReport(rows: readonly Row[], { baseModel }: StalenessOptions = {}): StalenessReport {
  const versions = new Map<string, number>();
  const models = new Map<string, number>();
  const temperatures = new Map<string, number>();
  let [n, stale, nWithoutModel, nSampling, nLogprob, nTokenLogprobs] = [0, 0, 0, 0, 0, 0];
  for (const row of rows) {
    if (!isObject(row)) continue;
    n++;
    const model = nameOf(row.model_version);
    count(versions, nameOf(row.policy_version) ?? model ?? UNKNOWN);
    if (model === null) nWithoutModel++;
    else {
      count(models, model);
      if (model !== baseModel) stale++;
    }
    if (isObject(row.sampling) && Object.keys(row.sampling).length > 0) {
      nSampling++;
      const { temperature } = row.sampling;
      if (typeof temperature === "number") count(temperatures, String(temperature));
    }
    if (typeof row.logprob === "number" && Number.isFinite(row.logprob)) nLogprob++;
    if (Array.isArray(row.token_logprobs) && row.token_logprobs.length > 0) nTokenLogprobs++;
  }
  const share = (part: number) => (n === 0 ? null : roundHalfEven(part / n, 4));
  const report = {
    n,
    versions,
    models,
    temperatures,
    baseModel: baseModel ?? null,
    stale: baseModel === undefined ? null : stale,
    staleShare: baseModel === undefined ? null : share(stale),
    nWithoutModel,
    samplingCoverage: share(nSampling),
    logprobCoverage: share(nLogprob),
    tokenLogprobCoverage: share(nTokenLogprobs),
  };
  return { ...report, warnings: warningsOf(report, { nLogprob, nSampling }) };
}

function warningsOf(
  { n, versions, baseModel, stale }: Omit<StalenessReport, "warnings">,
  { nLogprob, nSampling }: { nLogprob: number; nSampling: number },
): Warning<StalenessWarningCode>[] {
  const warnings: Warning<StalenessWarningCode>[] = [];
  if (versions.size > 1) {
    const text = `${versions.size} policies sampled these rows: ${[...versions.keys()].join(", ")}`;
    warnings.push({ code: "several_policies", text });
  }
  if (stale !== null && stale > 0) {
    const text = `${stale} of ${countOf(n, "row")} come from another model than ${baseModel}`;
    warnings.push({ code: "stale_rows", text });
  }
  if (versions.size > 1 && nLogprob < n) {
    const text = `${n - nLogprob} of ${countOf(n, "row")} have no logprob, so an update cannot correct for the policy that sampled them`;
    warnings.push({ code: "off_policy_without_logprobs", text });
  }
  if (nSampling > 0 && nSampling < n) {
    const text = `${n - nSampling} of ${countOf(n, "row")} do not say how they were sampled`;
    warnings.push({ code: "partial_sampling", text });
  }
  return warnings;
}

function nameOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
