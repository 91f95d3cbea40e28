/** What stops a run, told to every rollout that is under way. One signal with a listener for each would warn of a leak. */
export class RunStop {
  private readonly controller = new AbortController();
  private readonly rollouts = new Set<() => void>();

  /** For what is not a rollout: the writer. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Calls back once when the run is stopped; at once when it is. Returns what takes the call back. */
  onStop(end: () => void): () => void {
    if (this.isStopped) end();
    else this.rollouts.add(end);
    return () => this.rollouts.delete(end);
  }

  stop(reason: string): void {
    if (this.isStopped) return;
    this.controller.abort(new Error(reason));
    const ends = [...this.rollouts];
    this.rollouts.clear();
    for (const end of ends) end();
  }
}
