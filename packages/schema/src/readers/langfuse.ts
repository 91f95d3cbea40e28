import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row, Sampling } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { chatIn, type LoggedCall, loggedRow } from "./logged-row.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { agreedScores, lostVerdict, ScoreChoice } from "./score-choice.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * Traces of Langfuse: downloaded one by one with their observations and scores, listed by the API, or exported from the
 * table of traces. A task is an input. Scores of the trace that are numbers are markers; the reward is the one score
 * there is, or the one that `rewardKey` names. Categories and scores of single observations stay under `langfuse`.
 *
 * A trace without an output in which something ended in an error is ungraded.
 */
export const langfuse: Format = {
  name: "langfuse",
  title: "traces of Langfuse",
  detect: (record) =>
    !saysItIsARow(record) &&
    ((isObject(record.trace) && Array.isArray(record.observations)) ||
      ("input" in record &&
        "timestamp" in record &&
        "scores" in record &&
        ["observations", "htmlPath", "bookmarked"].some((key) => key in record))),
  open: (context) => new LangfuseReader(context),
};

/** Rows of traces, each with its observations and scores. */
export class LangfuseReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #choice: ScoreChoice;
  readonly #tally = new TrialTally();

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#choice = new ScoreChoice(context);
  }

  read(record: SourceObject): readonly Row[] {
    const { trace, ...beside } = record;
    const { input, output, expectedOutput, scores, observations, id, metadata, tags, ...rest } = isObject(trace)
      ? { ...trace, ...beside }
      : record;
    const logged = Array.isArray(observations) ? observations.filter(isObject).sort(byStart) : [];
    const failed = logged.findLast(({ level }) => level === "ERROR");
    const isLost = failed !== undefined && (output === undefined || output === null);
    if (isLost && !this.#tally.lose(this.#context, null)) return [];

    const generations = logged.filter(({ type }) => type === "GENERATION");
    const last = generations.at(-1);
    const told = loggedRow(
      {
        ...{ input: decoded(input), output: decoded(output) },
        calls: logged.filter(({ type }) => type === "TOOL").map(callOf),
        lastGeneration: last === undefined ? null : { input: last.input, output: last.output },
      },
      "langfuse",
      this.#context,
    );
    const scenario = `langfuse/${shortHash(pyJson(input ?? null, { sortKeys: true }))}`;
    const row: Row = { scenario_id: scenario, rollout_index: this.#context.nextIndex(scenario), ...told };
    row.rollout_id = textOf(id) || shortHash("langfuse", scenario, String(row.rollout_index), pyJson(record));
    Object.assign(row, this.#verdict(scores), last === undefined ? {} : modelOf(last), usageOf(generations));
    if (isLost) {
      Object.assign(row, lostVerdict(row));
      row.judge_meta = { ...row.judge_meta, error: failed.statusMessage ?? failed.name ?? null };
    } else this.#tally.add(row.reward ?? null);
    if (expectedOutput !== undefined && expectedOutput !== null) {
      row.privileged = { reference: textOf(expectedOutput) };
    }
    if (metadata !== undefined) row.metadata = metadata;
    if (tags !== undefined) row.tags = tags;
    const kept: SourceObject = { ...rest, scores, observations };
    if (input !== row.prompt) kept.input = input;
    if (output !== row.final_text) kept.output = output;
    row.langfuse = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
    return [row];
  }

  headlines(): ToolHeadline[] {
    return this.#choice.headlines((score) => `average ${score}`);
  }

  end(): void {
    this.#choice.end();
    this.#tally.say(this.#context, { ended: "an error", tool: "Langfuse", counts: null });
  }

  #verdict(scores: unknown): Partial<Row> {
    const given = scoresOf(scores);
    if (given === null) {
      this.#context.warn(
        "scores_without_values",
        "The traces name their scores by id alone, so their rows are ungraded.",
      );
      return { reward: null };
    }
    const named = agreedScores(given, this.#context);
    const verdict = this.#choice.verdict(named);
    const chosen = given.find(({ name }) => name === verdict.judge_name);
    const markers = [...named].filter(([, score]) => score !== null);
    return {
      ...verdict,
      ...(markers.length > 0 ? { markers: Object.fromEntries(markers) } : {}),
      ...(chosen === undefined || chosen.comment === "" ? {} : { reason: chosen.comment }),
      ...(chosen === undefined || chosen.source === "" ? {} : { label_source: chosen.source }),
    };
  }
}

interface TraceScore {
  name: string;
  value: number;
  comment: string;
  /** Who gave it: `eval`, `annotation` or `api`; "" where that is not said. */
  source: string;
}

/** Scores of the trace as a whole that are numbers; null for a list of ids. */
function scoresOf(scores: unknown): TraceScore[] | null {
  const found: TraceScore[] = [];
  const add = (name: unknown, value: unknown, comment = "", source = "") => {
    const number = labelOf(value);
    if (number !== null && typeof name === "string") found.push({ name, value: number, comment, source });
  };
  if (isObject(scores)) {
    // The table has the values of a score, or the one, by its name.
    for (const [name, value] of Object.entries(scores)) {
      for (const one of Array.isArray(value) ? value : [value]) add(name, one);
    }
    return found;
  }
  if (!Array.isArray(scores)) return found;
  if (scores.length > 0 && scores.every((score) => typeof score === "string")) return null;
  for (const score of scores.filter(isObject)) {
    const { dataType, observationId } = score;
    const isNumber = dataType === undefined || dataType === "NUMERIC" || dataType === "BOOLEAN";
    if (!isNumber || (observationId !== undefined && observationId !== null)) continue;
    add(score.name, score.value, textOf(score.comment), textOf(score.source).toLowerCase());
  }
  return found;
}

function byStart(a: SourceObject, b: SourceObject): number {
  return timeOf(a) - timeOf(b);
}

function timeOf({ startTime }: SourceObject): number {
  const time = typeof startTime === "string" ? Date.parse(startTime) : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

function callOf({ name, input, output, level, statusMessage }: SourceObject): LoggedCall {
  const error = level === "ERROR" ? (statusMessage ?? "error") : null;
  return { name: textOf(name) || "unknown", arguments: input, result: output, error };
}

/** The table has chats as JSON text. */
function decoded(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    const parsed = parseEmbeddedJson(value);
    return chatIn(parsed) === null ? value : parsed;
  } catch {
    return value; // A text that begins with brackets.
  }
}

function modelOf({ model, modelParameters }: SourceObject): Pick<Row, "model_version" | "sampling"> {
  const sampling: Sampling = {};
  if (isObject(modelParameters)) {
    for (const key of ["temperature", "max_tokens", "top_p"]) {
      if (typeof modelParameters[key] === "number") sampling[key] = modelParameters[key];
    }
  }
  return {
    ...(typeof model === "string" ? { model_version: model } : {}),
    ...(Object.keys(sampling).length > 0 ? { sampling } : {}),
  };
}

/** Tokens of all generations together. */
function usageOf(generations: readonly SourceObject[]): Pick<Row, "usage"> {
  let isSaid = false;
  let input = 0;
  let output = 0;
  for (const { usageDetails, usage = usageDetails } of generations) {
    const said = isObject(usageDetails) ? usageDetails : usage;
    if (!isObject(said) || typeof said.input !== "number") continue;
    isSaid = true;
    input += said.input;
    if (typeof said.output === "number") output += said.output;
  }
  return isSaid ? { usage: { input_tokens: input, output_tokens: output } } : {};
}
