import { shortHash } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";
import type { Row } from "../row.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import type { Format, FormatReader, ReaderContext } from "./format.ts";
import { labelOf } from "./load-traces.ts";
import { type LoggedCall, loggedRow } from "./logged-row.ts";
import { agreedScores, lostVerdict, ScoreChoice } from "./score-choice.ts";
import type { ToolHeadline } from "./tool-headline.ts";
import { TrialTally } from "./trial-tally.ts";

/**
 * Traces of MLflow, versions 2 and 3: `{info, data: {spans}}`. A task is an input. Feedback that is a number, a truth
 * value, or yes and no is a marker; the reward is the one feedback there is, or the one that `rewardKey` names.
 * Expectations go under `privileged`. A trace that ended in an error without an output is ungraded.
 */
export const mlflow: Format = {
  name: "mlflow",
  title: "traces of MLflow",
  detect: ({ info, data }) =>
    isObject(info) &&
    isObject(data) &&
    Array.isArray(data.spans) &&
    ("trace_id" in info || "request_id" in info || "trace_location" in info),
  open: (context) => new MlflowReader(context),
};

class MlflowReader implements FormatReader {
  readonly #context: ReaderContext;
  readonly #choice: ScoreChoice;
  readonly #tally = new TrialTally();

  constructor(context: ReaderContext) {
    this.#context = context;
    this.#choice = new ScoreChoice(context);
  }

  read({ info: about, data: logged, ...beside }: SourceObject): readonly Row[] {
    const { assessments, ...info } = isObject(about) ? about : {};
    const { spans: listed, ...data } = isObject(logged) ? logged : {};
    const spans = Array.isArray(listed) ? listed.filter(isObject).sort((a, b) => startOf(a) - startOf(b)) : [];
    const root = spans.find((span) => !isGiven(span.parent_id) && !isGiven(span.parent_span_id));
    const input = jsonOf(data.request) ?? attribute(root, "mlflow.spanInputs") ?? info.request_preview;
    const output = jsonOf(data.response) ?? attribute(root, "mlflow.spanOutputs") ?? info.response_preview;
    const isLost = (info.state ?? info.status) === "ERROR" && !isGiven(output);
    const judged = Array.isArray(assessments) ? assessments.filter(isObject) : [];
    const verdict = this.#verdict(judged);
    // MLflow scores a trace that failed like any other, and its mean has that score in it.
    if (isLost && !this.#tally.lose(this.#context, verdict.reward ?? null)) return [];

    const model = spans.findLast((span) => MODEL_TYPES.has(attribute(span, "mlflow.spanType")));
    const calls = spans.filter((span) => attribute(span, "mlflow.spanType") === "TOOL").map(callOf);
    const lastGeneration =
      model === undefined
        ? null
        : { input: attribute(model, "mlflow.spanInputs"), output: attribute(model, "mlflow.spanOutputs") };
    const told = loggedRow({ input, output, calls, lastGeneration }, "mlflow", this.#context);
    const scenario = `mlflow/${shortHash(pyJson(input ?? null, { sortKeys: true }))}`;
    const id = textOf(info.trace_id) || textOf(info.request_id);
    const row: Row = {
      scenario_id: scenario,
      rollout_id: id || shortHash("mlflow", scenario, pyJson(listed)),
      rollout_index: this.#context.nextIndex(scenario),
      ...told,
    };
    Object.assign(row, verdict);
    if (isLost) Object.assign(row, lostVerdict(row));
    else this.#tally.add(row.reward ?? null);
    const expected = judged.filter((one) => isObject(one.expectation));
    if (expected.length > 0) row.privileged = { hidden_state: { expectations: expected } };
    const name = attribute(model, "model") ?? attribute(model, "mlflow.llm.model");
    if (typeof name === "string") row.model_version = name;
    const open = judged.filter((one) => !isObject(one.expectation));
    row.mlflow = { ...beside, info: { ...info, assessments: open }, data: { ...data, spans: listed } };
    return [row];
  }

  headlines(): ToolHeadline[] {
    return this.#choice.headlines((score) => `${score}/mean`);
  }

  end(): void {
    this.#choice.end();
    this.#tally.say(this.#context, { ended: "an error", tool: "MLflow", counts: "what its scorers gave them" });
  }

  #verdict(assessments: readonly SourceObject[]): Partial<Row> {
    const scores = assessments.flatMap((one) => {
      // One that was overridden by another stays in the record.
      if (one.valid === false || !isObject(one.feedback)) return [];
      const value = isGiven(one.feedback.error) ? null : scoreOf(one.feedback.value);
      const isScore = value !== null || isGiven(one.feedback.error) || one.feedback.value === null;
      return isScore ? [{ name: nameOf(one), value, one }] : [];
    });
    const named = agreedScores(scores, this.#context);
    const verdict = this.#choice.verdict(named);
    const chosen = scores.find(({ name }) => name === verdict.judge_name)?.one;
    const markers = [...named].filter(([, score]) => score !== null);
    const source = isObject(chosen?.source) ? textOf(chosen.source.source_type).toLowerCase() : "";
    return {
      ...verdict,
      ...(markers.length > 0 ? { markers: Object.fromEntries(markers) } : {}),
      ...(isGiven(chosen?.rationale) ? { reason: textOf(chosen?.rationale) } : {}),
      ...(source === "" ? {} : { label_source: source }),
    };
  }
}

const MODEL_TYPES: ReadonlySet<unknown> = new Set(["CHAT_MODEL", "LLM"]);

function nameOf({ assessment_name, name }: SourceObject): string {
  return textOf(assessment_name ?? name);
}

/** Built-in judges of MLflow answer yes or no. */
function scoreOf(value: unknown): number | null {
  if (value === "yes") return 1;
  return value === "no" ? 0 : labelOf(value);
}

function callOf(span: SourceObject): LoggedCall {
  const { status, status_code: code, status_message: message } = span;
  const said = isObject(status) ? status.message : message;
  const isFailed = [code, isObject(status) ? status.code : status].some((one) => /ERROR$/.test(textOf(one)));
  return {
    name: textOf(span.name) || "unknown",
    arguments: attribute(span, "mlflow.spanInputs"),
    result: attribute(span, "mlflow.spanOutputs"),
    error: isFailed ? textOf(said) || "error" : null,
  };
}

/** Attributes of a span are JSON text each. */
function attribute(span: SourceObject | undefined, key: string): unknown {
  const { attributes } = span ?? {};
  return isObject(attributes) ? jsonOf(attributes[key]) : undefined;
}

function startOf({ start_time, start_time_unix_nano }: SourceObject): number {
  return Number(textOf(start_time_unix_nano ?? start_time)) || 0;
}

/** The value of JSON text; other text as it is. */
function jsonOf(value: unknown): unknown {
  if (typeof value !== "string") return value ?? undefined;
  try {
    return parseEmbeddedJson(value) ?? undefined;
  } catch {
    return value; // A preview that was cut, or plain text.
  }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}
