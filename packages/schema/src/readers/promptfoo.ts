import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { Items } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { namedMetric, numbersOf } from "./metrics.ts";
import { present } from "./present.ts";
import { chatInText, promptedRow } from "./prompted-row.ts";
import { brokenGrader, gradingOf } from "./promptfoo-grading.ts";
import { PromptfooHeadlines } from "./promptfoo-headlines.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/** promptfoo's word for a result whose call or whose grader failed. */
const FAILED_WITH_ERROR = 2;

/**
 * Results of promptfoo, as one JSON document or a result a line. A task is a set of variables: repeats and the same
 * question to another model share it. Models are told apart by `model_version`, and prompts by `policy_version`.
 *
 * The reward is whether the result passed, or with `rewardKey` its `score` or one of its named scores, which are
 * markers. A call that failed and a grader that failed are ungraded.
 */
export const promptfoo: Format = {
  name: "promptfoo",
  title: "promptfoo results",
  detect: (record) => resultsOf(record) !== null || isResult(record),
  open: (context) => new PromptfooReader(context),
};

function isResult(value: unknown): boolean {
  return (
    isObject(value) && "promptIdx" in value && "testIdx" in value && ("namedScores" in value || "success" in value)
  );
}

/** The results in a document, which may be the summary alone. */
function resultsOf({ results }: SourceObject): readonly unknown[] | null {
  const list = isObject(results) ? results.results : results;
  return Array.isArray(list) && (isObject(results) || list.some(isResult)) ? list : null;
}

class PromptfooReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #tally = new TrialTally();
  readonly #headlines = new PromptfooHeadlines();
  readonly #arms = new Set<string>();
  /** Results of a task by an arm, and how many of them were answered from the cache. */
  readonly #draws = new Map<string, { n: number; cached: number }>();

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read(record: SourceObject): readonly Row[] {
    const results = resultsOf(record);
    return results === null ? this.#rows(record) : [...this.readItems(record, results)].flat();
  }

  *readItems(record: SourceObject, items: Items): Generator<readonly Row[]> {
    this.#context.addMeta({ promptfoo: aboutRun(record) });
    this.#headlines.open(record);
    let index = -1;
    for (const result of items) {
      index++;
      try {
        if (!isObject(result)) throw new SchemaError("bad_value", "It is not an object.", "Export the results again.");
        yield this.#rows(result);
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`results[${index}]: ${error.what}`, error.fix);
      }
    }
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an error", tool: "promptfoo", counts: "0 for each" });
    if (this.#arms.size > 1) {
      this.#context.warn(
        "several_arms",
        `The results are of ${this.#arms.size} pairs of a model and a prompt, and a rate over all rows pools them: ` +
          "tell them apart by model_version and policy_version.",
      );
    }
    const repeated = [...this.#draws.values()].filter(({ n, cached }) => n > 1 && cached > 0).length;
    if (repeated > 0) {
      this.#context.warn(
        "cached_repeats",
        `${repeated === 1 ? "1 task was" : `${repeated} tasks were`} answered several times, some of them from the ` +
          "cache: such repeats are one draw. Run promptfoo with --no-cache for others.",
      );
    }
  }

  headlines(): ToolHeadline[] {
    return this.#headlines.list(this.#context.options);
  }

  #rows(result: SourceObject): readonly Row[] {
    const { id, prompt, vars, provider, promptId, response, ...more } = result;
    const { error, failureReason, success, score, namedScores, gradingResult, testCase, ...rest } = more;
    const raw = isObject(prompt) ? prompt.raw : prompt;
    if (raw === undefined) {
      throw new SchemaError("bad_value", "The result has no prompt.", "Export the results of promptfoo again.");
    }
    this.#headlines.add(success);
    const { output, tokenUsage, finishReason, ...told } = isObject(response) ? response : {};
    const scenario = `promptfoo/${shortHash(pyJson(vars ?? {}, { sortKeys: true }))}`;
    const model = isObject(provider) ? textOf(provider.label) || textOf(provider.id) : textOf(provider);
    const policy = `${isObject(provider) ? textOf(provider.id) : model}@${textOf(promptId ?? result.promptIdx)}`;
    this.#see(scenario, policy, told.cached === true);
    // Repeats of an arm are numbered, whichever other arms answered between them.
    const index = this.#context.nextIndex(`${scenario} ${policy}`);
    const text = textOf(raw);
    const row: Row = {
      scenario_id: scenario,
      rollout_id:
        textOf(id) || shortHash("promptfoo", this.#context.file ?? "", scenario, policy, index, pyJson(result)),
      rollout_index: index,
      ...promptedRow(chatInText(text) ?? text, textOf(output), "promptfoo", this.#context),
      ...(model === "" ? {} : { model_version: model }),
      policy_version: policy,
    };
    if (typeof finishReason === "string") row.finish_reason = finishReason;
    if (isObject(tokenUsage)) row.usage = usageOf(tokenUsage);
    const grading = gradingOf(gradingResult);
    const named = isObject(namedScores) ? numbersOf(namedScores) : {};
    if (Object.keys(named).length > 0) row.markers = named;
    const isBroken = brokenGrader(gradingResult);
    const isLost =
      failureReason === FAILED_WITH_ERROR ||
      isBroken ||
      // Before there were reasons, an error without a grading.
      (failureReason === undefined && textOf(error) !== "" && !isObject(gradingResult));
    if (isLost && !this.#tally.lose(this.#context, 0)) return [];
    Object.assign(row, isLost ? { reward: null, judge_status: "error" } : this.#verdict(success, score, named));
    row.judge_name ??= "promptfoo";
    if (grading.reason !== "") row.reason = grading.reason;
    const found = { success, score, error, failureReason, ...(isBroken ? { broken_grader: true } : {}) };
    row.judge_meta = { ...present(found), ...grading.open, ...row.judge_meta };
    const { shown, hidden } = varsApart(vars, text);
    row.privileged = privilegedOf(hidden, testCase, vars, grading.secret);
    row.promptfoo = {
      ...present({ promptId, provider, vars: shown }),
      ...(isObject(prompt) ? { prompt: without(prompt, "raw") } : {}),
      ...(Object.keys(told).length > 0 ? { response: told } : {}),
      ...(typeof output === "object" && output !== null ? { output } : {}),
      ...rest,
    };
    return [row];
  }

  #see(scenario: string, policy: string, cached: boolean): void {
    this.#arms.add(policy);
    const key = `${scenario} ${policy}`;
    const draws = this.#draws.get(key) ?? { n: 0, cached: 0 };
    draws.n++;
    if (cached) draws.cached++;
    this.#draws.set(key, draws);
  }

  #verdict(success: unknown, score: unknown, named: Record<string, number>): Partial<Row> {
    const { options } = this.#context;
    if (options.rewardKey === undefined) {
      const reward = labelOf(success);
      this.#tally.add(reward);
      return { reward };
    }
    const metrics = { ...named, ...numbersOf({ success, score }) };
    const metric = namedMetric(metrics, options);
    if (metric === null) {
      this.#tally.add(null);
      return { reward: null };
    }
    const verdict = scored(metrics[metric]!, options);
    if (verdict.judge_status !== undefined) {
      this.#context.warn("reward_out_of_range", outOfRangeWarning(metrics[metric]!));
    }
    this.#tally.add(verdict.reward);
    return { ...verdict, judge_name: `promptfoo/${metric}` };
  }
}

/** The document without its results; `config` may hold keys, and tests that rows have, and `table` is them once more. */
function aboutRun({ results, config: _, ...about }: SourceObject): SourceObject {
  if (!isObject(results)) return about;
  const { results: __, table: ___, ...summary } = results;
  return { ...about, ...summary };
}

/** The variables that the prompt shows, apart from those that only a grader sees. */
function varsApart(vars: unknown, prompt: string): { shown?: SourceObject; hidden?: SourceObject } {
  if (!isObject(vars)) return {};
  const isShown = ([, value]: [string, unknown]) => textOf(value) !== "" && prompt.includes(textOf(value));
  const entries = Object.entries(vars);
  return {
    shown: Object.fromEntries(entries.filter(isShown)),
    hidden: Object.fromEntries(entries.filter((entry) => !isShown(entry))),
  };
}

function privilegedOf(hidden: SourceObject | undefined, test: unknown, vars: unknown, secret: unknown[]): SourceObject {
  const rubric: SourceObject = {};
  if (isObject(test)) {
    const isSame = pyJson(test.vars ?? {}, { sortKeys: true }) === pyJson(vars ?? {}, { sortKeys: true });
    rubric.test_case = isSame ? without(test, "vars") : test;
  }
  if (secret.length > 0) rubric.assertions = secret;
  const privileged: SourceObject = {};
  if (hidden !== undefined && Object.keys(hidden).length > 0) privileged.hidden_state = { vars: hidden };
  if (Object.keys(rubric).length > 0) privileged.rubric = rubric;
  return privileged;
}

function usageOf({ prompt, completion, ...rest }: SourceObject): SourceObject {
  return { ...present({ input_tokens: prompt, output_tokens: completion }), ...rest };
}

function without(object: SourceObject, key: string): SourceObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
