import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { labelOf } from "./load-traces.ts";
import { ItemMean, type ToolHeadline, toolHeadline } from "./tool-headline.ts";

/** Metrics that the harness averages over the questions; others have a rule of their own. */
const AVERAGED: ReadonlySet<string> = new Set(["exact_match", "acc", "acc_norm"]);

/**
 * The metrics of a task in `results_<date>.json`, under `<metric>,<filter>`, with their standard errors. Without that
 * file, the mean of the metric that was read, where the harness takes the mean of it.
 */
export class LmEvalHeadlines {
  readonly #written: SourceObject | null;
  readonly #n: number | null;
  readonly #of: number | null;
  readonly #questions = new ItemMean();
  /** What the reward is, as the results file spells it. */
  #read = { metric: "", filter: "" };

  constructor(run: SourceObject | null, task: string) {
    const { results, "n-samples": counts } = run ?? {};
    const written = isObject(results) && Object.hasOwn(results, task) ? results[task] : null;
    const count = isObject(counts) && Object.hasOwn(counts, task) ? counts[task] : null;
    this.#written = isObject(written) ? written : null;
    this.#n = isObject(count) ? labelOf(count.effective) : null;
    this.#of = isObject(count) ? labelOf(count.original) : null;
  }

  /** A question with the number that is its reward. */
  add(metric: string, filter: string, score: number): void {
    this.#read = { metric, filter };
    this.#questions.add(score);
  }

  list(): ToolHeadline[] {
    const { metric, filter } = this.#read;
    const key = `${metric},${filter}`;
    const isAveraged = AVERAGED.has(metric);
    const fromItems = isAveraged ? this.#questions.mean : null;
    const how = isAveraged
      ? "the mean over the questions of the task"
      : "the metric's own aggregate over the questions";
    const written = this.#written ?? {};
    const shared = { n: this.#n, of: this.#of };
    const read = toolHeadline({
      ...{ name: key, how, fromItems, ...shared },
      written: labelOf(written[key]),
      stderr: labelOf(written[`${metric}_stderr,${filter}`]),
    });
    const others = Object.entries(written).flatMap(([name, value]) => {
      const [other = "", by = ""] = name.split(",");
      if (name === key || by === "" || other.endsWith("_stderr")) return [];
      const stderr = labelOf(written[`${other}_stderr,${by}`]);
      const howOther = "the metric's aggregate over the questions";
      const headline = toolHeadline({ name, how: howOther, written: labelOf(value), rule: null, stderr, ...shared });
      return headline === null ? [] : [headline];
    });
    return read === null || metric === "" ? others : [read, ...others];
  }
}
