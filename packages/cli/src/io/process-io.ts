import type { Io, Sink } from "./io.ts";

/** The real terminal. A closed pipe ends the output and not the command: its exit code still tells what it found. */
export function processIo(): Io {
  return { stdout: sink(process.stdout), stderr: sink(process.stderr), env: process.env, now: () => performance.now() };
}

function sink(stream: NodeJS.WriteStream): Sink {
  let closed = false;
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    closed = true;
  });
  return {
    write: (text) => closed || stream.write(text),
    get closed() {
      return closed;
    },
    isTty: stream.isTTY === true,
    columns: stream.columns ?? 80,
  };
}
