/**
 * Money that a run may spend. A call asks for the most that it could cost before it is made, and waits while calls that
 * are under way might use up what is left: the limit is never exceeded by a call whose price is known.
 */
export class SpendingLimit {
  private readonly usd: number;
  private spent = 0;
  private held = 0;
  private waiting: (() => void)[] = [];

  constructor(usd: number) {
    this.usd = usd;
  }

  /** Adds what was paid. */
  add(usd: number): void {
    this.spent += usd;
  }

  /**
   * Holds what a call could cost; what comes back lets go of it. null when the rest does not allow for the call, and
   * nothing that is under way could change that.
   */
  async hold(most: number): Promise<(() => void) | null> {
    while (this.spent + this.held + most > this.usd) {
      if (this.held === 0) return null;
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
    this.held += most;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.held -= most;
      // Sums of fractions leave a rest; nothing is under way when nobody holds anything.
      if (this.held < 1e-12) this.held = 0;
      const { waiting } = this;
      this.waiting = [];
      for (const wake of waiting) wake();
    };
  }
}

/** Ends a rollout whose next call may not be made. */
export class SpendingStop extends Error {
  constructor() {
    super("the run may not spend more");
    this.name = "SpendingStop";
  }
}
