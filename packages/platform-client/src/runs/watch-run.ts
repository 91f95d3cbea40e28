import type { TrainPoint } from "../contract/points.ts";
import { runEvents } from "../contract/runs.ts";
import type { StoredScore } from "../contract/scores.ts";
import { PlatformError } from "../platform-error.ts";
import type { Transport } from "../transport/transport.ts";
import { isAway } from "./outbox.ts";
import { type ServerSentEvent, serverSentEvents } from "./server-sent-events.ts";

/** Something that happened to a run. */
export type RunEvent =
  | { type: "point"; data: TrainPoint }
  | { type: "score"; data: StoredScore }
  | { type: "alarm"; data: { step: number; kind: string } }
  | { type: "status"; data: { status: string; steps: number | null; totalSteps: number | null } };

export interface WatchOptions {
  /** Ends the watching. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until a broken connection is made again, where the platform does not say. */
  retryMs?: number | undefined;
}

/** Connections in a row that may fail. */
const MAX_FAILURES = 10;
const RETRY_MS = 3000;
const ENDED: ReadonlySet<string> = new Set(["evaluated", "done", "stopped", "failed"]);

/**
 * What happens to a run, as it happens, from its first point on; ends when the run has. A connection that breaks is made
 * again and goes on where it ended: what came in the middle of an update comes once more, and a point of a known step
 * replaces it.
 *
 * @throws PlatformError `not_found` and the platform's other refusals; `unreachable` after ten tries in a row
 */
export async function* watchRun(
  transport: Transport,
  id: string,
  { signal, retryMs = RETRY_MS }: WatchOptions = {},
): AsyncGenerator<RunEvent, void, undefined> {
  let last = "0";
  let status = "";
  let failures = 0;
  let pause = retryMs;
  const isOver = () => signal?.aborted === true;
  while (!isOver()) {
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": last };
      const body = await transport.open(runEvents, { params: { id }, headers, signal });
      failures = 0;
      for await (const event of serverSentEvents(body)) {
        if (event.retryMs !== null) pause = Math.min(event.retryMs, retryMs);
        if (event.type === "") continue;
        const known = read(event);
        if (known.type === "status") {
          // The last event of an update: all before it are here.
          last = event.id ?? last;
          status = known.data.status;
        }
        yield known;
      }
      if (ENDED.has(status)) return;
    } catch (error) {
      if (isOver()) return;
      if (error instanceof PlatformError && !(isAway(error) && ++failures < MAX_FAILURES)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function read({ type, data }: ServerSentEvent): RunEvent {
  try {
    return { type, data: JSON.parse(data) } as RunEvent;
  } catch (cause) {
    const what = `An event of type ${type} holds ${JSON.stringify(data.slice(0, 80))}, which is no JSON.`;
    throw new PlatformError("bad_answer", what, "Is the address that of a platform?", { status: 200, cause });
  }
}
