import { otlpLines, type Row } from "@while/schema";
import { LARGE_BODY_MAX_BYTES } from "./contract/caps.ts";
import { postTraces, type TracesStored } from "./contract/traces.ts";
import { PlatformError } from "./platform-error.ts";
import type { Transport } from "./transport/transport.ts";

export interface SendRunsOptions {
  agent: string;
  /** The set that they go to; the agent's name by default. */
  dataset?: string;
  /** A run whose reward is at or above it passed. */
  passAt?: number;
  /** Model of the rows that name none. */
  model?: string;
  /** A child span for each tool call. */
  steps?: boolean;
}

/** Room for what wraps the spans of one call. */
const BATCH_MAX = LARGE_BODY_MAX_BYTES * 0.9;

/**
 * Sends rows as traces of an agent, which the first of them creates; in as many calls as their size takes.
 *
 * @param now Milliseconds since 1970
 * @throws SchemaError for a row that asks nothing; PlatformError `too_large` for a row that no call can carry
 */
export async function sendRuns(
  transport: Transport,
  rows: readonly Row[],
  options: SendRunsOptions,
  now: number,
): Promise<TracesStored> {
  let total = 0;
  let stored: TracesStored | null = null;
  for (const batch of batches(otlpLines(rows, { ...options, now }))) {
    // One line holds the spans of one run; a call may hold those of many.
    stored = await transport.call(postTraces, { body: { resourceSpans: batch.flatMap(spansIn) } });
    total += stored.rows;
  }
  if (stored !== null) return { ...stored, rows: total };
  throw new PlatformError("bad_value", "There are no rows to send.", "Give at least one run.");
}

function* batches(lines: Iterable<string>): Generator<string[], void, undefined> {
  let batch: string[] = [];
  let size = 0;
  for (const line of lines) {
    const bytes = new TextEncoder().encode(line).length;
    if (bytes > BATCH_MAX) {
      const what = `A run has ${bytes} bytes of ${LARGE_BODY_MAX_BYTES} that one call may carry.`;
      throw new PlatformError("too_large", what, "Push it as a dataset, or shorten it.");
    }
    if (size + bytes > BATCH_MAX) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(line);
    size += bytes;
  }
  if (batch.length > 0) yield batch;
}

function spansIn(line: string): unknown[] {
  return (JSON.parse(line) as { resourceSpans: unknown[] }).resourceSpans;
}
