import type { Row } from "@while/schema";
import type { Agent } from "../agent/agent.ts";
import type { Progress } from "./progress.ts";
import { runEngine } from "./run-engine.ts";
import type { SimulateOptions } from "./simulate-options.ts";
import type { SimulationReport } from "./simulation-report.ts";

/** Rows that may wait for a reader; then the engine waits. */
const BUFFERED = 256;

/**
 * A run whose rows are read as they land, in the order in which they land. Nothing is held: memory is flat however long
 * the run is, and a reader that is slow slows the run.
 */
export class RolloutStream implements AsyncIterable<Row> {
  /** The report, once the last row has been read; rejects as `simulate` does. */
  readonly done: Promise<SimulationReport>;
  private readonly queue: Row[] = [];
  private readonly stop = new AbortController();
  private last: Progress | null = null;
  private isOver = false;
  private wakeReader = (): void => {};
  private waiting: (() => void)[] = [];
  private resumeRun: (() => void) | null = null;
  private paused: Promise<void> = Promise.resolve();

  constructor(agent: Agent, options: SimulateOptions = {}) {
    const { signal } = options;
    const onAbort = () => this.stop.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const run = runEngine(
      agent,
      { ...options, signal: this.stop.signal },
      {
        emit: (landed) => this.push(landed.row),
        gate: () => this.paused,
        onProgress: (progress) => {
          this.last = progress;
        },
      },
    );
    this.done = run
      .then(({ report }) => report)
      .finally(() => {
        signal?.removeEventListener("abort", onAbort);
        this.isOver = true;
        this.wakeReader();
      });
    // Whoever only iterates hears of a failure there.
    this.done.catch(() => {});
  }

  /** How far the run is; null before the first rollout is done. */
  progress(): Progress | null {
    return this.last;
  }

  /** Starts no further rollout until `resume`. */
  pause(): void {
    if (this.resumeRun !== null) return;
    this.paused = new Promise((resolve) => {
      this.resumeRun = resolve;
    });
  }

  resume(): void {
    this.resumeRun?.();
    this.resumeRun = null;
  }

  /** Ends the run; what has landed can still be read. */
  abort(reason?: unknown): void {
    this.stop.abort(reason);
    this.resume();
    this.wakeEngine();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<Row> {
    try {
      while (true) {
        const row = this.queue.shift();
        if (row !== undefined) {
          if (this.queue.length < BUFFERED) this.wakeEngine();
          yield row;
        } else if (this.isOver) {
          await this.done;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.wakeReader = resolve;
          });
        }
      }
    } finally {
      // A reader that leaves wants no more rows.
      if (!this.isOver) this.abort("the reader left");
    }
  }

  private async push(row: Row): Promise<void> {
    this.queue.push(row);
    this.wakeReader();
    while (this.queue.length > BUFFERED && !this.stop.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
    }
  }

  private wakeEngine(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const wake of waiting) wake();
  }
}

/** `simulate`, row by row. */
export function streamRollouts(agent: Agent, options: SimulateOptions = {}): RolloutStream {
  return new RolloutStream(agent, options);
}
