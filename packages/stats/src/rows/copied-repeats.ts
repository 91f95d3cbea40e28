import { isObject, type Row, type Step } from "@while/schema";
import { SeenRollouts } from "./seen-rollouts.ts";

/**
 * Finds tasks all of whose rollouts are one draw written down again: sampled at temperature 0, and word for word the
 * same calls and reply. k of them say what one says. Rows that name no temperature are never taken for copies: short
 * answers agree by themselves.
 */
export class CopiedRepeats {
  private readonly seen = new SeenRollouts();
  /** By task number: rollouts at temperature 0, and different ones among them. */
  private readonly greedy: number[] = [];
  private readonly distinct: number[] = [];

  add(task: number, row: Row): void {
    if (row.sampling?.temperature !== 0) return;
    this.greedy[task] = (this.greedy[task] ?? 0) + 1;
    if (this.seen.add(task, transcriptOf(row))) this.distinct[task] = (this.distinct[task] ?? 0) + 1;
  }

  /** Whether all `nRollouts` of the task are one draw. */
  isCopied(task: number, nRollouts: number): boolean {
    return nRollouts > 1 && this.greedy[task] === nRollouts && this.distinct[task] === 1;
  }
}

/** What the agent did and said; what the world answered follows from it. */
function transcriptOf({ steps, final_text }: Row): string {
  const done = Array.isArray(steps) ? steps.filter(isObject).map(deedOf) : [];
  return JSON.stringify([done, final_text ?? ""]);
}

function deedOf(step: Step): unknown {
  return "tool" in step ? [step.tool, step.arguments, step.text] : "text" in step ? step.text : null;
}
