import { cutCodePoints } from "@while/schema";
import { ERROR_MAX, POINTS_PER_TRAIN, ROWS_PER_CALL } from "../contract/caps.ts";
import type { Dismissible } from "../contract/dismissals.ts";
import { checkValue } from "../contract/parse-body.ts";
import { postTrain, type TrainPoint } from "../contract/points.ts";
import { fillPath, type Route } from "../contract/route.ts";
import { deleteRows, getRows, postRows } from "../contract/rows.ts";
import type { RunRecord } from "../contract/run-record.ts";
import { patchRun, type RunPatch, type RunRow, type RunSpec, runPatchSchema } from "../contract/runs.ts";
import { type Example, postEvals, type StoredScore } from "../contract/scores.ts";
import { PlatformError } from "../platform-error.ts";
import { repliesDoubt } from "../rules/replies-doubt.ts";
import { given } from "../transport/given.ts";
import { idempotencyKey } from "../transport/idempotency-key.ts";
import type { Transport } from "../transport/transport.ts";
import type { PlatformWarning, Warn } from "../transport/warning.ts";
import { isAway, type Letter, type Spool } from "./outbox.ts";
import { RunLog } from "./run-log.ts";
import { cutRow, type ScoreOptions, scoreBody } from "./score-body.ts";

/** What a run needs of the client. */
export interface RunWork {
  transport: Transport;
  spool: Spool | null;
  warn: Warn;
  now?: (() => number) | undefined;
}

export interface RunInit {
  id: string;
  spec: RunSpec;
  status: string;
  notes: string | null;
  step: number;
  totalSteps: number | null;
  scores: StoredScore[];
  url: string;
  /** Text of the brief after `finish`. */
  brief: () => Promise<string>;
  out: ((text: string) => void) | null;
  flushEvery?: number | undefined;
  flushSeconds?: number | undefined;
}

export interface FinishOptions {
  hours?: number | undefined;
  gpu?: string | undefined;
  costUsd?: number | undefined;
  /** By default the total that was told, else the largest step. */
  steps?: number | undefined;
  /** Merged by key. */
  summary?: Readonly<Record<string, unknown>> | undefined;
  /** Why it ended early; cut at 400 characters. */
  error?: string | undefined;
  record?: RunRecord | undefined;
  /** Print the brief once a score was posted by this handle. */
  say?: boolean | undefined;
}

/** Keys of a training summary that belong on a tracked run. */
const SUMMARY_KEY = /^(?:train_loss|hack_monitor|delta|holdout.*)$/;

/**
 * One run of a tracked agent. `log` returns at once and never throws; the other calls wait for the platform's answer,
 * and when it is away they are kept and delivered later, in order and once.
 */
export class Run {
  readonly id: string;
  readonly spec: RunSpec;
  readonly url: string;
  /** Scores as the platform has them; those that wait are not among them. */
  readonly scores: StoredScore[];
  status: string;
  notes: string | null;
  readonly #work: RunWork;
  readonly #init: RunInit;
  readonly #log: RunLog;
  #hasScored = false;

  constructor(work: RunWork, init: RunInit) {
    this.id = init.id;
    this.spec = init.spec;
    this.url = init.url;
    this.scores = init.scores;
    this.status = init.status;
    this.notes = init.notes;
    this.#work = work;
    this.#init = init;
    const path = fillPath(postTrain.path, { id: init.id });
    this.#log = new RunLog({
      origin: work.transport.baseUrl,
      send: (letter) => work.transport.sendRaw(letter, SEND_TIMEOUT_S),
      spool: work.spool,
      warn: work.warn,
      maxBatch: POINTS_PER_TRAIN,
      letterOf: (points) => ({ method: "POST", path, body: points }),
      contentOf: ({ body }) => ({ points: body as TrainPoint[], totalSteps: null }),
      ...given({ flushEvery: init.flushEvery, flushSeconds: init.flushSeconds, now: work.now }),
    });
    this.#log.step = init.step;
    this.#log.totalSteps = init.totalSteps;
  }

  get version(): string {
    return this.spec.version;
  }

  /** The largest step seen. */
  get step(): number {
    return this.#log.step;
  }

  get totalSteps(): number | null {
    return this.#log.totalSteps;
  }

  /** Calls that the platform did not take, and points that were none. */
  get errors(): number {
    return this.#log.errors;
  }

  /** Points and calls that wait. */
  get unsent(): number {
    return this.#log.unsent;
  }

  /** A point of the curve: the finite numbers of `metrics`. Returns at once and never throws. */
  log(step: number, metrics: Readonly<Record<string, unknown>>): void;
  log(point: TrainPoint): void;
  log(stepOrPoint: number | TrainPoint, metrics?: Readonly<Record<string, unknown>>): void {
    if (typeof stepOrPoint !== "object" || stepOrPoint === null) this.#log.log(stepOrPoint, metrics, false);
    else this.#log.log(stepOrPoint.step, stepOrPoint, false);
  }

  /** Moves the progress bar: where training is, and where it ends. */
  progress(step: number, total?: number | null): void {
    this.#log.progress(step, total);
  }

  /** Sends what waits. False when the platform is away; then it goes on waiting. */
  flush(): Promise<boolean> {
    return this.#log.flush();
  }

  /** Ends the waiting: tries for at most `timeoutMs` more, and leaves the rest on disk where there is one. */
  close(timeoutMs: number = CLOSE_MS): Promise<{ unsent: number }> {
    return this.#log.close(timeoutMs);
  }

  /**
   * Posts a score of one behavior in points of 100, with a sample of its rows and, given `rows`, all of them.
   *
   * @returns The score as the platform has it; null when it is away and the score waits
   * @throws PlatformError `bad_value` before any call; the platform's refusals
   */
  async score(behavior: string, score: number, options: ScoreOptions = {}): Promise<StoredScore | null> {
    const { score: body, rows, warnings } = scoreBody(behavior, score, options);
    for (const warning of warnings) this.#log.warnOnce(warning.code, warning);
    const answer = await this.#call(postEvals, {}, [body]);
    const stored = answer?.evals.find((one) => one.behavior === behavior) ?? answer?.evals[0] ?? null;
    if (stored !== null) this.scores.push(stored);
    this.#hasScored = true;
    if (rows !== null) await this.#postRows(behavior, rows);
    return stored;
  }

  /** The graded rows behind a score, as they are stored. */
  rows(behavior: string): Promise<Example[]>;
  /** Replaces them: longer texts lose their middle. */
  rows(behavior: string, rows: readonly Example[]): Promise<Example[]>;
  async rows(behavior: string, rows?: readonly Example[]): Promise<Example[]> {
    if (rows === undefined) {
      const page = await this.#work.transport.call(getRows, { params: { id: this.id, behavior } });
      return page.rows;
    }
    const warnings: PlatformWarning[] = [];
    const cut = rows.map((row, i) => cutRow(row, `row ${i}`, warnings));
    for (const warning of warnings) this.#log.warnOnce(warning.code, warning);
    await this.#postRows(behavior, cut);
    return cut;
  }

  async #postRows(behavior: string, rows: readonly Example[]): Promise<void> {
    await this.#call(deleteRows, { behavior }, null);
    for (let offset = 0; offset < rows.length; offset += ROWS_PER_CALL) {
      const chunk = rows.slice(offset, offset + ROWS_PER_CALL);
      await this.#call(postRows, { behavior }, { rows: chunk, offset, expected: rows.length });
    }
  }

  /**
   * Ends the run. After a score of this handle the brief is told once, through the client's `out`.
   *
   * @returns The run as the platform has it; null when it is away and the end waits
   */
  async finish(status = "evaluated", options: FinishOptions = {}): Promise<RunRow | null> {
    const { hours, gpu, costUsd, record, summary, say = true } = options;
    const error = options.error === undefined ? undefined : cutCodePoints(options.error, ERROR_MAX);
    const steps = options.steps ?? (this.totalSteps || this.step || undefined);
    const told = Object.entries(summary ?? {}).filter(([key]) => SUMMARY_KEY.test(key));
    const kept = told.length === 0 ? undefined : jsonSafe(Object.fromEntries(told));
    const facts = { status, error, record, hours, gpu, costUsd, steps };
    const row = await this.#patch({ ...facts, summary: kept as Record<string, unknown> | undefined });
    const doubt = row === null ? null : repliesDoubt(row);
    if (doubt !== null) this.#log.warnOnce("replies", { code: "replies", message: doubt });
    if (say && this.#hasScored && row !== null) await this.#tell();
    return row;
  }

  /** A failing brief never fails the end of a run. */
  async #tell(): Promise<void> {
    if (this.#init.out === null) return;
    try {
      this.#init.out(await this.#init.brief());
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      this.#log.warnOnce("brief", { code: "brief", message: `the brief cannot be told: ${error.what}` });
    }
  }

  /** Replaces the note of the run: markdown, for people. */
  async note(markdown: string): Promise<RunRow | null> {
    const row = await this.#patch({ notes: markdown });
    this.notes = markdown;
    return row;
  }

  /** Ends the run as failed. */
  fail(error: unknown): Promise<RunRow | null> {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return this.#patch({ status: "failed", error: cutCodePoints(message, ERROR_MAX) });
  }

  /** Merges fields into the summary: what a monitor writes. */
  patchSummary(fields: Readonly<Record<string, unknown>>): Promise<RunRow | null> {
    return this.#patch({ summary: jsonSafe(fields) as Record<string, unknown> });
  }

  /** Takes the run out of plots, deltas and the candidate's place; what is stored stays. */
  archive({ archived = true }: { archived?: boolean } = {}): Promise<RunRow | null> {
    return this.#patch({ archived });
  }

  /** Says why something that is asked of the run may stay as it is; null asks for it again. */
  dismiss(key: Dismissible, reason: string | null): Promise<RunRow | null> {
    return this.#patch({ dismiss: { [key]: reason } });
  }

  async #patch(fields: { [K in keyof RunPatch]: RunPatch[K] | undefined }): Promise<RunRow | null> {
    const body = checkValue(runPatchSchema, given(fields), `run ${this.id}`);
    const row = await this.#call(patchRun, {}, body);
    if (typeof body.status === "string") this.status = body.status;
    return row;
  }

  /** Sends a call after the points before it. When the platform is away it waits behind them; a refusal is thrown. */
  async #call<Body, Answer>(
    route: Route<Body, Answer, never> | Route<Body, Answer, null> | Route<Body, Answer>,
    params: Readonly<Record<string, string>>,
    body: Body,
  ): Promise<Answer | null> {
    const letter: Letter = {
      method: route.method,
      path: fillPath(route.path, { id: this.id, ...params }),
      ...{ body, idempotencyKey: idempotencyKey(), points: 0 },
    };
    if (!(await this.#log.flush())) {
      await this.#log.hold(letter);
      return null;
    }
    try {
      return (await this.#work.transport.sendRaw(letter, CALL_TIMEOUT_S)) as Answer;
    } catch (error) {
      if (!isAway(error)) throw error;
      // With the same key, as this call may have been taken and only its answer lost.
      await this.#log.hold(letter);
      return null;
    }
  }
}

/** A call in the background that takes longer is tried again. */
const SEND_TIMEOUT_S = 10;
const CALL_TIMEOUT_S = 30;
const CLOSE_MS = 5000;

/** The value as JSON holds it: no NaN, no infinity, no function. */
export function jsonSafe(value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(jsonSafe);
  if (value instanceof Map || value instanceof Set)
    return jsonSafe(value instanceof Map ? Object.fromEntries(value) : [...value]);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, jsonSafe(item)]));
  }
  return typeof value === "function" || typeof value === "symbol" || value === undefined ? null : value;
}
