/**
 * Does work that can be stopped in the middle and still has something to show: the first Ctrl-C asks it to stop, the
 * second ends the process.
 */
export async function stoppable<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error("stopped by hand"));
  process.once("SIGINT", stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", stop);
  }
}
