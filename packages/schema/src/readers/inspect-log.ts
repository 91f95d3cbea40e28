import { isObject } from "../is-object.ts";
import type { Items } from "../json/document-items.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row, Sampling } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { type InspectArchiveHead, isArchiveHead } from "./inspect-archive-head.ts";
import { InspectHeadlines } from "./inspect-headlines.ts";
import { toldSample } from "./inspect-sample.ts";
import { chosenScore, type InspectChoice, scoresOf } from "./inspect-scores.ts";
import { outOfRangeWarning, scored } from "./scored.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * A log of Inspect as JSON: one document with `eval`, `plan`, `results` and `samples`. A sample in one epoch is a rollout
 * of `<task>/<sample id>`. Targets, metadata, store and events are `privileged`. Reductions, which are the scores once
 * more and averaged, are not read.
 *
 * Of several scorers the first one listed gives the reward, which is said, or the one that `scorer` names; a scorer that
 * gives several numbers needs `scoreKey`. All numbers are markers. Samples that ended in an error are ungraded,
 * invalidated ones are left out and counted.
 */
export const inspectJson: Format = {
  name: "inspect-json",
  title: "an Inspect log",
  asksAlike: true,
  detect: ({ eval: run, status }) => isObject(run) && "task" in run && "model" in run && typeof status === "string",
  open: (context) => new InspectLogReader(context, "inspect-json"),
};

/**
 * The same log in an archive, `.eval`: what holds for the run is its head, and each sample is a record of its own, so
 * that a log of any length is read in the memory of one sample. It is known by its container.
 */
export const inspectEval: Format = {
  name: "inspect-eval",
  title: "an Inspect log (.eval)",
  asksAlike: true,
  detect: () => false,
  open: (context) => new InspectLogReader(context, "inspect-eval"),
};

/** The task of a log that holds rows of many tasks, as `writeRowsAs` writes one: its sample ids are whole task ids. */
export const WRITTEN_TASK = "while-rows";

/** What all samples of a log share. */
interface InspectRun {
  task: string;
  evalId: string;
  model: string;
  conditions: Partial<Row>;
  choice: InspectChoice | null;
}

class InspectLogReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #importer: string;
  readonly #tally = new TrialTally();
  readonly #headlines = new InspectHeadlines();
  /** Scores that are neither a number nor one of the words, and the first of them. */
  readonly #unread = { n: 0, first: "" };

  /** The run whose samples follow, each a record of its own. */
  readonly #following: InspectRun | null;

  /** @throws SchemaError `bad_option` when a scorer has to be chosen, `bad_file` for an archive without samples */
  constructor(context: ReaderContext, importer: string) {
    this.#context = context;
    this.#importer = importer;
    const [head] = context.head;
    this.#following = isArchiveHead(head) ? this.#opened(head) : null;
  }

  /** @throws SchemaError `bad_file` for a log without samples, `bad_option` when a scorer has to be chosen */
  read(record: SourceObject): readonly Row[] {
    if (this.#following !== null) return this.#rows(record, this.#following);
    const samples = record.samples ?? [];
    if (!Array.isArray(samples)) throw this.#noSamples();
    return [...this.readItems(record, samples)].flat();
  }

  *readItems({ samples: _, ...log }: SourceObject, items: Items): Generator<readonly Row[]> {
    const run = this.#opened({ log, scored: items, nSamples: items.length });
    let index = -1;
    for (const sample of items) {
      index++;
      try {
        if (!isObject(sample)) throw new SchemaError("bad_value", "It is not an object.", "Write the log again.");
        yield this.#rows(sample, run);
      } catch (error) {
        if (!(error instanceof SchemaError) || error.code !== "bad_value") throw error;
        this.#context.refuse(`samples[${index}]: ${error.what}`, error.fix);
      }
    }
  }

  end(): void {
    this.#tally.say(this.#context, { ended: "an error", tool: "Inspect", counts: null });
    const { n, first } = this.#unread;
    if (n > 0) {
      const samples = n === 1 ? "1 sample has" : `${n} samples have`;
      this.#context.warn(
        "unread_scores",
        `${samples} no reward, because the score is no number and no word for one: the first is ${first}.`,
      );
    }
  }

  headlines(): ToolHeadline[] {
    return this.#headlines.list();
  }

  #opened({ log, scored, nSamples }: InspectArchiveHead): InspectRun {
    // A run that broke off may have none yet, which its status says.
    if (nSamples === 0 && log.status === "success") throw this.#noSamples();
    const { reductions: _, ...about } = log;
    this.#context.addMeta({ inspect: about });
    this.#warnOfStatus(log, nSamples);
    const run = this.#run(log, scored);
    this.#headlines.open(log, run.choice);
    return run;
  }

  #noSamples(): SchemaError {
    return new SchemaError(
      "bad_file",
      "The log has no samples.",
      "Log them (--log-samples), or give the log of the whole run and not its header.",
    );
  }

  #warnOfStatus({ status, results, eval: run }: SourceObject, nSamples: number): void {
    const { total_samples: total, completed_samples: completed } = isObject(results) ? results : {};
    if (status === "success") {
      if (typeof total === "number" && total > nSamples) {
        this.#context.warn("samples_missing", `The log is one of ${total} samples, and holds ${nSamples} of them.`);
      }
      return;
    }
    const planned = typeof total === "number" ? total : plannedOf(run);
    const done = typeof completed === "number" ? `${completed} of` : `${nSamples} of`;
    const kept = typeof completed === "number" ? "completed" : "in its log";
    this.#context.warn(
      "run_incomplete",
      `The run's status is ${textOf(status)}, with ${done} ${planned ?? "an unknown number of"} samples ${kept}: ` +
        "a rate over those says nothing of the others.",
    );
  }

  #run(record: SourceObject, samples: Iterable<unknown>): InspectRun {
    const about = isObject(record.eval) ? record.eval : {};
    const { model, run_id: run, eval_id: id, scorers } = about;
    const task = textOf(about.task);
    const { options } = this.#context;
    const choice = chosenScore(samples, scorers, options);
    if (choice !== null && choice.others.length > 0 && options.scorer === undefined) {
      this.#context.warn(
        "scorer_chosen",
        `The reward is that of the scorer ${choice.scorer}; the log also has ${choice.others.join(", ")}. Pass scorer ` +
          "to take another.",
      );
    }
    const planned = isObject(record.plan) && isObject(record.plan.config) ? record.plan.config : {};
    const given = isObject(about.model_generate_config) ? about.model_generate_config : {};
    const sampling = { ...given, ...planned } as Sampling;
    return {
      task,
      evalId: textOf(id) || textOf(run) || task,
      model: textOf(model),
      choice,
      conditions: {
        model_version: textOf(model),
        ...(Object.keys(sampling).length > 0 ? { sampling } : {}),
      },
    };
  }

  #rows(sample: SourceObject, run: InspectRun): readonly Row[] {
    if (sample.invalidation !== undefined && sample.invalidation !== null) {
      this.#context.skip("invalidated");
      return [];
    }
    const {
      told,
      error,
      scores: given,
    } = toldSample(sample, run.model, { context: this.#context, importer: this.#importer });
    const id = textOf(sample.id);
    const scenario = run.task === WRITTEN_TASK ? id : `${run.task}/${id}`;
    const nth = this.#context.nextIndex(scenario);
    const epoch = typeof sample.epoch === "number" ? sample.epoch : nth + 1;
    const row: Row = {
      scenario_id: scenario,
      rollout_id: textOf(sample.uuid) || `${run.evalId}/${id}/${epoch}`,
      rollout_index: epoch - 1,
      ...told,
      ...run.conditions,
    };
    const scores = scoresOf(given);
    if (Object.keys(scores.markers).length > 0) row.markers = scores.markers;
    if (error !== null) {
      if (!this.#tally.lose(this.#context, null)) return [];
      const meta = { ...error, ...(isObject(given) ? { scores: given } : {}) };
      return [{ ...row, reward: null, judge_status: "error", judge_meta: meta }];
    }
    return [{ ...row, ...this.#verdict(id, given, scores.markers, run) }];
  }

  #verdict(id: string, given: unknown, markers: Record<string, number>, { choice }: InspectRun): Partial<Row> {
    if (choice === null) {
      this.#tally.add(null);
      return { reward: null, ...(isObject(given) ? { judge_meta: { scores: given } } : {}) };
    }
    const { options } = this.#context;
    const { [choice.scorer]: chosen, ...others } = isObject(given) ? given : {};
    const { explanation, ...found } = isObject(chosen) ? chosen : {};
    const judge: Partial<Row> = { judge_name: choice.scorer };
    if (typeof explanation === "string" && explanation !== "") judge.reason = explanation;
    const meta = { ...found, ...(Object.keys(others).length > 0 ? { scores: others } : {}) };
    const score = Object.hasOwn(markers, choice.marker) ? markers[choice.marker]! : null;
    if (score === null) {
      const { value } = found;
      if (value !== undefined && value !== null) {
        this.#unread.n++;
        this.#unread.first ||= pyJson(value, { ascii: false });
      }
      this.#tally.add(null);
      return { reward: null, ...judge, judge_meta: meta };
    }
    this.#headlines.add(id, score);
    const verdict = scored(score, options);
    if (verdict.judge_status !== undefined) this.#context.warn("reward_out_of_range", outOfRangeWarning(score));
    this.#tally.add(verdict.reward);
    return { ...verdict, ...judge, judge_meta: { ...meta, ...verdict.judge_meta } };
  }
}

/** Samples that a run was to have, over its epochs; null where the log does not say. A limit leaves some of the dataset. */
function plannedOf(run: unknown): number | null {
  const { dataset, config } = isObject(run) ? run : {};
  const { samples, sample_ids: ids } = isObject(dataset) ? dataset : {};
  const nQuestions = Array.isArray(ids) ? ids.length : samples;
  const epochs = isObject(config) && typeof config.epochs === "number" ? config.epochs : 1;
  return typeof nQuestions === "number" ? nQuestions * epochs : null;
}
