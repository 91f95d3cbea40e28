import { constants } from "node:os";

/** Signals by which a person or a machine ends a command. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does `work`, and should a signal end the process meanwhile, `tidy` first: no half-made file stays behind. Files
 * that `@while/schema/files` has open are taken away too, since the process exits in the ordinary way. Only for work
 * that waits on files: while a listener is on, a signal is not heard during one long computation.
 */
export async function onInterrupt<Result>(work: () => Promise<Result>, tidy: () => void = () => {}): Promise<Result> {
  const end = (signal: NodeJS.Signals): void => {
    tidy();
    // The prompt comes back on a line of its own, not behind the progress.
    if (process.stderr.isTTY) process.stderr.write("\n");
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of ENDING) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of ENDING) process.off(signal, end);
  }
}
