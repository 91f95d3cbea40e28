import type { RunRow } from "@while/platform-client/contract";
import { heldOut } from "./held-out.ts";
import { nameOf } from "./run-name.ts";

/** Heads of the list as a file. Points, and the word that the page says. */
export const RUN_COLUMNS = [
  "run_id",
  "name",
  "method",
  "base_model",
  "dataset_id",
  "status",
  "steps",
  "total_steps",
  "held_out_metric",
  "before",
  "after",
  "change",
  "change_low",
  "change_high",
  "held_out",
  "cost_usd",
  "created_at",
] as const;

/** One run as a line of that table; what was not measured is empty, and no 0. */
export function runCells(run: RunRow): (string | number | null)[] {
  const held = heldOut(run.summary);
  const method = run.method ?? (typeof run.config?.method === "string" ? run.config.method : null);
  return [
    ...[run.id, nameOf(run), method, run.base ?? run.baseModel ?? null, run.datasetId ?? null, run.status],
    ...[run.steps ?? null, run.totalSteps ?? null],
    ...[held?.metric ?? null, held?.before?.value ?? null, held?.after?.value ?? null],
    ...[held?.change?.value ?? null, held?.change?.low ?? null, held?.change?.high ?? null, held?.word ?? null],
    ...[run.costUsd ?? null, run.createdAt],
  ];
}
