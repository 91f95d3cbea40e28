import type { GateTask } from "./gate-worker.ts";
import { onThread } from "./on-thread.ts";

/** Sets beyond these sizes are not gated on the server: it answers others meanwhile. `wai gate` reads any file. */
export const GATE_ROWS_MAX = 20_000;
export const GATE_BYTES_MAX = 100_000_000;

/** What the publish gate says of a set. */
export function gateReport(task: GateTask): Promise<Record<string, unknown>> {
  return onThread("gate-worker", task);
}
