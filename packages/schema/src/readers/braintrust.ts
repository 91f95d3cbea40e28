import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { type LoggedCall, loggedRow } from "./logged-row.ts";
import { saysItIsARow } from "./says-it-is-a-row.ts";
import { lostVerdict, ScoreChoice } from "./score-choice.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * Experiments and logs of Braintrust: one root span a rollout, and with it, in any order, the spans of its tools, models
 * and scorers. A task is an input: trials of one input are its rollouts. Every score is a marker; the reward is the one
 * score there is, or the one that `rewardKey` names.
 *
 * `expected` and the spans of scorers, which quote it, go under `privileged`; the other spans under `braintrust.spans`. A
 * trial whose task raised an error is ungraded. Spans have to be waited for, until the file has ended.
 */
export const braintrust: Format = {
  name: "braintrust",
  title: "an export of Braintrust",
  detect: (record) =>
    !saysItIsARow(record) &&
    "input" in record &&
    ((isObject(record.scores) && ("expected" in record || "_xact_id" in record || "span_attributes" in record)) ||
      ("span_id" in record && "root_span_id" in record && "span_attributes" in record)),
  open: (context) => new BraintrustReader(context),
};

class BraintrustReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #choice: ScoreChoice;
  readonly #tally = new TrialTally();
  /** Where spans wait, by the id of their root, in the order of the file. */
  readonly #roots = new Map<string, number>();
  readonly #children = new Map<string, number[]>();

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#choice = new ScoreChoice(context);
  }

  read(record: SourceObject): readonly Row[] {
    const root = textOf(record.root_span_id);
    // An export of results alone has no spans to wait for.
    if (root === "") return this.#rows(record, []);
    if (isRoot(record)) {
      // The same span once more is another version of it, or another file's: it is a row of its own.
      if (this.#roots.has(root)) return this.#rows(record, []);
      this.#roots.set(root, this.#context.waiting.put(record));
      return [];
    }
    const spans = this.#children.get(root) ?? [];
    spans.push(this.#context.waiting.put(record));
    this.#children.set(root, spans);
    return [];
  }

  *held(): Generator<Row> {
    const { waiting } = this.#context;
    for (const [id, root] of this.#roots) {
      const spans = this.#children.get(id) ?? [];
      yield* this.#rows(
        waiting.at(root),
        spans.map((place) => waiting.at(place)),
      );
      this.#children.delete(id);
    }
    for (const spans of this.#children.values()) for (const _ of spans) this.#context.skip("span_without_root");
  }

  headlines(): ToolHeadline[] {
    return this.#choice.headlines((score) => `average ${score}`);
  }

  end(): void {
    this.#choice.end();
    this.#tally.say(this.#context, { ended: "an error of the task", tool: "Braintrust", counts: null });
  }

  #rows(root: SourceObject, children: readonly SourceObject[]): Row[] {
    const { input, output, expected, scores, error, metadata, tags, metrics, id, ...rest } = root;
    const isLost = error !== undefined && error !== null && error !== "";
    if (isLost && !this.#tally.lose(this.#context, null)) return [];
    const spans = [...children].sort((a, b) => startOf(a) - startOf(b));
    const scorers = spans.filter(isScorer);
    const others = spans.filter((span) => !isScorer(span));
    const model = others.findLast((span) => typeOf(span) === "llm");
    const calls = others.filter((span) => typeOf(span) === "tool").map(callOf);
    const lastGeneration = model === undefined ? null : { input: model.input, output: model.output };
    const told = loggedRow({ input, output, calls, lastGeneration }, "braintrust", this.#context);
    const scenario = `braintrust/${shortHash(pyJson(input ?? null, { sortKeys: true }))}`;
    const row: Row = { scenario_id: scenario, rollout_index: this.#context.nextIndex(scenario), ...told };
    row.rollout_id =
      textOf(id) || textOf(rest.span_id) || shortHash("braintrust", scenario, String(row.rollout_index), pyJson(root));
    row.lineage = { ...row.lineage, source: this.#context.options.source ?? "eval" };
    const named = scoresOf(scores);
    const verdict = this.#choice.verdict(named);
    if (!isLost) this.#tally.add(verdict.reward ?? null);
    const found: Partial<Row> = isLost ? lostVerdict(verdict) : verdict;
    Object.assign(row, found);
    const judged = { ...(isLost ? { error } : {}), ...found.judge_meta };
    if (Object.keys(judged).length > 0) row.judge_meta = judged;
    const markers = [...named].filter(([, score]) => score !== null);
    if (markers.length > 0) row.markers = Object.fromEntries(markers);
    const reason = rationaleOf(scorers, row.judge_name);
    if (reason !== "") row.reason = reason;
    const answers = others.flatMap((span) =>
      isGiven(span.expected) ? [{ span_id: span.span_id, expected: span.expected }] : [],
    );
    const privileged = {
      ...(isGiven(expected) ? { reference: textOf(expected) } : {}),
      ...(scorers.length > 0 ? { scorers } : {}),
      ...(answers.length > 0 ? { spans: answers } : {}),
    };
    if (Object.keys(privileged).length > 0) row.privileged = privileged;
    if (metadata !== undefined) row.metadata = metadata;
    if (tags !== undefined) row.tags = tags;
    Object.assign(row, modelOf(metadata, model), usageOf(metrics));
    const kept: SourceObject = { scores, metrics, ...rest };
    if (input !== row.prompt) kept.input = input;
    if (output !== row.final_text) kept.output = output;
    if (others.length > 0) kept.spans = others.map(withoutExpected);
    row.braintrust = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
    return [row];
  }
}

function isRoot({ is_root: flag, span_id: id, root_span_id: root, span_parents: parents }: SourceObject): boolean {
  if (typeof flag === "boolean") return flag;
  return id === root || (Array.isArray(parents) ? parents.length === 0 : parents === null && id === undefined);
}

function typeOf({ span_attributes: about }: SourceObject): unknown {
  return isObject(about) ? about.type : undefined;
}

function isScorer(span: SourceObject): boolean {
  const { span_attributes: about } = span;
  return typeOf(span) === "score" || (isObject(about) && about.purpose === "scorer");
}

function startOf({ metrics, created }: SourceObject): number {
  if (isObject(metrics) && typeof metrics.start === "number") return metrics.start;
  const time = typeof created === "string" ? Date.parse(created) / 1000 : Number.NaN;
  return Number.isNaN(time) ? 0 : time;
}

function callOf({ span_attributes: about, input, output, error }: SourceObject): LoggedCall {
  const name = isObject(about) ? textOf(about.name) : "";
  return { name: name || "unknown", arguments: input, result: output, error: isGiven(error) ? error : null };
}

/** The scores by their names; what is neither a number nor null is none and stays in `braintrust.scores`. */
function scoresOf(scores: unknown): Map<string, number | null> {
  const named = new Map<string, number | null>();
  if (!isObject(scores)) return named;
  for (const [name, score] of Object.entries(scores)) {
    const number = labelOf(score);
    if (number !== null || score === null) named.set(name, number);
  }
  return named;
}

/** Why the chosen scorer scored so, where its span says it. */
function rationaleOf(scorers: readonly SourceObject[], name: unknown): string {
  for (const { span_attributes: about, metadata } of scorers) {
    if (!isObject(about) || about.name !== name || !isObject(metadata)) continue;
    if (typeof metadata.rationale === "string") return metadata.rationale;
  }
  return "";
}

function modelOf(metadata: unknown, span: SourceObject | undefined): Pick<Row, "model_version"> {
  for (const about of [metadata, span?.metadata]) {
    if (isObject(about) && typeof about.model === "string") return { model_version: about.model };
  }
  return {};
}

function usageOf(metrics: unknown): Pick<Row, "usage"> {
  if (!isObject(metrics)) return {};
  const { prompt_tokens: input, completion_tokens: output } = metrics;
  if (typeof input !== "number" || typeof output !== "number") return {};
  return { usage: { input_tokens: input, output_tokens: output } };
}

/** Other spans may carry the answer too. */
function withoutExpected(span: SourceObject): SourceObject {
  if (!("expected" in span)) return span;
  const { expected: _, ...rest } = span;
  return rest;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
