import { MinuteWindow, type Taken } from "./minute-window.ts";

/** How a call ended, as far as the server's load is concerned. */
type CallOutcome = "ok" | "limited" | "broken";

interface LimiterOptions {
  /** Calls at once to begin with. */
  start?: number;
  /** Most calls at once. */
  most?: number;
  /** Milliseconds of a clock that only runs forward. */
  now?: () => number;
}

/** What a server allows in a minute, where one knows it. */
interface PerMinute {
  requests?: number;
  tokens?: number;
}

/** Who waits for a place, and how many tokens the call is thought to take. */
interface Waiting {
  tokens: number;
  enter: () => void;
}

/** Gives a place back; `tokens` is what the call really took, where it is known. */
type Release = (tokens?: number) => void;

/** A clean round grows the limit by this part of itself, once the slow start is over. */
const GROWTH = 0.05;
/** A refusal cuts it to this part. */
const CUT = 0.8;
/** One cut holds so long: what is refused meanwhile was sent before it. */
const CUT_HOLDS_MS = 15_000;
/** From so many broken calls in a row on, the server is taken to be down and asked by single calls. */
const BREAKS_AT = 8;
const FIRST_PROBE_MS = 500;
const LONGEST_PROBE_MS = 30_000;

/**
 * How many calls a server takes at once, found out by how it answers: the limit doubles until the first refusal, grows
 * by a twentieth with each clean round after it, and is cut by a fifth when the server refuses for load (AIMD; Chiu and
 * Jain 1989). A server that names a time is left alone until then. After eight broken calls in a row it is asked by one
 * call at a time, at longer and longer distances, until one succeeds.
 */
export class AdaptiveLimiter {
  private most: number;
  private readonly now: () => number;
  private readonly queue: Waiting[] = [];
  private requests: MinuteWindow | null = null;
  private tokens: MinuteWindow | null = null;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private isSlowStart = true;
  private cutAt = Number.NEGATIVE_INFINITY;
  private closedUntil = Number.NEGATIVE_INFINITY;
  private cleanCalls = 0;
  private nBroken = 0;
  private brokenSince: number | null = null;
  private hasAnswered = false;
  private inFlight = 0;
  limit: number;

  constructor({ start = 20, most = 100, now = () => performance.now() }: LimiterOptions = {}) {
    this.most = most;
    this.now = now;
    this.limit = Math.min(start, most);
  }

  /** Sets how many calls at once there are to begin with, and at most. */
  allow({ start, most = this.most }: { start?: number; most?: number }): void {
    this.most = most;
    this.limit = Math.min(start ?? this.limit, most);
    this.wake();
  }

  /** Sets what may go out in a minute, beside what is found out. */
  allowPerMinute({ requests, tokens }: PerMinute): void {
    const windowOf = (had: MinuteWindow | null, most: number): MinuteWindow => {
      if (had === null) return new MinuteWindow(most, this.now);
      had.most = most;
      return had;
    };
    if (requests !== undefined) this.requests = windowOf(this.requests, requests);
    if (tokens !== undefined) this.tokens = windowOf(this.tokens, tokens);
    this.wake();
  }

  /** Whether it wants to know what a call will take. */
  get countsTokens(): boolean {
    return this.tokens !== null;
  }

  /** Milliseconds since which no call has succeeded; null while the server is not taken to be down. */
  get downForMs(): number | null {
    return this.nBroken < BREAKS_AT || this.brokenSince === null ? null : this.now() - this.brokenSince;
  }

  /** Whether any call was ever answered. */
  get isKnown(): boolean {
    return this.hasAnswered;
  }

  /**
   * Waits for a place; what comes back gives it back. `tokens` is what the call is thought to take of the minute.
   *
   * @throws The reason of the signal
   */
  async acquire(signal?: AbortSignal, tokens = 0): Promise<Release> {
    signal?.throwIfAborted();
    const isFree = this.queue.length === 0 && this.isOpen() && this.minuteWait(tokens) <= 0;
    const taken = isFree ? this.admit(tokens) : await this.wait(signal, tokens);
    let isHeld = true;
    return (real) => {
      if (!isHeld) return;
      isHeld = false;
      if (real !== undefined) taken?.settle(real);
      this.inFlight--;
      this.wake();
    };
  }

  /** Takes in how a call ended, before its place is given back. */
  saw(outcome: CallOutcome, retryAfterMs: number | null = null): void {
    const now = this.now();
    if (outcome === "ok") {
      this.hasAnswered = true;
      this.nBroken = 0;
      this.brokenSince = null;
      // A limit that holds nobody back says nothing when it is not exceeded.
      if (this.inFlight >= this.limit && ++this.cleanCalls >= this.limit) this.round();
    } else if (outcome === "limited") {
      // A server that refuses for load is there.
      this.hasAnswered = true;
      this.nBroken = 0;
      this.brokenSince = null;
      this.isSlowStart = false;
      this.cleanCalls = 0;
      if (now - this.cutAt >= CUT_HOLDS_MS) {
        this.limit = Math.max(1, Math.floor(this.limit * CUT));
        this.cutAt = now;
      }
    } else {
      this.brokenSince ??= now;
      this.nBroken++;
      this.cleanCalls = 0;
      if (this.nBroken >= BREAKS_AT) {
        const wait = Math.min(LONGEST_PROBE_MS, FIRST_PROBE_MS * 2 ** (this.nBroken - BREAKS_AT));
        this.closeFor(wait);
      }
    }
    if (retryAfterMs !== null) this.closeFor(retryAfterMs);
  }

  /** A round without a refusal: as many calls as the limit, while it held others back. */
  round(): void {
    this.cleanCalls = 0;
    this.limit = Math.min(this.most, this.isSlowStart ? this.limit * 2 : Math.ceil(this.limit * (1 + GROWTH)));
  }

  private closeFor(ms: number): void {
    this.closedUntil = Math.max(this.closedUntil, this.now() + ms);
  }

  private isOpen(): boolean {
    const limit = this.nBroken >= BREAKS_AT ? 1 : this.limit;
    return this.inFlight < limit && this.now() >= this.closedUntil;
  }

  /** Milliseconds until the minute has room for a call of so many tokens. */
  private minuteWait(tokens: number): number {
    return Math.max(this.requests?.waitFor(1) ?? 0, this.tokens?.waitFor(tokens) ?? 0);
  }

  /** Counts a call in, before anyone else is looked at. */
  private admit(tokens: number): Taken | undefined {
    this.inFlight++;
    this.requests?.take(1);
    return this.tokens?.take(tokens);
  }

  private wait(signal: AbortSignal | undefined, tokens: number): Promise<Taken | undefined> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve(this.admit(tokens));
      };
      const leave = (): void => {
        const at = this.queue.findIndex((one) => one.enter === enter);
        if (at >= 0) this.queue.splice(at, 1);
        reject(signal?.reason);
        // The next one may take less.
        this.wake();
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.queue.push({ tokens, enter });
      this.wake();
    });
  }

  /** Lets in who waits, as far as there is room; looks again when the server opens, or the minute has passed. */
  private wake(): void {
    while (this.queue.length > 0 && this.isOpen() && this.minuteWait(this.queue[0]!.tokens) <= 0) {
      this.queue.shift()!.enter();
    }
    if (this.queue.length === 0 || this.timer !== null) return;
    const wait = Math.max(this.closedUntil - this.now(), this.minuteWait(this.queue[0]!.tokens));
    if (wait <= 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.wake();
    }, Math.min(wait, LONGEST_PROBE_MS) + 1);
  }
}
