/** Ends a rollout whose working time is up: what it waits for a crowded server is not its own, and does not count. */
export class RolloutClock {
  private readonly onEnd: () => void;
  private left: number;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt = 0;
  private waits = 0;

  constructor(ms: number, onEnd: () => void) {
    this.left = ms;
    this.onEnd = onEnd;
    this.start();
  }

  /** Stops the clock while this lasts; several waits may overlap. */
  async whileStopped<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.waits++ === 0) {
      clearTimeout(this.timer);
      this.left -= performance.now() - this.startedAt;
    }
    try {
      return await work();
    } finally {
      if (--this.waits === 0) this.start();
    }
  }

  /** Ends it without a word. */
  stop(): void {
    this.left = Number.POSITIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private start(): void {
    if (this.left === Number.POSITIVE_INFINITY) return;
    this.startedAt = performance.now();
    this.timer = setTimeout(this.onEnd, Math.max(0, this.left));
  }
}
