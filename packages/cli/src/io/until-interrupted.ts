const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Waits until a person or a machine asks the process to end, for work that goes on until then. The first signal lets it
 * end in order; a second one ends the process at once, as it would have anyway.
 */
export function untilInterrupted(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const end = (signal: NodeJS.Signals): void => {
      for (const each of ENDING) process.off(each, end);
      resolve(signal);
    };
    for (const each of ENDING) process.on(each, end);
  });
}
