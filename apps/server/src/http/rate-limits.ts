/** Kinds of call that are counted apart, so that a trainer's points do not use up what a page reads with. */
export type RateClass = "read" | "write" | "log" | "open";

/** Calls a minute for each key (`open`: for each address that shows none). */
export type RateLimits = Readonly<Record<RateClass, number>>;

/**
 * High enough that no honest loop of one machine meets them: the Python SDK does not try again after a refusal, and a
 * purge deletes trace by trace. `open` guards mails and codes.
 */
const RATE_LIMITS: RateLimits = { read: 12_000, write: 6_000, log: 12_000, open: 120 };

interface Bucket {
  left: number;
  at: number;
}

export interface RateAnswer {
  limit: number;
  remaining: number;
  /** Seconds until the next call is let in; 0 when this one was. */
  waitS: number;
}

/** Buckets that no call touched for this long are full again, and forgotten. */
const FORGET_MS = 120_000;

/** A token bucket for each caller and class, in memory: each replica counts for itself. */
export class RateLimiter {
  readonly #limits: RateLimits;
  readonly #buckets = new Map<string, Bucket>();
  #swept = 0;

  constructor(limits: RateLimits = RATE_LIMITS) {
    this.#limits = limits;
  }

  take(who: string, kind: RateClass, nowMs: number): RateAnswer {
    this.#sweep(nowMs);
    const limit = this.#limits[kind];
    const perMs = limit / 60_000;
    const name = `${kind} ${who}`;
    const bucket = this.#buckets.get(name) ?? { left: limit, at: nowMs };
    bucket.left = Math.min(limit, bucket.left + Math.max(0, nowMs - bucket.at) * perMs);
    bucket.at = nowMs;
    this.#buckets.set(name, bucket);
    if (bucket.left < 1)
      return { limit, remaining: 0, waitS: Math.max(1, Math.ceil((1 - bucket.left) / perMs / 1000)) };
    bucket.left -= 1;
    return { limit, remaining: Math.floor(bucket.left), waitS: 0 };
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#swept < FORGET_MS) return;
    this.#swept = nowMs;
    for (const [name, bucket] of this.#buckets) if (nowMs - bucket.at > FORGET_MS) this.#buckets.delete(name);
  }
}
