import { cutCodePoints, type Row, toWire } from "@while/schema";
import { type DeltaOptions, type DeltaReport, deltaReport, holdoutSummary } from "@while/stats";
import { POINTS_PER_LOG, TRAINING_ERROR_MAX } from "../contract/caps.ts";
import { type LogBody, postLog } from "../contract/points.ts";
import { fillPath } from "../contract/route.ts";
import { type FinishBody, finishRun, openRun, type TrainingRunSpec } from "../contract/runs.ts";
import { PlatformError } from "../platform-error.ts";
import { given } from "../transport/given.ts";
import { idempotencyKey } from "../transport/idempotency-key.ts";
import { isAway, type Letter } from "./outbox.ts";
import { jsonSafe, type RunWork } from "./run.ts";
import { RunLog } from "./run-log.ts";

export interface TrainingRunOptions {
  datasetId?: string | undefined;
  /** Set that the run's rollouts go to. */
  afterDatasetId?: string | undefined;
  baseModel?: string | undefined;
  /** Who trains: `trl`, `verl`, a name of your own. */
  trainer?: string | undefined;
  totalSteps?: number | undefined;
  config?: Readonly<Record<string, unknown>> | undefined;
  flushEvery?: number | undefined;
  flushSeconds?: number | undefined;
}

/** Pass rates as shares, or losses, on the held-out set. */
export interface HoldoutMetrics {
  metric?: "pass" | "loss";
}

export interface FinishTrainingOptions {
  summary?: Readonly<Record<string, unknown>> | undefined;
  adapter?: string | undefined;
  error?: string | undefined;
}

export type TrainingStatus = "running" | "done" | "failed" | "stopped";

/** What came of `finish`; `unsent` when the platform is away and the end waits. */
export interface Finished {
  runId: string;
  status: string;
  unsent: boolean;
}

/**
 * A run that any trainer reports: points in the background, then its end with a summary. Nothing here throws into the
 * training loop; what the platform does not take waits, on disk where there is one.
 */
export class TrainingRun {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  status: TrainingStatus = "running";
  readonly #work: RunWork;
  readonly #log: RunLog;
  #summary: Record<string, unknown> = {};

  constructor(work: RunWork, id: string, name: string, url: string, options: TrainingRunOptions = {}) {
    this.id = id;
    this.name = name;
    this.url = url;
    this.#work = work;
    const path = fillPath(postLog.path, { id });
    this.#log = new RunLog({
      origin: work.transport.baseUrl,
      send: (letter) => work.transport.sendRaw(letter, SEND_TIMEOUT_S),
      spool: work.spool,
      warn: work.warn,
      maxBatch: POINTS_PER_LOG,
      letterOf: (points, total) => ({
        method: "POST",
        path,
        body: total === null ? { points } : { points, total_steps: total },
      }),
      contentOf: ({ body }) => {
        const { points, total_steps = null } = body as LogBody;
        return { points, totalSteps: total_steps };
      },
      ...given({ flushEvery: options.flushEvery, flushSeconds: options.flushSeconds, now: work.now }),
    });
    this.#log.totalSteps = options.totalSteps ?? null;
  }

  get step(): number {
    return this.#log.step;
  }

  get totalSteps(): number | null {
    return this.#log.totalSteps;
  }

  get errors(): number {
    return this.#log.errors;
  }

  get unsent(): number {
    return this.#log.unsent;
  }

  /** What `finish` sends: notes, the delta and the holdout so far. */
  get summary(): Readonly<Record<string, unknown>> {
    return this.#summary;
  }

  /** A point of the curve: the finite numbers of `metrics`, with the time. Returns at once and never throws. */
  log(step: number, metrics: Readonly<Record<string, unknown>>): void {
    this.#log.log(step, metrics, true);
  }

  /** Moves the progress bar, and its end. */
  progress(step: number, total?: number | null): void {
    this.#log.progress(step, total, true);
  }

  flush(): Promise<boolean> {
    return this.#log.flush();
  }

  close(timeoutMs: number = CLOSE_MS): Promise<{ unsent: number }> {
    return this.#log.close(timeoutMs);
  }

  /** Merges fields into the summary; they go with `finish`, or at once when the run is finished. */
  async note(fields: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.#summary, fields);
    if (this.status !== "running") await this.finish(this.status);
  }

  /** The same as `note`, under the name that both kinds of runs share. */
  patchSummary(fields: Readonly<Record<string, unknown>>): Promise<void> {
    return this.note(fields);
  }

  /**
   * What the held-out set said before and after: the two numbers that the page opens with.
   *
   * @throws PlatformError `bad_value` for a number that is not finite, or a pass rate that is no share
   */
  async holdout(before: number, after: number, { metric = "pass" }: HoldoutMetrics = {}): Promise<void> {
    await this.note(holdoutKeys(before, after, metric));
  }

  /**
   * The change between two evals of the run's own: kept as `summary.delta`, with the held-out block beside it.
   *
   * @throws StatsError as `deltaReport` does
   */
  async delta(
    before: readonly Row[],
    after: readonly Row[],
    { target = "pass_at_1", mustNotRegress = [], ...options }: DeltaOptions = {},
  ): Promise<DeltaReport> {
    const report = deltaReport(before, after, { target, mustNotRegress, ...options });
    await this.note(deltaKeys(before, after, report, this.#summary));
    return report;
  }

  /**
   * Ends the run, and may be called again: the summary is merged, points stay.
   */
  async finish(
    status: Exclude<TrainingStatus, "running"> = "done",
    { summary = {}, adapter, error }: FinishTrainingOptions = {},
  ): Promise<Finished> {
    Object.assign(this.#summary, summary);
    this.status = status;
    const body: FinishBody = {
      status,
      summary: jsonSafe(this.#summary) as Record<string, unknown>,
      ...given({ adapter, error: error === undefined ? undefined : cutCodePoints(error, TRAINING_ERROR_MAX) }),
    };
    const path = fillPath(finishRun.path, { id: this.id });
    const letter: Letter = { method: "POST", path, body, idempotencyKey: idempotencyKey(), points: 0 };
    const waits = { runId: this.id, status, unsent: true };
    if (!(await this.#log.flush())) {
      await this.#log.hold(letter);
      return waits;
    }
    try {
      await this.#work.transport.sendRaw(letter, CALL_TIMEOUT_S);
      return { ...waits, unsent: false };
    } catch (reason) {
      if (isAway(reason)) await this.#log.hold(letter);
      else if (reason instanceof PlatformError) {
        this.#log.warnOnce("finish", { code: "finish", message: `the end of ${this.id} was refused: ${reason.what}` });
      } else throw reason;
      return waits;
    }
  }

  fail(error: unknown): Promise<Finished> {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return this.finish("failed", { error: message });
  }

  /** Runs `work` and ends the run by its outcome: done, or failed with its error, which is thrown on. */
  async within<T>(work: (run: TrainingRun) => Promise<T>): Promise<T> {
    try {
      const result = await work(this);
      if (this.status === "running") await this.finish("done");
      return result;
    } catch (error) {
      if (this.status === "running") await this.fail(error);
      throw error;
    }
  }
}

const SEND_TIMEOUT_S = 10;
const CALL_TIMEOUT_S = 30;
const CLOSE_MS = 5000;

/**
 * Opens a run that any trainer reports.
 *
 * @throws PlatformError the platform's refusals, `unreachable`
 */
export async function openTrainingRun(
  work: RunWork,
  name: string,
  options: TrainingRunOptions = {},
): Promise<TrainingRun> {
  const { datasetId, afterDatasetId, baseModel, trainer, totalSteps, config } = options;
  const body: TrainingRunSpec = given({
    name,
    dataset_id: datasetId,
    after_dataset_id: afterDatasetId,
    base_model: baseModel,
    ...{ trainer, total_steps: totalSteps },
    config: config === undefined ? undefined : (jsonSafe(config) as Record<string, unknown>),
  });
  const opened = await work.transport.call(openRun, { body });
  const id = opened.runId ?? opened.id;
  return new TrainingRun(work, id, name, `${work.transport.baseUrl}/platform/training/${id}`, options);
}

/**
 * Summary keys of a held-out set's two numbers.
 *
 * @throws PlatformError `bad_value`
 */
export function holdoutKeys(before: number, after: number, metric: "pass" | "loss"): Record<string, number> {
  for (const value of [before, after]) {
    const isRate = metric === "loss" || (value >= 0 && value <= 1);
    if (Number.isFinite(value) && isRate) continue;
    throw new PlatformError(
      "bad_value",
      `A held-out ${metric === "loss" ? "loss" : "pass rate"} is ${value}.`,
      metric === "loss" ? "Give finite numbers." : "Pass rates are shares from 0 to 1: 58% is 0.58.",
    );
  }
  return metric === "loss"
    ? { holdoutLossBefore: before, holdoutLossAfter: after }
    : { holdoutPassBefore: before, holdoutPassAfter: after };
}

/** Summary keys of a delta report: itself, the held-out block, and the two rates where nobody gave them before. */
export function deltaKeys(
  before: readonly Row[],
  after: readonly Row[],
  report: DeltaReport,
  summary: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const pass = report.metrics.get("pass_at_1");
  const holdout = holdoutSummary(before, after, {
    verdict: report.target === "pass_at_1" ? report.targetVerdict : (pass?.gainVerdict ?? null),
    evalRuns: report.runStdRuns,
    runStd: report.runStd,
    ceiling: report.ceiling,
    inference: report.inference,
  });
  const keys: Record<string, unknown> = { delta: toWire(report), holdout: toWire(holdout) };
  if (summary.holdoutPassBefore === undefined && typeof pass?.meanA === "number") keys.holdoutPassBefore = pass.meanA;
  if (summary.holdoutPassAfter === undefined && typeof pass?.meanB === "number") keys.holdoutPassAfter = pass.meanB;
  return keys;
}
