import { isAnsweredCall, isObject, type Row, stepsOf, textOf, toolFault } from "@while/schema";
import { wilsonInterval } from "../interval/wilson-interval.ts";

/** How the calls of one tool ended. */
export interface ToolOutcome {
  /** Answered calls. */
  n: number;
  /** Of these, without a fault. */
  ok: number;
  faults: number;
  /** Faults on rows whose plan names the tool, or every tool (`*`): they were meant to happen. */
  injected: number;
}

/** Fewer calls than this say nothing about a tool. */
const MIN_EVIDENCE = 3;
/** A tool whose share of answers without a fault is, at the most, below this does not work. */
const DEAD_BELOW = 0.3;

/** The outcomes of every tool that some row called, by name. */
export function toolOutcomes(rows: readonly Row[]): Map<string, ToolOutcome> {
  const outcomes = new Map<string, ToolOutcome>();
  for (const row of rows) {
    const planned = isObject(row.faults) ? row.faults : {};
    for (const step of stepsOf(row)) {
      if (!isAnsweredCall(step)) continue;
      const tool = textOf(step.tool);
      const outcome = outcomes.get(tool) ?? { n: 0, ok: 0, faults: 0, injected: 0 };
      outcome.n++;
      if (toolFault(step.result) === "") outcome.ok++;
      else {
        outcome.faults++;
        if (Object.hasOwn(planned, tool) || Object.hasOwn(planned, "*")) outcome.injected++;
      }
      outcomes.set(tool, outcome);
    }
  }
  return outcomes;
}

/**
 * Whether a tool hardly ever answers without a fault, those that were planned aside: the upper bound of its success
 * (Wilson) is under 0.30 on at least three calls.
 */
export function isDeadTool({ n, ok, injected }: ToolOutcome): boolean {
  const evidence = n - injected;
  if (evidence < MIN_EVIDENCE) return false;
  const [, high] = wilsonInterval(Math.min(ok, evidence), evidence)!;
  return high < DEAD_BELOW;
}
