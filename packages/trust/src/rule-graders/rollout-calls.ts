import { isObject, type Row, toolFault } from "@while/schema";
import { effectsOf } from "../trajectory/effects.ts";
import { traceSteps } from "../trajectory/trace-steps.ts";

/** A call of a rollout, and what it did to the world. */
export interface RolloutCall {
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  result: unknown;
  /** "" where nothing went wrong. */
  fault: string;
  /** Changes something, or may: a verb that nobody knows counts as a change. */
  writes: boolean;
  succeeded: boolean;
}

const DONE: ReadonlySet<string> = new Set(["ok", "created", "success", "done", "updated", "deleted"]);

/** The calls of a row, in order. A status that is the tool's own word (`open`) is a success, unless it names a fault. */
export function rolloutCalls(row: Row): RolloutCall[] {
  return traceSteps(row).map(({ tool, arguments: given, result, failed }) => {
    const effects = effectsOf(tool, given);
    const writes = effects.mutates || effects.opaque || effects.writes.length + effects.deletes.length > 0;
    const status = isObject(result) && typeof result.status === "string" ? result.status.toLowerCase() : "";
    const fault = DONE.has(status) ? "" : toolFault(result) || (failed ? "failed" : "");
    const isAnswered = result !== undefined && result !== null;
    return { tool, arguments: given, result, fault, writes, succeeded: isAnswered && fault === "" };
  });
}

/** Tools whose last call went wrong, with that call. */
export function outstandingFaults(calls: readonly RolloutCall[]): RolloutCall[] {
  const last = new Map<string, RolloutCall>();
  for (const call of calls) last.set(call.tool, call);
  return [...last.values()].filter(({ fault }) => fault !== "");
}
