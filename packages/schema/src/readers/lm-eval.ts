import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row, Sampling } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { chosenContinuation, type LmEvalRequest } from "./lm-eval-choices.ts";
import { LmEvalHeadlines } from "./lm-eval-headlines.ts";
import { namedMetric, numbersOf } from "./metrics.ts";
import { chatInText, promptedRow } from "./prompted-row.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import type { ToolHeadline } from "./tool-headline.ts";

/** The metrics that are a verdict on one answer, the first there is is the reward. */
const METRICS: readonly string[] = ["exact_match", "acc", "pass@1", "acc_norm", "em", "f1"];

/** Those that may be a list with a verdict for each answer; a list under `f1` is the target and the answer. */
const PER_ANSWER: ReadonlySet<string> = new Set(METRICS.filter((name) => name !== "f1"));

/** The filter of a task that has none, and so the only one of its file. */
const NO_FILTER = "none";

/** Keys of a line that are no metric. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  ...["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"],
  ...["doc_hash", "prompt_hash", "target_hash"],
]);

/**
 * Samples of lm-evaluation-harness: `samples_<task>_<date>.jsonl`, with `results_<date>.json` beside it. A line is a
 * question, its requests and what every metric makes of the answer.
 *
 * A question stands in the file once for each filter that the answers went through, so of several filters one has to be
 * named. Of several metrics the first of `exact_match, acc, pass@1, acc_norm, em, f1` is the reward, or the one that
 * `rewardKey` names; all are markers.
 */
export const lmEval: Format = {
  name: "lm-eval",
  title: "samples of lm-evaluation-harness",
  asksAlike: true,
  detect: (record) => "doc_id" in record && "filtered_resps" in record,
  open: (context) => new LmEvalReader(context),
};

class LmEvalReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #task: string;
  readonly #conditions: Partial<Row>;
  readonly #filters = new Set<string>();
  readonly #headlines: LmEvalHeadlines;

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#task = context.options.env ?? taskOf(context.file) ?? "lm-eval";
    if (this.#task === "lm-eval") {
      context.warn(
        "unknown_env",
        "The file's name has no task, and tasks share question numbers. Pass env to keep them apart.",
      );
    }
    const run = context.beside();
    this.#conditions = run === null ? {} : conditionsOf(run);
    if (run !== null) context.addMeta({ lm_eval: run });
    this.#headlines = new LmEvalHeadlines(run, this.#task);
  }

  read(record: SourceObject): readonly Row[] {
    const filter = typeof record.filter === "string" ? record.filter : NO_FILTER;
    this.#filters.add(filter);
    const { filter: wanted } = this.#context.options;
    if (wanted !== undefined && filter !== wanted && filter !== NO_FILTER) {
      this.#context.skip("other_filter");
      return [];
    }
    // Which others there are is known at the end of the file, and said there.
    if (wanted === undefined && this.#filters.size > 1) return [];
    return repeatsOf(record).map((repeat) => this.#row(repeat, filter));
  }

  #row(record: SourceObject, filter: string): Row {
    const { doc_id: doc, filter: given, ...rest } = record;
    const scenario = `${this.#task}/${textOf(doc)}`;
    const index = this.#context.nextIndex(scenario);
    const { told, left } = this.#told(rest);
    const row: Row = {
      scenario_id: scenario,
      rollout_id: shortHash("lm-eval", this.#context.file ?? "", scenario, index, JSON.stringify(record)),
      rollout_index: index,
      ...told,
      ...this.#conditions,
      ...this.#verdict(rest, filter),
    };
    row.privileged = privilegedOf(rest, left);
    row.lm_eval = { doc_id: doc, ...(given === undefined ? {} : { filter: given }), ...left.open };
    return row;
  }

  /** @throws SchemaError `bad_option` when the file has several filters, or not the one that was named */
  end(): void {
    const { filter: wanted } = this.#context.options;
    const filters = [...this.#filters];
    if (wanted === undefined ? filters.length < 2 : filters.some((name) => name === wanted || name === NO_FILTER))
      return;
    throw new SchemaError(
      "bad_option",
      wanted === undefined
        ? `Every question stands in the samples ${filters.length} times, once for each filter of the answers.`
        : `No sample went through a filter ${wanted}.`,
      `Pass filter as one of ${filters.join(", ")}.`,
      { place: this.#context.file === null ? {} : { file: this.#context.file } },
    );
  }

  headlines(): ToolHeadline[] {
    return this.#headlines.list();
  }

  #verdict(record: SourceObject, filter: string): Partial<Row> {
    const { options } = this.#context;
    const metrics = metricsOf(record);
    const names = Object.keys(metrics);
    const metric = options.rewardKey === undefined ? this.#defaultMetric(names) : namedMetric(metrics, options);
    const others = names.filter((name) => name !== metric);
    if (metric !== null && others.length > 0 && options.rewardKey === undefined) {
      this.#context.warn(
        "metric_chosen",
        `The reward is ${metric}; the samples also have ${others.join(", ")}. Pass rewardKey to take another.`,
      );
    }
    const markers = names.length > 0 ? { markers: metrics } : {};
    if (metric === null) {
      const { metrics: listed } = record;
      const unread = Array.isArray(listed) && listed.length > 0 ? listed.map(textOf).join(", ") : null;
      if (unread !== null && names.length === 0) {
        this.#context.warn(
          "unread_metrics",
          `${unread} is no number of a sample but made of all of them together, so the samples have no reward.`,
        );
      }
      return { reward: null, ...markers };
    }
    const score = metrics[metric]!;
    this.#headlines.add(metric, filter, score);
    const verdict = scored(score, options);
    if (verdict.judge_status !== undefined) this.#context.warn("reward_out_of_range", outOfRangeWarning(score));
    return {
      ...verdict,
      judge_name: metric,
      judge_meta: { scorer_kind: "rule", filter, ...verdict.judge_meta },
      ...markers,
    };
  }

  /** @throws SchemaError `bad_option` when there are several and none of the known ones */
  #defaultMetric(names: readonly string[]): string | null {
    const known = METRICS.find((name) => names.includes(name));
    if (known !== undefined || names.length < 2) return known ?? names[0] ?? null;
    throw new SchemaError(
      "bad_option",
      `The samples have ${names.length} metrics, and none that is known to be a verdict.`,
      `Pass rewardKey as one of ${names.join(", ")}.`,
    );
  }

  /** What was asked and answered, and what of the line is not told by that. */
  #told(record: SourceObject): { told: Partial<Row>; left: Left } {
    const { arguments: args, resps, filtered_resps: filtered } = record;
    const requests = requestsOf(args);
    const hashes = { doc_hash: record.doc_hash, prompt_hash: record.prompt_hash, target_hash: record.target_hash };
    const open: SourceObject = { ...hashes, resps, filtered_resps: filtered, metrics: record.metrics };
    const [first] = requests;
    if (first === undefined)
      return { told: answered("", filtered, this.#context), left: { open: { ...open, arguments: args } } };
    if (requests.length === 1 && typeof first.second !== "string") {
      const sampling = isObject(first.second) ? { sampling: samplingOf(first.second) } : {};
      const nRepeats = Array.isArray(resps) && Array.isArray(resps[0]) ? resps[0].length : 1;
      const isOneOfMany = nRepeats > 1 && Array.isArray(filtered) && Array.isArray(filtered[0]);
      if (isOneOfMany) {
        this.#context.warn(
          "repeats_in_one_row",
          `Questions were answered ${nRepeats} times under one verdict: a row has the first answer, lm_eval.resps all.`,
        );
      }
      return { told: { ...answered(first.context, filtered, this.#context), ...sampling }, left: { open } };
    }
    if (requests.length === 1) {
      // How likely the right answer is: nothing was said, and the continuation is the answer.
      const told = answered(first.context, [], this.#context);
      return { told, left: { open, secret: { arguments: args } } };
    }
    const { prompt, answer } = chosenContinuation(requests, filtered);
    return { told: answered(prompt, [answer], this.#context), left: { open: { ...open, arguments: args } } };
  }
}

/** A line as often as its question was answered, where each answer has a verdict of its own. */
function repeatsOf(record: SourceObject): readonly SourceObject[] {
  const { filtered_resps: filtered } = record;
  const answers: unknown = Array.isArray(filtered) && filtered.length === 1 ? filtered[0] : null;
  if (!Array.isArray(answers) || answers.length < 2 || !answers.every((answer) => typeof answer === "string")) {
    return [record];
  }
  const isPerAnswer = ([key, value]: [string, unknown]) =>
    PER_ANSWER.has(key) && Array.isArray(value) && value.length === answers.length;
  const metrics = Object.entries(record).filter(isPerAnswer) as [string, unknown[]][];
  if (metrics.length === 0) return [record];
  return answers.map((answer, i) => ({
    ...record,
    ...Object.fromEntries(metrics.map(([key, values]) => [key, values[i]])),
    filtered_resps: [answer],
  }));
}

/** Parts of a line that a row has no field for. */
interface Left {
  open: SourceObject;
  secret?: SourceObject;
}

/** `{gen_args_0: {arg_0, arg_1}, …}`, or lists of lists in older files. */
function requestsOf(args: unknown): LmEvalRequest[] {
  const list = isObject(args) ? Object.values(args) : Array.isArray(args) ? args : [];
  return list.flatMap((request): LmEvalRequest[] => {
    const [context, second] = isObject(request)
      ? [request.arg_0, request.arg_1]
      : Array.isArray(request)
        ? request
        : [];
    // A chat that was templated stands in a list of its own.
    const inner = Array.isArray(context) && context.length === 1 ? context[0] : context;
    return inner === undefined ? [] : [{ context: textOf(inner), second }];
  });
}

function answered(context: string, filtered: unknown, from: ReaderContext): Partial<Row> {
  const [first] = Array.isArray(filtered) ? filtered : [filtered];
  const answer = textOf(Array.isArray(first) && first.length === 1 ? first[0] : first);
  return promptedRow(chatInText(context) ?? context, answer, "lm-eval", from);
}

/** The metrics of a line: those that newer files list, and every other number in older ones. */
function metricsOf(record: SourceObject): Record<string, number> {
  const { metrics: listed } = record;
  const isMetric = Array.isArray(listed) ? (key: string) => listed.includes(key) : (key: string) => !OWN_KEYS.has(key);
  return numbersOf(Object.fromEntries(Object.entries(record).filter(([key]) => isMetric(key))));
}

function privilegedOf(record: SourceObject, { open, secret }: Left): SourceObject {
  const { doc, target } = record;
  const metrics = metricsOf(record);
  const seen = new Set([...OWN_KEYS, ...Object.keys(metrics), ...Object.keys(open)]);
  // A metric that is no number may be what it is computed from, gold labels among it.
  const rest = Object.entries(record).filter(([key]) => !seen.has(key));
  const privileged: SourceObject = {};
  if (target !== undefined) privileged.reference = textOf(target);
  if (doc !== undefined) privileged.hidden_state = { doc, ...secret };
  else if (secret !== undefined) privileged.hidden_state = secret;
  if (rest.length > 0) privileged.rubric = Object.fromEntries(rest);
  return privileged;
}

function samplingOf({ max_gen_toks: maxTokens, ...settings }: SourceObject): Sampling {
  return { ...settings, ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) } as Sampling;
}

/** The model of the results file beside the samples. */
function conditionsOf({ model_name: name, config }: SourceObject): Partial<Row> {
  const model = typeof name === "string" && name !== "" ? name : isObject(config) ? config.model : undefined;
  return typeof model === "string" ? { model_version: model } : {};
}

function taskOf(file: string | null): string | null {
  return /^samples_(.+)_\d{4}-\d\d-\d\dT[\d.-]+\.jsonl/.exec(file ?? "")?.[1] ?? null;
}
