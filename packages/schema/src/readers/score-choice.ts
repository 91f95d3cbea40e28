import { isObject } from "../is-object.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import type { ReaderContext } from "./format.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import { ItemMean, MEAN_REWARD, type ToolHeadline, toolHeadline } from "./tool-headline.ts";

/**
 * Which of a file's scores is the reward. Where all rows have the one score, that; where there are several, none is
 * taken without being named: `rewardKey`.
 */
export class ScoreChoice {
  readonly #context: ReaderContext;
  readonly #wanted: readonly string[];
  readonly #seen = new Map<string, ItemMean>();

  constructor(context: ReaderContext) {
    this.#context = context;
    const { rewardKey = [] } = context.options;
    this.#wanted = typeof rewardKey === "string" ? [rewardKey] : rewardKey;
  }

  /**
   * The verdict of a row; `reward: null` where it was not scored.
   *
   * @param scores By name; null for a scorer that came to no result
   * @throws SchemaError `bad_option` that lists the scores when there are several and none was named
   */
  verdict(
    scores: ReadonlyMap<string, number | null>,
  ): Pick<Row, "reward" | "judge_status" | "judge_meta" | "judge_name"> {
    for (const [name, score] of scores) {
      const mean = this.#seen.get(name) ?? new ItemMean();
      if (score !== null) mean.add(score);
      this.#seen.set(name, mean);
    }
    if (this.#wanted.length === 0 && this.#seen.size > 1) {
      throw new SchemaError(
        "bad_option",
        `The file has ${this.#seen.size} scores and does not say which is the verdict: ${this.#names()}.`,
        "Pass rewardKey with the name of one.",
      );
    }
    const names = this.#wanted.length === 0 ? [...scores.keys()] : this.#wanted;
    const name = names.find((one) => typeof scores.get(one) === "number");
    if (name === undefined) return { reward: null };
    const score = scores.get(name)!;
    const verdict = scored(score, this.#context.options);
    if (verdict.judge_status !== undefined) this.#context.warn("reward_out_of_range", outOfRangeWarning(score));
    return { ...verdict, judge_name: name };
  }

  /** @throws SchemaError `bad_option` when the file has scores and none under the name that was given */
  end(): void {
    if (this.#wanted.length === 0 || this.#seen.size === 0 || this.#wanted.some((name) => this.#seen.has(name))) return;
    throw new SchemaError(
      "bad_option",
      `There is no score ${this.#wanted.join(" or ")}.`,
      `Pass rewardKey as one of ${this.#names()}.`,
    );
  }

  /** The average of each score over the traces that have it, which is what the tools of traces show. */
  headlines(nameOf: (score: string) => string): ToolHeadline[] {
    const isChosen = (name: string) =>
      this.#wanted.length === 0 ? this.#seen.size === 1 : this.#wanted.join() === name;
    return [...this.#seen].flatMap(([name, { mean, n }]) => {
      const headline = toolHeadline({
        name: nameOf(name),
        how: "the average over the traces that have this score",
        fromItems: mean,
        rule: isChosen(name) ? { ...MEAN_REWARD, lost: "where_scored" } : null,
        n,
      });
      return headline === null ? [] : [headline];
    });
  }

  #names(): string {
    return [...this.#seen.keys()].sort().join(", ");
  }
}

/** The verdict of a trace that was lost: none, with the score that it was given all the same beside it. */
export function lostVerdict({ reward, judge_meta: meta }: Pick<Row, "reward" | "judge_meta">): Partial<Row> {
  const counted = isObject(meta) ? (meta.rating ?? reward) : reward;
  const kept = typeof counted === "number" ? { judge_meta: { ...meta, reward_counted: counted } } : {};
  return { reward: null, judge_status: "error", ...kept };
}

/** The scores of one trace by name; null for one that was given several times and differs, which is said. */
export function agreedScores(
  scores: readonly { name: string; value: number | null }[],
  context: ReaderContext,
): Map<string, number | null> {
  const named = new Map<string, number | null>();
  for (const { name, value } of scores) {
    const before = named.get(name);
    if (before !== undefined && before !== value) {
      context.warn(
        "scores_disagree",
        `A trace has the score ${name} as ${before ?? "nothing"} and ${value ?? "nothing"}: it is no verdict and no marker.`,
      );
    }
    named.set(name, before === undefined || before === value ? value : null);
  }
  return named;
}
