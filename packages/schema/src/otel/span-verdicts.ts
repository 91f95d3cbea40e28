import type { ReaderContext } from "../readers/format.ts";
import { agreedScores } from "../readers/score-choice.ts";
import { outOfRangeWarning, scored } from "../readers/scored.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import type { Span } from "./span.ts";

/** The attribute that is the reward when no other is named. */
export const REWARD_KEYS: readonly string[] = ["whileai.reward"];

/** Scores that runs are sent with, each beside the bar that it has to reach. */
const SCORES = ["zeroproof.score", "whileai.score"];

const EVALUATION = "gen_ai.evaluation.result";

/** A score that an evaluation gave, as an event of a span. */
interface Evaluation {
  name: string;
  value: number | null;
  label: string;
  explanation: string;
}

/**
 * The verdicts in spans. The reward is an attribute that `rewardKey` names, or an evaluation of that name; else the
 * score that a run was sent with, against its bar. Every evaluation that is a number is a marker, and none is the reward
 * without being named.
 */
export class SpanVerdicts {
  readonly #context: ReaderContext;
  readonly #keys: readonly string[];
  readonly #isNamed: boolean;
  readonly #evaluations = new Set<string>();
  #isFound = false;

  constructor(context: ReaderContext) {
    this.#context = context;
    const { rewardKey } = context.options;
    this.#isNamed = rewardKey !== undefined;
    this.#keys = rewardKey === undefined ? REWARD_KEYS : typeof rewardKey === "string" ? [rewardKey] : rewardKey;
  }

  /** What the spans of one conversation were judged. */
  of(spans: readonly Span[]): Partial<Row> {
    const given = spans.flatMap(evaluationsOf);
    for (const { name } of given) this.#evaluations.add(name);
    const scores = agreedScores(given, this.#context);
    const verdict = this.#reward(spans, scores) ?? sentScore(spans) ?? { reward: null };
    const markers = [...scores].filter(([, score]) => score !== null);
    const chosen = given.find(({ name }) => name === verdict.judge_name);
    // What a marker cannot hold.
    const words = given.filter(({ value, label, explanation }) => value === null || label !== "" || explanation !== "");
    const meta = { ...verdict.judge_meta, ...(words.length === 0 ? {} : { evaluations: words }) };
    return {
      ...verdict,
      ...(markers.length > 0 ? { markers: Object.fromEntries(markers) } : {}),
      ...(chosen === undefined || chosen.explanation === "" ? {} : { reason: chosen.explanation }),
      ...(Object.keys(meta).length > 0 ? { judge_meta: meta } : {}),
    };
  }

  /** @throws SchemaError `bad_option` when the spans were evaluated and nothing has the name that was given */
  end(): void {
    if (!this.#isNamed || this.#isFound || this.#evaluations.size === 0) return;
    throw new SchemaError(
      "bad_option",
      `No span has an attribute or an evaluation ${this.#keys.join(" or ")}.`,
      `Pass rewardKey as one of ${[...this.#evaluations].sort().join(", ")}, or as the name of an attribute.`,
    );
  }

  /** null where no span has one of the keys. */
  #reward(spans: readonly Span[], scores: ReadonlyMap<string, number | null>): Partial<Row> | null {
    for (const key of this.#keys) {
      const values = spans.map(({ attributes }) => numberIn(attributes.first([key]))).filter((value) => value !== null);
      const evaluated = scores.get(key) ?? null;
      if (values.length === 0 && scores.has(key)) this.#isFound = true;
      if (values.length === 0 && evaluated === null) continue;
      this.#isFound = true;
      if (new Set(values).size > 1) {
        this.#context.warn(
          "rewards_differ",
          `Spans of one conversation have different ${key} (${[...new Set(values)].join(", ")}); the first is its reward.`,
        );
      }
      const options = this.#context.options;
      const verdicts = (values.length > 0 ? values : [evaluated!]).map((value) => ({
        value,
        ...scored(value, options),
      }));
      const { value, ...verdict } = verdicts.find(({ reward }) => reward !== null) ?? verdicts[0]!;
      if (verdict.reward === null) this.#context.warn("reward_out_of_range", outOfRangeWarning(value));
      return values.length > 0 ? verdict : { ...verdict, judge_name: key };
    }
    return null;
  }
}

/** The score of a run that was sent as a span; null without one, or without its bar. */
function sentScore(spans: readonly Span[]): Partial<Row> | null {
  for (const { attributes } of spans) {
    for (const key of SCORES) {
      const score = numberIn(attributes.first([key]));
      const bar = numberIn(attributes.first([`${key}.pass_at`]));
      if (score !== null && bar !== null) return { ...scored(score, { threshold: bar }) };
    }
  }
  return null;
}

function evaluationsOf({ events, attributes }: Span): Evaluation[] {
  const homes = events.filter(({ name }) => name === EVALUATION).map((event) => event.attributes);
  return [attributes, ...homes].flatMap((home) => {
    const name = textOf(home.first(["gen_ai.evaluation.name"]));
    if (name === "") return [];
    return [
      {
        name,
        value: numberIn(home.first(["gen_ai.evaluation.score.value"])),
        label: textOf(home.first(["gen_ai.evaluation.score.label"])),
        explanation: textOf(home.first(["gen_ai.evaluation.explanation"])),
      },
    ];
  });
}

/** Truth values are 1 and 0; null for what is no number. */
function numberIn(value: unknown): number | null {
  if (typeof value === "boolean") return value ? 1 : 0;
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
