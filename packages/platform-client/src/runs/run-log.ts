import type { TrainPoint } from "../contract/points.ts";
import { idempotencyKey } from "../transport/idempotency-key.ts";
import { type Warn, warnOnce } from "../transport/warning.ts";
import type { Letter } from "./outbox.ts";
import { Outbox, type Spool } from "./outbox.ts";

export interface RunLogOptions {
  origin: string;
  send: (letter: Letter) => Promise<unknown>;
  spool: Spool | null;
  warn: Warn;
  /** Points of one call at most. */
  maxBatch: number;
  /** The call that carries points, and a new number of steps where one was told. */
  letterOf: (points: TrainPoint[], totalSteps: number | null) => Omit<Letter, "idempotencyKey" | "points">;
  /** What `letterOf` was given. */
  contentOf: (letter: Letter) => { points: TrainPoint[]; totalSteps: number | null };
  flushEvery?: number | undefined;
  flushSeconds?: number | undefined;
  now?: (() => number) | undefined;
}

/** Points that are worth a call. */
const FLUSH_EVERY = 25;
/** Seconds after which fewer are. */
const FLUSH_SECONDS = 15;

/**
 * The points of a run on their way: collected, sent in the background in batches, and never in the way of the loop that
 * logs them. Nothing here throws.
 */
export class RunLog {
  readonly #options: RunLogOptions;
  readonly #outbox: Outbox;
  readonly #now: () => number;
  readonly warnOnce: (key: string, warning: { code: string; message: string }) => void;
  #buffer: TrainPoint[] = [];
  #pendingTotal: number | null = null;
  #lastFlush: number;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #ownErrors = 0;
  /** The largest step seen. */
  step = 0;
  totalSteps: number | null = null;

  constructor(options: RunLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => Date.now() / 1000);
    this.#lastFlush = this.#now();
    this.warnOnce = warnOnce(options.warn);
    this.#outbox = new Outbox({
      origin: options.origin,
      send: options.send,
      spool: options.spool,
      warn: this.warnOnce,
      split: (letter) => this.#split(letter),
    });
  }

  /** What went wrong so far: calls that were not taken, and points that were none. */
  get errors(): number {
    return this.#ownErrors + this.#outbox.errors;
  }

  get dropped(): number {
    return this.#outbox.dropped;
  }

  get unsent(): number {
    return this.#buffer.length + this.#outbox.waiting;
  }

  /**
   * Takes a point: the finite numbers of `metrics`. Booleans, null, NaN, infinities and texts are left out, and a point
   * of which nothing is left is none.
   */
  log(step: unknown, metrics: unknown, withTime: boolean): void {
    if (typeof step !== "number" || !Number.isInteger(step) || step < 0) {
      this.#ownErrors++;
      this.warnOnce("step", {
        code: "bad_step",
        message: `a step is ${String(step)}: points need a whole number from 0`,
      });
      return;
    }
    const kept = Object.entries(metrics ?? {}).filter(([name, value]) => this.#isNumber(name, value));
    if (kept.length === 0) return;
    this.#add({ step, ...(withTime ? { ts: this.#now() } : {}), ...Object.fromEntries(kept) });
  }

  /** Moves the bar: where it is, and where it ends. */
  progress(step: unknown, total?: number | null, withTime = false): void {
    if (typeof step === "number" && Number.isInteger(step)) this.step = Math.max(this.step, step);
    if (!total) return;
    this.totalSteps = total;
    if (withTime) this.#pendingTotal = total;
  }

  #isNumber(name: string, value: unknown): boolean {
    if (typeof value === "number" && Number.isFinite(value)) return name !== "step";
    if (typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))) {
      this.warnOnce("text", { code: "text", message: `${name} is the text ${JSON.stringify(value)}: log numbers` });
    }
    return false;
  }

  #add(point: TrainPoint): void {
    this.#buffer.push(point);
    this.step = Math.max(this.step, point.step);
    const { flushEvery = FLUSH_EVERY, flushSeconds = FLUSH_SECONDS } = this.#options;
    const due = this.#buffer.length >= flushEvery || this.#now() - this.#lastFlush >= flushSeconds;
    if (due) this.#dispatch();
    else this.#flushLater(flushSeconds);
  }

  /** A slow loop is seen too: the first point waits no longer than `flushSeconds`. */
  #flushLater(seconds: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#dispatch();
    }, seconds * 1000);
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #dispatch(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#lastFlush = this.#now();
    while (this.#buffer.length > 0 || this.#pendingTotal !== null) {
      const batch = this.#buffer.splice(0, this.#options.maxBatch);
      const points = batch.length > 0 ? batch : [{ step: this.step, ts: this.#now() }];
      this.#outbox.post(this.#letter(points, this.#pendingTotal));
      this.#pendingTotal = null;
    }
  }

  /** Sends what waits. False when the platform is away; the points go on waiting. */
  async flush(): Promise<boolean> {
    this.#dispatch();
    return this.#outbox.flush();
  }

  /** Takes a call that the platform did not, behind the points before it; returns once it is kept. */
  hold(letter: Letter): Promise<void> {
    this.#dispatch();
    return this.#outbox.hold(letter);
  }

  /** Tries once more, and leaves the rest to the spool. */
  async close(timeoutMs: number): Promise<{ unsent: number }> {
    this.#dispatch();
    return this.#outbox.close(timeoutMs);
  }

  #letter(points: TrainPoint[], totalSteps: number | null): Letter {
    return {
      ...this.#options.letterOf(points, totalSteps),
      idempotencyKey: idempotencyKey(),
      points: points.length,
    };
  }

  #split(letter: Letter): [Letter, Letter] | null {
    if (letter.points < 2) return null;
    const { points, totalSteps } = this.#options.contentOf(letter);
    const half = Math.ceil(points.length / 2);
    return [this.#letter(points.slice(0, half), totalSteps), this.#letter(points.slice(half), totalSteps)];
  }
}
