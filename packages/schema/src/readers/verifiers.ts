import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Message, Row, Sampling, ToolSchema } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import { isMessages, lineageOf } from "./chat-row.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { namedMetric, numbersOf } from "./metrics.ts";
import { answerRow } from "./preference-rows.ts";
import { present } from "./present.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import { ItemMean, MEAN_REWARD, type ToolHeadline, toolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * Results of verifiers: a line a rollout in `results.jsonl`, and `metadata.json` beside it with the environment, the
 * model and the sampling. The reward is a weighted sum that need not lie between 0 and 1; `rewardKey` takes one of
 * the metrics instead. Every metric is a marker.
 *
 * Rollouts that ended in an error carry a reward in the file; here they are ungraded.
 */
export const verifiers: Format = {
  name: "verifiers",
  title: "verifiers results",
  asksAlike: true,
  tolerateTail: true,
  // Before there was example_id, lines had id and the milliseconds.
  detect: (record) =>
    "completion" in record && "reward" in record && ("example_id" in record || "generation_ms" in record),
  open: (context) => new VerifiersReader(context),
};

class VerifiersReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #run: SourceObject;
  readonly #env: string;
  readonly #tally = new TrialTally();
  readonly #rewards = new ItemMean();

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#run = context.beside() ?? {};
    const { env_id: env, tools, ...rest } = this.#run;
    this.#env = typeof env === "string" && env !== "" ? env : (context.options.env ?? "verifiers");
    if (this.#env === "verifiers") {
      context.warn(
        "unknown_env",
        "No metadata.json names the environment, and environments share example numbers. Pass env to keep them apart.",
      );
    }
    if (Object.keys(this.#run).length > 0) {
      context.addMeta({
        verifiers: { env_id: env, ...rest },
        ...(Array.isArray(tools) ? { tools: schemas(tools) } : {}),
      });
    }
  }

  read(record: SourceObject): readonly Row[] {
    const { prompt, completion, error, answer, info, tool_defs: tools, ...told } = record;
    const { reward, metrics: _, error_chain: __, long_error_chain: ___, ...more } = told;
    const example = record.example_id ?? record.id;
    const scenario = `${this.#env}/${textOf(example)}`;
    const index = this.#context.nextIndex(scenario);
    const { markers, rest } = metricsOf(more, record.metrics);
    const asked = sideOf(prompt, "prompt");
    const row: Row = {
      scenario_id: scenario,
      rollout_id: shortHash("verifiers", JSON.stringify(this.#run), scenario, index, JSON.stringify(record)),
      rollout_index: index,
      ...answerRow(asked, answerTo(asked, sideOf(completion, "completion")), "verifiers", this.#context),
      lineage: lineageOf("verifiers", this.#context, "eval"),
    };
    if (Array.isArray(tools)) row.tools = schemas(tools);
    const given = labelOf(reward);
    if (given !== null) this.#rewards.add(given);
    const hasError = error !== undefined && error !== null;
    if (hasError) {
      if (!this.#tally.lose(this.#context, given)) return [];
      const chains = { error_chain: record.error_chain, long_error_chain: record.long_error_chain };
      Object.assign(row, {
        reward: null,
        judge_status: "error",
        judge_name: "verifiers",
        judge_meta: { ...(isObject(error) ? error : { error }), ...present(chains), reward_counted: reward },
      });
    } else {
      Object.assign(row, this.#verdict(reward, markers));
    }
    if (Object.keys(markers).length > 0) row.markers = markers;
    const privileged = present({ reference: answer === undefined ? undefined : textOf(answer), hidden_state: info });
    if (Object.keys(privileged).length > 0) row.privileged = privileged;
    Object.assign(row, this.#conditions(record));
    row.verifiers = rest;
    return [row];
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an error", tool: "verifiers", counts: "the reward of the file for each" });
  }

  headlines(): ToolHeadline[] {
    const { avg_reward: written, num_examples: examples, rollouts_per_example: rollouts } = this.#run;
    const planned =
      labelOf(examples) === null || labelOf(rollouts) === null ? null : Number(examples) * Number(rollouts);
    const headline = toolHeadline({
      name: "avg_reward",
      how: "the mean reward of all rollouts, those that ended in an error with the reward that the file has for them",
      written: labelOf(written),
      fromItems: this.#rewards.mean,
      rule: this.#context.options.rewardKey === undefined ? { ...MEAN_REWARD, lost: "counted" } : null,
      of: planned !== null && planned > 0 ? planned : null,
    });
    const { avg_metrics: averages } = this.#run;
    const { rewardKey = [] } = this.#context.options;
    const metrics = Object.entries(isObject(averages) ? numbersOf(averages) : {}).flatMap(([name, average]) => {
      const metric = toolHeadline({
        name: `avg_metrics.${name}`,
        how: "the mean of the metric over all rollouts",
        written: average,
        rule: [rewardKey].flat().join() === name ? MEAN_REWARD : null,
      });
      return metric === null ? [] : [metric];
    });
    return [...(headline === null ? [] : [headline]), ...metrics];
  }

  #verdict(reward: unknown, markers: Record<string, number>): Partial<Row> {
    const { options } = this.#context;
    const isAsked = options.rewardKey !== undefined;
    const metric = isAsked ? namedMetric(markers, options) : null;
    const score = metric === null ? (isAsked ? null : labelOf(reward)) : markers[metric]!;
    const judge = { judge_name: metric ?? "verifiers" };
    const kept = isAsked ? { file_reward: reward } : {};
    if (score === null) {
      this.#tally.add(null);
      return { reward: null, ...judge, judge_meta: kept };
    }
    const verdict = scored(score, options);
    if (verdict.judge_status !== undefined) {
      const { pass_threshold: bar } = this.#run;
      const hint = typeof bar === "number" ? ` The run itself counts ${bar} and above as a pass.` : "";
      this.#context.warn("reward_out_of_range", outOfRangeWarning(score) + hint);
    }
    this.#tally.add(verdict.reward);
    return { ...verdict, ...judge, judge_meta: { ...kept, ...verdict.judge_meta } };
  }

  /** The model, the sampling, what it cost and how it ended. */
  #conditions({ token_usage: usage, is_truncated: truncated }: SourceObject): Partial<Row> {
    const { model, sampling_args: sampling } = this.#run;
    return {
      ...(typeof model === "string" ? { model_version: model } : {}),
      ...(isObject(sampling) ? { sampling: sampling as Sampling } : {}),
      ...(isObject(usage) ? { usage } : {}),
      ...(typeof truncated === "boolean" ? { truncated } : {}),
      ...(truncated === true ? { finish_reason: "length" } : {}),
    };
  }
}

/** Keys of a line that are no metric, whatever number they hold. */
const OWN_KEYS: readonly string[] = ["example_id", "id", "generation_ms", "scoring_ms", "total_ms"];

/** The metrics, which stand twice in newer files and only among the other keys in older ones. */
function metricsOf(more: SourceObject, given: unknown): { markers: Record<string, number>; rest: SourceObject } {
  const { token_usage: _, is_truncated: __, ...keys } = more;
  if (isObject(given)) {
    const rest = Object.entries(keys).filter(([key, value]) => !Object.hasOwn(given, key) || given[key] !== value);
    const others = Object.entries(given).filter(([, value]) => labelOf(value) === null);
    const metrics = others.length > 0 ? [["metrics", Object.fromEntries(others)] as const] : [];
    return { markers: numbersOf(given), rest: Object.fromEntries([...rest, ...metrics]) };
  }
  const isMetric = (key: string, value: unknown) => typeof value === "number" && !OWN_KEYS.includes(key);
  const entries = Object.entries(keys);
  return {
    markers: numbersOf(Object.fromEntries(entries.filter(([key, value]) => isMetric(key, value)))),
    rest: Object.fromEntries(entries.filter(([key, value]) => !isMetric(key, value))),
  };
}

/** A rollout that failed early has no conversation. */
function sideOf(side: unknown, name: string): string | readonly Message[] {
  if (side === null || side === undefined) return [];
  if (typeof side === "string" || isMessages(side) || (Array.isArray(side) && side.length === 0)) return side;
  throw new SchemaError(
    "bad_value",
    `${name} is neither a text nor a list of messages.`,
    "Write [{role, content}, …].",
  );
}

/** The completion without the prompt, which some environments repeat at its head. */
function answerTo(asked: string | readonly Message[], completion: string | readonly Message[]): typeof completion {
  if (typeof asked === "string" || typeof completion === "string" || asked.length > completion.length)
    return completion;
  const isRepeated = asked.every(({ role, content }, i) => {
    const again = completion[i]!;
    return role === again.role && textOf(content) === textOf(again.content);
  });
  return isRepeated ? completion.slice(asked.length) : completion;
}

/** Tools as function schemas, whether they are nested or flat. */
export function schemas(tools: readonly unknown[]): ToolSchema[] {
  return tools.filter(isObject).map((tool) => (isObject(tool.function) ? tool : { type: "function", function: tool }));
}
