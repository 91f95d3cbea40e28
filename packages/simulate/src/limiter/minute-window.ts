const MINUTE_MS = 60_000;

/** What one call has taken of a window; `settle` puts what it really was in the place of what was thought. */
export interface Taken {
  settle(amount: number): void;
}

interface Entry {
  at: number;
  amount: number;
  isOld: boolean;
}

/**
 * At most so much in any minute, whenever the minute begins: calls or tokens of the last 60 seconds are remembered, and
 * the next one waits until enough of them are older. (A bucket that fills up again would let through twice its size in
 * one minute.)
 */
export class MinuteWindow {
  /** May be set anew; what was taken stays taken. */
  most: number;
  private readonly now: () => number;
  private readonly entries: Entry[] = [];
  private sum = 0;

  constructor(most: number, now: () => number) {
    this.most = most;
    this.now = now;
  }

  /** Milliseconds until so much fits in; 0 when it does. What is more than a whole minute's waits for an empty window. */
  waitFor(amount: number): number {
    this.forget();
    let left = this.sum;
    const room = Math.max(0, this.most - amount);
    if (left <= room) return 0;
    for (const entry of this.entries) {
      left -= entry.amount;
      if (left <= room) return entry.at + MINUTE_MS - this.now();
    }
    return 0;
  }

  take(amount: number): Taken {
    const entry: Entry = { at: this.now(), amount, isOld: false };
    this.entries.push(entry);
    this.sum += amount;
    return {
      settle: (real) => {
        // What is older than a minute is no longer in the sum.
        if (!entry.isOld) this.sum += real - entry.amount;
        entry.amount = real;
      },
    };
  }

  private forget(): void {
    const since = this.now() - MINUTE_MS;
    let n = 0;
    for (; n < this.entries.length && this.entries[n]!.at <= since; n++) {
      this.sum -= this.entries[n]!.amount;
      this.entries[n]!.isOld = true;
    }
    this.entries.splice(0, n);
  }
}
