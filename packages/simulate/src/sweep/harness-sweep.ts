import {
  checkBehaviorName,
  checkOptions,
  compareCodePoints,
  type Json,
  type Row,
  type RowSource,
  roundHalfEven,
  sha256Hex,
  textOf,
} from "@while/schema";
import { evalVariance, markerSummary, noiseFloorPoints, passAt } from "@while/stats";
import { attributeHarness, type HarnessAttribution } from "../attribute/attribute-harness.ts";
import { simulate } from "../engine/simulate.ts";
import type { Grader, SimulateOptions } from "../engine/simulate-options.ts";
import { SimulateError } from "../simulate-error.ts";
import { type CheckedVariant, checkVariants, type SweepVariant } from "./check-variants.ts";
import { gradedPerTask, refuseUnequal } from "./graded-per-task.ts";
import { postSweep } from "./post-sweep.ts";
import { type SweepReport, type SweepScored, type SweptVariant, sweepClears } from "./sweep-report.ts";
import type { JudgeLabels, SweepSink } from "./sweep-sink.ts";

export interface SweepOptions {
  /** Judges every row. */
  judge: Grader;
  /** Rollouts of each ask. */
  k?: number;
  /** For variants whose harness does not say. */
  tools?: readonly unknown[];
  systemPrompt?: string;
  behavior?: string;
  /** Runs of the first variant, to measure how much its score moves by itself. */
  noiseRuns?: number;
  /** How far the judge agrees with people, measured before. */
  labels?: JudgeLabels;
  /** Told where the runs are posted: the verdict of a program needs no agreement with people to be believed. */
  gradedBy?: "program" | "judge";
  testVersion?: string;
  concurrency?: number;
  seed?: number;
  /** Worlds and limits of the runs. */
  world?: Pick<SimulateOptions, "execute" | "resultShapes" | "userModel" | "rolloutTimeoutMs" | "retries">;
  /** Where runs are posted; nothing is posted without it. */
  sink?: SweepSink;
  signal?: AbortSignal;
  /** Told before each variant. */
  onVariant?: (label: string, index: number, of: number) => void;
  /** Given the graded rows of each variant, those of the re-runs among the first one's. */
  onRows?: (rows: readonly Row[], label: string) => unknown;
}

const OPTIONS = [
  "judge",
  "k",
  "tools",
  "systemPrompt",
  "behavior",
  "noiseRuns",
  "labels",
  "gradedBy",
  "testVersion",
  "concurrency",
  "seed",
  "world",
  "sink",
  "signal",
  "onVariant",
  "onRows",
];
/** Fewer tasks make no score of a marker. */
const MIN_MARKER_TASKS = 3;

/**
 * Runs every variant on the same frozen asks and says whether one of them is better: same prompts, worlds and faults, k
 * rollouts each, one judge, equal graded rows of every ask or a refusal. How much a score moves by itself is measured by
 * running the first variant again; a winner has to clear that, and both intervals.
 *
 * The re-runs meet the worlds of the first run, as the variants do: only the agent's own sampling is in the floor. (The
 * Python SDK draws them with other seeds, which puts other worlds in.)
 *
 * @throws SimulateError `sweep_refused`, `bad_option`, and what `simulate` throws; SchemaError for the behavior's name
 */
export async function harnessSweep(
  variants: readonly SweepVariant[],
  tasks: RowSource | readonly Row[],
  options: SweepOptions,
): Promise<SweepReport> {
  const settings = checkSweep(options);
  const { variants: checked, warnings } = checkVariants(variants);
  const { behavior, k, noiseRuns } = settings;

  const swept: { variant: CheckedVariant; rows: readonly Row[]; graded: Map<string, number> }[] = [];
  let reruns: Row[][] = [];
  for (const [index, variant] of checked.entries()) {
    options.onVariant?.(variant.label, index, checked.length);
    const runs = index === 0 ? noiseRuns : 1;
    const { rows } = await runVariant(variant, tasks, options, { k, runs });
    await options.onRows?.(rows, variant.label);
    const byRun = Array.from({ length: runs }, (_, run) =>
      rows.filter(({ lineage }) => (lineage?.eval_run ?? 0) === run),
    );
    const graded = gradedPerTask(byRun[0]!);
    if (index === 0) {
      reruns = byRun;
      for (const [run, own] of byRun.entries()) {
        if (run > 0)
          refuseUnequal(
            { label: variant.label, graded },
            { label: `${variant.label}, run ${run + 1}`, graded: gradedPerTask(own) },
          );
      }
    } else
      refuseUnequal({ label: swept[0]!.variant.label, graded: swept[0]!.graded }, { label: variant.label, graded });
    swept.push({ variant, rows: byRun[0]!, graded });
  }

  const [first] = swept as [(typeof swept)[number]];
  const testVersion = options.testVersion ?? testVersionOf(first.rows);
  const variance = noiseRuns > 1 ? evalVariance(reruns) : null;
  const means = variance === null ? [] : [...variance.means.values()].filter((mean) => mean !== null);
  const floor = means.length > 1 ? noiseFloorPoints(means) : null;
  const scored = swept.map(
    ({ variant, rows, graded }): SweptVariant => ({
      label: variant.label,
      model: variant.harness.model ?? null,
      hash: variant.hash,
      run: null,
      gradedRows: [...graded.values()].reduce((sum, n) => sum + n, 0),
      scores: scoresOf(rows, behavior),
    }),
  );
  const report: SweepReport = {
    ...{ behavior, testVersion, k, warnings },
    nAsks: first.graded.size,
    noiseFloor: floor === null ? null : roundHalfEven(floor, 2),
    runStd: variance?.runStd ?? null,
    noiseRuns: variance?.nRuns ?? 1,
    judge: options.labels ?? null,
    best: null,
    attribution: attributionOf(swept),
    variants: [...scored].sort((a, b) => headline(b, behavior).score - headline(a, behavior).score),
  };
  const [top, ...others] = report.variants as [SweptVariant, ...SweptVariant[]];
  const clearsAll = others.every((other) =>
    sweepClears(headline(top, behavior), headline(other, behavior), report.noiseFloor),
  );
  if (others.length > 0 && clearsAll) report.best = top.label;
  if (options.sink === undefined) return report;
  const runIds = await postSweep(report, checked, options.sink, {
    reader: judgeName(options.judge),
    rows: new Map(swept.map(({ variant, rows }) => [variant.label, rows])),
    ...(options.gradedBy === undefined ? {} : { gradedBy: options.gradedBy }),
  });
  return {
    ...report,
    variants: report.variants.map((variant) => ({ ...variant, run: runIds.get(variant.label) ?? null })),
  };
}

/** `t-` and 8 hex digits over the prompts, in the order of their code points: the same asks are the same test. */
export function testVersionOf(rows: readonly Row[]): string {
  const prompts = [...new Set(rows.map(({ prompt }) => textOf(prompt)))].sort(compareCodePoints);
  return `t-${sha256Hex(prompts.join("\n")).slice(0, 8)}`;
}

function checkSweep(options: SweepOptions): { behavior: string; k: number; noiseRuns: number } {
  checkOptions(options, OPTIONS, (what, fix) => new SimulateError("bad_option", what, fix));
  const { judge, k = 4, behavior = "policy", noiseRuns = 2, labels, gradedBy } = options;
  checkBehaviorName(behavior, "behavior");
  if (typeof judge !== "function") {
    throw new SimulateError("bad_option", `judge is ${typeof judge}.`, "Give a function (row) => ({ reward }).");
  }
  for (const [name, value] of Object.entries({ k, noiseRuns })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new SimulateError("bad_option", `${name} is ${value}.`, "Give a whole number of 1 or more.");
    }
  }
  if (gradedBy !== undefined && gradedBy !== "program" && gradedBy !== "judge") {
    throw new SimulateError("bad_option", `gradedBy is ${JSON.stringify(gradedBy)}.`, "Give program or judge.");
  }
  const isAgreement =
    labels === undefined || (typeof labels.agreement === "number" && typeof labels.humanN === "number");
  if (!isAgreement) {
    throw new SimulateError(
      "bad_option",
      "labels holds no agreement.",
      "Labels of rows belong to other replies than this sweep samples: measure the judge once on the frozen run (judgeTrust), and give { agreement, humanN }.",
    );
  }
  return { behavior, k, noiseRuns };
}

async function runVariant(
  { harness, agent, label, hash, kind }: CheckedVariant,
  tasks: RowSource | readonly Row[],
  { judge, tools, systemPrompt, concurrency, seed = 0, world = {}, signal }: SweepOptions,
  { k, runs }: { k: number; runs: number },
): Promise<{ rows: readonly Row[] }> {
  const rules = harness.instructions ?? systemPrompt;
  const stamp: Record<string, Json> = { label, hash, model: harness.model ?? null, kind };
  const { rows } = await simulate(agent, {
    ...world,
    ...{ tasks, repeats: k, runs, repeatPolicy: "fixed", mode: "rl", seed, harness: stamp, modelVersion: label },
    grader: Object.assign((row: Row) => judge({ ...row, lineage: { ...row.lineage, source: "eval" } }), {
      judgeName: judgeName(judge),
    }),
    ...(tools === undefined ? {} : { tools }),
    ...(rules === undefined ? {} : { systemPrompt: rules }),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { rows };
}

/** Where the variants are every harness with every model: which of the two carries the difference. */
function attributionOf(swept: readonly { variant: CheckedVariant; rows: readonly Row[] }[]): HarnessAttribution | null {
  const harnesses = new Set(swept.map(({ variant }) => variant.label.split("@")[0]));
  const models = new Set(swept.map(({ variant }) => variant.harness.model || ""));
  const isGrid = harnesses.size > 1 && models.size > 1 && harnesses.size * models.size === swept.length;
  return isGrid && !models.has("") ? attributeHarness(swept.flatMap(({ rows }) => rows)) : null;
}

function scoresOf(rows: readonly Row[], behavior: string): Map<string, SweepScored> {
  const { passAt1, ci95, nGroups } = passAt(rows);
  const scores = new Map<string, SweepScored>([[behavior, points(passAt1 ?? 0, ci95, nGroups)]]);
  for (const [name, { mean, ci95: interval, nTasks: n }] of markerSummary(rows)) {
    if (mean === null || n < MIN_MARKER_TASKS) continue;
    checkBehaviorName(name, "the judge's markers");
    if (name !== behavior) scores.set(name, points(mean, interval, n));
  }
  return scores;
}

function points(rate: number, ci95: readonly [number, number] | null, n: number): SweepScored {
  return { score: roundHalfEven(100 * rate, 1), ci: ci95 === null ? 0 : roundHalfEven(50 * (ci95[1] - ci95[0]), 1), n };
}

function headline({ scores }: SweptVariant, behavior: string): SweepScored {
  return scores.get(behavior)!;
}

function judgeName(judge: Grader): string {
  return judge.judgeName ?? (judge.name || "judge");
}
