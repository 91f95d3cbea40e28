import { PlatformError } from "../platform-error.ts";
import type { RawCall } from "../transport/transport.ts";
import type { PlatformWarning } from "../transport/warning.ts";

/** A call on its way. Its idempotency key is its name: sent twice, it counts once. */
export interface Letter extends RawCall {
  /** Points in it; 0 for what is not a batch of points. */
  points: number;
}

/** Where letters wait while the platform is away. `fileSpool` of `./files` keeps them on disk. */
export interface Spool {
  keep(origin: string, letter: Letter): Promise<void>;
  drop(letter: Letter): Promise<void>;
  /** Letters left for a platform, oldest first. */
  left(origin: string): Promise<Letter[]>;
}

export interface OutboxOptions {
  origin: string;
  send: (letter: Letter) => Promise<unknown>;
  spool?: Spool | null;
  /** Says it once per key. */
  warn: (key: string, warning: PlatformWarning) => void;
  /** Half of a refused batch of points, and the other half; null when it cannot be split. */
  split?: (letter: Letter) => [Letter, Letter] | null;
  /** 0 to 1, for the jitter of waits. */
  random?: () => number;
}

/** Points that wait in memory; beyond it the oldest are lost, and counted. */
const OUTBOX_MAX_POINTS = 100_000;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;

/** Refusals that may pass: the letter stays and is sent again. */
const PASSING: ReadonlySet<number> = new Set([0, 401, 402, 403, 408, 425, 429]);

/** Did the platform fail to take it, rather than refuse it? */
export function isAway(error: unknown): error is PlatformError {
  if (!(error instanceof PlatformError)) return false;
  return PASSING.has(error.status) || error.status >= 500 || error.code === "in_progress";
}

/**
 * Sends letters one after the other in the background and never throws. While the platform is away they wait, on disk
 * where there is a spool, and are tried again after longer and longer pauses; a batch that it refuses is halved until
 * the point at fault is alone, and that one is dropped with a warning.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #random: () => number;
  #queue: Letter[] = [];
  /** Letters in the spool, or on their way there: resolved once they are in. */
  #kept = new Map<Letter, Promise<void>>();
  #running: Promise<void> | null = null;
  #wake: ReturnType<typeof setTimeout> | null = null;
  #closed = false;
  /** Times in a row that the platform was away, and times in all. */
  #failures = 0;
  #awayTimes = 0;
  /** Times that the platform did not take a letter. */
  errors = 0;
  /** Points lost because too many waited, and letters that the platform refused for good. */
  dropped = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Takes a letter and returns at once. */
  post(letter: Letter): void {
    this.#queue.push(letter);
    this.#makeRoom();
    if (this.#wake === null) this.#start();
    else void this.#keepAll();
  }

  /** Takes a letter that the platform did not, and returns once it is kept. */
  async hold(letter: Letter): Promise<void> {
    this.#queue.push(letter);
    await this.#keepAll();
    if (this.#wake === null) this.#start();
  }

  /** Sends what waits, now. False when the platform is away; then the letters go on waiting. */
  async flush(): Promise<boolean> {
    this.#cancelWake();
    // A letter that was posted while the last round ended needs a round of its own.
    for (let before = -1; this.#queue.length > 0 && this.#queue.length !== before; ) {
      before = this.#queue.length;
      const awayTimes = this.#awayTimes;
      this.#start();
      await this.#running;
      if (this.#awayTimes > awayTimes) return false;
    }
    return this.#queue.length === 0;
  }

  /**
   * Ends the waiting: tries once more for at most `timeoutMs`, and leaves the rest to the spool. Nothing is tried again
   * by itself from then on, not even what is under way when the time is up.
   */
  async close(timeoutMs: number): Promise<{ unsent: number }> {
    this.#closed = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.flush(), late]);
    clearTimeout(timer);
    this.#cancelWake();
    await this.#keepAll();
    return { unsent: this.#queue.length };
  }

  #start(): void {
    // One round at a time, also for a letter that is posted while the first call of a round is being made.
    this.#running ??= Promise.resolve().then(() => this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const letter = this.#queue[0]!;
        try {
          await this.#options.send(letter);
          this.#failures = 0;
          await this.#done(letter);
        } catch (error) {
          if (isAway(error)) {
            await this.#wait(error);
            return;
          }
          await this.#refused(letter, error);
        }
      }
    } finally {
      // Here and not in a promise's `finally`: a letter that is posted in between would find a round that takes no more.
      this.#running = null;
    }
  }

  async #done(letter: Letter): Promise<void> {
    this.#remove(letter);
    await this.#unkeep(letter);
  }

  async #wait(error: PlatformError): Promise<void> {
    this.errors++;
    this.#failures++;
    this.#awayTimes++;
    const points = this.#queue.reduce((sum, one) => sum + one.points, 0);
    const where = this.#options.spool ? "kept on disk" : "kept in memory";
    this.#options.warn("away", {
      code: "away",
      message: `${points} points and ${this.#queue.filter((one) => one.points === 0).length} other calls wait, ${where}: ${error.what}`,
    });
    await this.#keepAll();
    const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
    const pause = Math.max((error.retryAfterS ?? 0) * 1000, most * this.#random());
    this.#cancelWake();
    if (this.#closed) return;
    this.#wake = setTimeout(() => {
      this.#wake = null;
      this.#start();
    }, pause);
    // A process that is done does not wait for a platform that is away: what is left is in the spool.
    (this.#wake as { unref?: () => void }).unref?.();
  }

  async #refused(letter: Letter, error: unknown): Promise<void> {
    this.errors++;
    const halves = this.#options.split?.(letter) ?? null;
    if (halves === null) {
      this.dropped += Math.max(1, letter.points);
      const reason = error instanceof Error ? error.message : String(error);
      const what = letter.points > 0 ? "a point" : `${letter.method} ${letter.path}`;
      this.#options.warn("refused", { code: "refused", message: `${what} was refused and dropped: ${reason}` });
      await this.#done(letter);
      return;
    }
    const place = this.#queue.indexOf(letter);
    if (place === -1) return;
    this.#queue.splice(place, 1, ...halves);
    await this.#unkeep(letter);
  }

  /** Returns once all that waits is in the spool, whoever began to put it there. */
  async #keepAll(): Promise<void> {
    if (!this.#options.spool) return;
    for (const letter of [...this.#queue]) {
      // Sent and forgotten while those before it were being written.
      if (!this.#queue.includes(letter)) continue;
      const keeping = this.#kept.get(letter) ?? this.#spooled((spool) => spool.keep(this.#options.origin, letter));
      this.#kept.set(letter, keeping);
      await keeping;
    }
  }

  async #unkeep(letter: Letter): Promise<void> {
    const keeping = this.#kept.get(letter);
    if (keeping === undefined) return;
    this.#kept.delete(letter);
    // What is still being written can be dropped only afterwards.
    await keeping;
    await this.#spooled((spool) => spool.drop(letter));
  }

  async #spooled(work: (spool: Spool) => Promise<void>): Promise<void> {
    if (!this.#options.spool) return;
    try {
      await work(this.#options.spool);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.warn("spool", { code: "spool", message: `what waits cannot be kept on disk: ${reason}` });
    }
  }

  #makeRoom(): void {
    let points = this.#queue.reduce((sum, one) => sum + one.points, 0);
    while (points > OUTBOX_MAX_POINTS) {
      const oldest = this.#queue.find((one) => one.points > 0);
      if (oldest === undefined) return;
      points -= oldest.points;
      this.dropped += oldest.points;
      this.#remove(oldest);
      this.#options.warn("full", {
        code: "full",
        message: `more than ${OUTBOX_MAX_POINTS} points wait: the oldest are dropped from memory`,
      });
    }
  }

  #remove(letter: Letter): void {
    const place = this.#queue.indexOf(letter);
    if (place !== -1) this.#queue.splice(place, 1);
  }

  #cancelWake(): void {
    if (this.#wake !== null) clearTimeout(this.#wake);
    this.#wake = null;
  }
}
