import { cutCodePoints } from "@while/schema";
import { failureOfError, type JudgeFailure, retryAfterOf, TRANSIENT } from "./judge-failure.ts";

export interface AskOptions {
  /** Of one try, from when it starts. */
  timeoutMs: number | undefined;
  /** Further tries after a transient failure. */
  retries: number;
  /** Before the second try; doubled before each further one. */
  backoffMs: number;
  /** Numbers in [0, 1), so that calls which failed together do not come back together. */
  random: () => number;
  signal: AbortSignal | undefined;
}

/** How one call ended. */
export type AskEnd = {
  /** Tries that were made. */
  tries: number;
} & ({ answer: unknown } | { failure: JudgeFailure; error: string });

/** Longest wait between two tries, whatever the other side asks for. */
const MAX_WAIT_MS = 60_000;
const ERROR_CHARS = 500;

class TimeIsUp extends Error {}
class IsStopped extends Error {}

/**
 * Asks a judge or a model once, with a limit of time and further tries. Never throws: one that throws, or does not answer in
 * time, is a failure with its kind. When the time is up or the whole is stopped, the signal is aborted; an answer after
 * that is dropped.
 */
export async function askWithin(ask: (signal: AbortSignal) => unknown, options: AskOptions): Promise<AskEnd> {
  const { retries, backoffMs, random, signal } = options;
  for (let tries = 1; ; tries++) {
    try {
      return { tries, answer: await oneTry(ask, options) };
    } catch (error) {
      if (error instanceof IsStopped) return { tries, failure: "not_called", error: "The grading was stopped." };
      if (error instanceof TimeIsUp) return { tries, failure: "timeout", error: error.message };
      const failure = failureOfError(error);
      if (tries > retries || !TRANSIENT.includes(failure)) return { tries, failure, error: errorText(error) };
      const wait = backoffMs * 2 ** (tries - 1) * (0.5 + random());
      await sleep(Math.min(MAX_WAIT_MS, Math.max(wait, retryAfterOf(error) ?? 0)), signal);
      if (signal?.aborted) return { tries, failure, error: errorText(error) };
    }
  }
}

async function oneTry(ask: (signal: AbortSignal) => unknown, { timeoutMs, signal }: AskOptions): Promise<unknown> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onStop = () => {};
  const ended = new Promise<never>((_, reject) => {
    // Rejected first: a judge that listens to its signal throws too, and the reason is ours.
    const end = (error: Error) => {
      reject(error);
      controller.abort(error);
    };
    onStop = () => end(new IsStopped("The grading was stopped."));
    if (timeoutMs !== undefined)
      timer = setTimeout(() => end(new TimeIsUp(`No answer in ${timeoutMs} ms.`)), timeoutMs);
    if (signal?.aborted) onStop();
    else signal?.addEventListener("abort", onStop, { once: true });
  });
  try {
    // One that throws at once and one that rejects are the same.
    const answer = (async () => await ask(controller.signal))();
    answer.catch(() => {}); // What it says when nobody waits any more; in time, the race below has it.
    return await Promise.race([ended, answer]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onStop);
  }
}

/** `<name>: <message>`, as the Python SDK writes it. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `Error: ${String(error)}`;
  return cutCodePoints(text, ERROR_CHARS);
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener("abort", done, { once: true });
  });
}
