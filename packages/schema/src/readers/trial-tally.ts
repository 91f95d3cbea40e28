import { formatFixed } from "../text/format-number.ts";
import type { ReaderContext } from "./format.ts";

/**
 * Counts the trials of a file that never came to a verdict, so that the report can say how its own tool counted them:
 * a mean that takes them for failures is another number than the mean of the rows.
 */
export class TrialTally {
  #graded = 0;
  #ungraded = 0;
  #sum = 0;
  #lost = 0;
  #sumLost = 0;
  /** Lost trials that their tool counts all the same. */
  #counted = 0;

  /** A rollout with its reward; null came to its end and was not graded, which is not lost. */
  add(reward: number | null): void {
    if (reward === null) {
      this.#ungraded++;
      return;
    }
    this.#graded++;
    this.#sum += reward;
  }

  /**
   * A trial without a verdict.
   *
   * @param counted What its own tool counts for it; null when the tool leaves it out
   * @returns Whether its row is kept
   */
  lose(context: ReaderContext, counted: number | null): boolean {
    this.#lost++;
    if (counted !== null) {
      this.#counted++;
      this.#sumLost += counted;
    }
    if (context.options.keepErrors !== false) return true;
    context.skip("infrastructure_error");
    return false;
  }

  /** Warns when there were such trials; `tool` and `counts` complete "as … counts it, with …". */
  say(context: ReaderContext, how: { ended: string; tool: string; counts: string | null }): void {
    if (this.#lost === 0) return;
    const all = this.#graded + this.#ungraded + this.#lost;
    const mean = this.#graded === 0 ? null : this.#sum / this.#graded;
    const theirMean = (this.#sum + this.#sumLost) / (this.#graded + this.#counted);
    const theirs =
      how.counts === null || this.#counted === 0
        ? `; ${how.tool} leaves them out too`
        : `, and ${formatFixed(theirMean, 3)} as ${how.tool} counts it, with ${how.counts}`;
    const have = this.#lost === 1 ? "has" : "have";
    const others =
      this.#ungraded === 0 ? "the others" : `the ${this.#graded} that ${this.#graded === 1 ? "is" : "are"} graded`;
    context.warn(
      "infrastructure_errors",
      `${this.#lost} of ${all} rollouts ended in ${how.ended} and ${have} no reward: the mean over ${others} is ` +
        `${formatFixed(mean, 3)}${theirs}.`,
    );
  }
}
