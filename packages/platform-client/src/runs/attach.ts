import type { Row } from "@while/schema";
import { type DeltaOptions, deltaReport } from "@while/stats";
import { getRun, patchRun, type RunDetail, type RunRow } from "../contract/runs.ts";
import { trainingCost } from "../rules/price.ts";
import type { Transport } from "../transport/transport.ts";
import { deltaKeys, holdoutKeys } from "./training-run.ts";

/** Puts the delta of two evals on a run that is there. */
export function attachDelta(
  transport: Transport,
  id: string,
  before: readonly Row[],
  after: readonly Row[],
  options: DeltaOptions,
): Promise<RunRow> {
  const report = deltaReport(before, after, { target: "pass_at_1", ...options });
  return patchSummary(transport, id, (summary) => deltaKeys(before, after, report, summary));
}

/** Puts the two numbers of a held-out set on a run that is there. */
export function attachHoldout(
  transport: Transport,
  id: string,
  { before, after, metric = "pass" }: { before: number; after: number; metric?: "pass" | "loss" },
): Promise<RunRow> {
  const keys = holdoutKeys(before, after, metric);
  return patchSummary(transport, id, () => keys);
}

/** The platform merges the summary by key, so that nothing another process wrote meanwhile is lost. */
async function patchSummary(
  transport: Transport,
  id: string,
  keys: (summary: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Promise<RunRow> {
  const run = await transport.call(getRun, { params: { id } });
  return transport.call(patchRun, { params: { id }, body: { summary: keys(run.summary ?? {}) } });
}

/** A run with what its GPU time cost, where the GPU or the seconds are known and the summary does not say. */
export function withCost(run: RunDetail): RunDetail {
  const summary = run.summary ?? {};
  const gpu = (summary.gpu ?? run.gpu ?? null) as string | null;
  const seconds = (summary.seconds ?? run.seconds ?? null) as number | null;
  if (summary.cost_usd !== undefined || (gpu === null && seconds === null)) return run;
  const { costUsd, costBasis } = trainingCost(gpu, seconds);
  return { ...run, summary: { ...summary, cost_usd: costUsd, cost_basis: costBasis } };
}
