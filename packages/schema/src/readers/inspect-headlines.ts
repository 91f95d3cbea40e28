import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { textOf } from "../text/text-of.ts";
import { IdNumbers } from "./id-numbers.ts";
import type { InspectChoice } from "./inspect-scores.ts";
import { labelOf } from "./load-traces.ts";
import { ItemMean, MEAN_REWARD, type ToolHeadline, toolHeadline } from "./tool-headline.ts";

/** Metrics that are a mean of the scores; a scorer has one of them as a rule. */
const MEANS: ReadonlySet<string> = new Set(["accuracy", "mean"]);

/** A metric of a scorer, as the log has it. */
interface LoggedMetric {
  name: string;
  value: number;
  stderr: number | null;
  scored: number | null;
  unscored: number | null;
  reducer: string;
  isMean: boolean;
  /** Of the number that is the reward of the rows. */
  isReward: boolean;
}

/**
 * The accuracies and means in `results.scores` of an Inspect log. The scores of a sample's epochs are reduced to one,
 * by their mean unless the log names another reducer, and those of the samples are averaged. A log without results, as
 * a run that was stopped leaves, has no number of its own.
 */
export class InspectHeadlines {
  #metrics: LoggedMetric[] = [];
  #unfinished: string | null = null;
  readonly #ids = new IdNumbers();
  /** The sum of the chosen scores of a sample over its epochs, and how many they are, by the sample's number. */
  readonly #sums: number[] = [];
  readonly #counts: number[] = [];

  open({ results, status }: SourceObject, choice: InspectChoice | null): void {
    const found = isObject(results) ? results : {};
    const { scores, headline, total_samples: total, completed_samples: completed } = found;
    if (status !== "success") {
      const of = `${labelOf(completed) ?? "an unknown number"} of ${labelOf(total) ?? "an unknown number of"} samples`;
      this.#unfinished = `the log's status is ${textOf(status)}, with ${of} completed`;
    }
    this.#metrics = Array.isArray(scores)
      ? scores.filter(isObject).flatMap((score) => metricsOf(score, headline, choice))
      : [];
  }

  /** A sample of one epoch with the score that is the reward. */
  add(sample: string, score: number): void {
    const id = this.#ids.of(sample);
    this.#sums[id] = (this.#sums[id] ?? 0) + score;
    this.#counts[id] = (this.#counts[id] ?? 0) + 1;
  }

  list(): ToolHeadline[] {
    const ofSamples = new ItemMean();
    for (const [id, sum] of this.#sums.entries()) ofSamples.add(sum / this.#counts[id]!);
    return this.#metrics.flatMap(({ name, value, stderr, scored, unscored, reducer, isMean, isReward }) => {
      const isPlain = reducer === "" || reducer === "mean";
      const isOurs = isMean && isReward;
      const headline = toolHeadline({
        name,
        how: `over samples that were scored, the epochs of a sample reduced by their ${isPlain ? "mean" : reducer} first`,
        written: value,
        fromItems: isOurs && isPlain ? ofSamples.mean : null,
        rule: isOurs ? { ...MEAN_REWARD, mean: "tasks", reducer: isPlain ? null : reducer } : null,
        stderr,
        n: scored,
        of: scored === null || unscored === null ? null : scored + unscored,
        unfinished: this.#unfinished,
      });
      return headline === null ? [] : [headline];
    });
  }
}

/** The metric that the log itself calls its headline; else the mean of a scorer, or its first metric without one. */
function metricsOf(
  { name, scorer, reducer, metrics, scored_samples: scored, unscored_samples: unscored }: SourceObject,
  headline: unknown,
  choice: InspectChoice | null,
) {
  const pairs = Object.entries(isObject(metrics) ? metrics : {}).flatMap(([key, metric]): [string, number][] => {
    const value = labelOf(isObject(metric) ? metric.value : metric);
    return value === null ? [] : [[key, value]];
  });
  const stderr = pairs.find(([key]) => key === "stderr")?.[1] ?? null;
  const isHeadline = isObject(headline) && headline.score === name && headline.scorer === scorer;
  const found =
    pairs.find(([key]) => isHeadline && headline.metric === key) ??
    pairs.find(([key]) => MEANS.has(key)) ??
    pairs.find(([key]) => !/^(stderr|std|var)$/.test(key));
  if (found === undefined) return [];
  const [metric, value] = found;
  const by = textOf(scorer) || textOf(name);
  const part = textOf(name);
  const reduced = textOf(reducer);
  const of = part === by || part === "" ? by : `${by}.${part}`;
  const how = reduced === "" || reduced === "mean" ? "" : `, ${reduced}`;
  const logged: LoggedMetric = {
    ...{
      name: `${metric} (${of}${how})`,
      value,
      stderr,
      scored: labelOf(scored),
      unscored: labelOf(unscored),
      reducer: reduced,
    },
    ...{ isMean: MEANS.has(metric), isReward: of === choice?.marker },
  };
  return [logged];
}
