/**
 * Where a monitor writes: a run of training, or of a tracked evaluation. Both kinds of run of the platform client have
 * this shape, and so can a few lines over any other tracker.
 */
export interface RunSink {
  /** Points of one step. */
  log(step: number, values: Readonly<Record<string, number>>): void | Promise<void>;
  /** Merges fields into the run's summary. */
  patchSummary(fields: Readonly<Record<string, unknown>>): void | Promise<void>;
  finish(
    status: "stopped",
    ending: { summary: Readonly<Record<string, unknown>>; error: string },
  ): void | Promise<void>;
}
