import { sha256Hex } from "../hash/sha256.ts";
import { scenarioIdOfPrompt } from "../identity/derived-ids.ts";
import { isObject } from "../is-object.ts";
import { checkOptions } from "../options/check-options.ts";
import type { Row, Step } from "../row.ts";
import { SchemaError } from "../schema-error.ts";
import { pyJson } from "../text/python-json.ts";
import { textOf } from "../text/text-of.ts";
import { toolFault } from "../tool/tool-fault.ts";
import { messagesInText } from "./message-value.ts";
import { doubleAttribute, type OtlpAttribute, type OtlpSpan, type OtlpTraces, textAttribute } from "./otlp.ts";

export interface SpansOptions {
  /** Name of the agent the runs are of. */
  agent: string;
  /** The platform's dataset they go to; the agent's name by default. */
  dataset?: string;
  /** A run whose reward is at or above it passed. */
  passAt?: number;
  /** Model of the rows that name none. */
  model?: string;
  /** A child span for each tool call of a run. */
  steps?: boolean;
  /** When the last run began, within a millisecond: milliseconds since 1970. */
  now: number;
}

/** The scope that spans of runs are sent under. */
const SCOPE = "whileai.send_runs";

/** Of internal work: no call of another service. */
const INTERNAL = 1;

const FAILED = 2;

/** Below it a time in milliseconds would lie before 1973, and is a time in seconds. */
const MIN_NOW = 1e11;

const PROMPT_KEYS = ["prompt", "input", "question"];
const REPLY_KEYS = ["final_text", "completion", "output", "response", "answer"];
const REWARD_KEYS = ["reward", "score"];
const SCENARIO_KEYS = ["scenario_id", "scenario", "case", "task_id"];
const MODEL_KEYS = ["model", "model_version"];

/**
 * Rows as OpenTelemetry spans in OTLP/JSON: one trace a run, under the names that `rowsFromOtel` and the platform read.
 * Prompt, final text, scenario, model and reward come back from `rowsFromOtel`, the reward as 0 or 1 against `passAt`
 * and its own value as `judge_meta.rating`; with `steps` the tool calls too. What else a row holds is not sent.
 *
 * Runs start a millisecond apart, so that their order survives. Trace ids are hashes of the run, its place and `now`:
 * the same call gives the same spans, so that sending them again adds nothing.
 *
 * @throws SchemaError `bad_option`; `bad_value` with the index of a row that is no object, asks nothing or whose reward
 * is no number; `bad_file` without rows
 */
export function spansFromRows(rows: readonly Row[], options: SpansOptions): OtlpTraces {
  const { agent, dataset = agent } = checked(options);
  if (rows.length === 0) throw new SchemaError("bad_file", "There are no rows to send.", "Give at least one run.");
  const spans = rows.flatMap((row, index) => spansOfRun(row, index, rows.length, options));
  return requestOf(spans, agent, dataset);
}

/**
 * The same spans as the collector's file exporter writes them: one request a line, here with one run each, for files
 * that are too large for one document. Lines have no line break at their end.
 *
 * @throws SchemaError as `spansFromRows` does
 */
export function* otlpLines(rows: readonly Row[], options: SpansOptions): Generator<string, void, undefined> {
  const { agent, dataset = agent } = checked(options);
  for (const [index, row] of rows.entries()) {
    yield JSON.stringify(requestOf(spansOfRun(row, index, rows.length, options), agent, dataset));
  }
}

function checked(options: SpansOptions): SpansOptions {
  const refused = (what: string, fix: string) => new SchemaError("bad_option", what, fix);
  checkOptions(options, ["agent", "dataset", "passAt", "model", "steps", "now"], refused);
  const { agent, dataset = agent, passAt = 1, now } = options;
  if (typeof agent !== "string" || agent.trim() === "") {
    throw refused(`agent is ${JSON.stringify(agent) ?? "missing"}.`, "Name the agent that the runs are of.");
  }
  if (dataset.trim() === "") throw refused("dataset is blank.", "Name it, or leave it out for the agent's own name.");
  if (!Number.isFinite(passAt)) throw refused(`passAt is ${passAt}.`, "Give the lowest reward that passes.");
  if (!Number.isFinite(now) || now < MIN_NOW) {
    throw refused(`now is ${now ?? "missing"}.`, "Give a time in milliseconds since 1970, as Date.now() does.");
  }
  return options;
}

function requestOf(spans: OtlpSpan[], agent: string, dataset: string): OtlpTraces {
  const attributes = [
    textAttribute("service.name", agent),
    // The platform's gate reads the first, its pages the second.
    textAttribute("zeroproof.dataset", dataset),
    textAttribute("whileai.dataset", dataset),
  ];
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: SCOPE }, spans }] }] };
}

function spansOfRun(row: Row, index: number, nRows: number, options: SpansOptions): OtlpSpan[] {
  const { agent, passAt = 1, model: anyModel = "", steps = false, now } = options;
  if (!isObject(row)) {
    const kind = Array.isArray(row) ? "a list" : row === null ? "null" : `a ${typeof row}`;
    throw new SchemaError("bad_value", `Row ${index} is ${kind} and not an object.`, "Give rows as objects.");
  }
  const prompt = textUnder(row, PROMPT_KEYS);
  if (prompt === "") {
    throw new SchemaError(
      "bad_value",
      `Row ${index} asks nothing; its keys are ${Object.keys(row).join(", ") || "none"}.`,
      `Put what was asked under ${PROMPT_KEYS.join(" or ")}.`,
    );
  }
  const start = BigInt(Math.round(now) - (nRows - index)) * 1_000_000n;
  const calls = steps && Array.isArray(row.steps) ? row.steps.filter(isCall) : [];
  const traceId = sha256Hex(pyJson([Math.round(now), index, agent, row], { ascii: false })).slice(0, 32);
  const lasted = BigInt(Math.round(durationOf(row) * 1e6));
  // Calls lie a nanosecond apart inside the run, whose end its last words are said at.
  const room = BigInt(calls.length + 1);
  const scenario = textUnder(row, SCENARIO_KEYS) || scenarioIdOfPrompt(prompt);
  const reply = textUnder(row, REPLY_KEYS);
  const model = textUnder(row, MODEL_KEYS) || anyModel;
  const score = scoreOf(row, index);
  const attributes = [
    textAttribute("gen_ai.agent.name", agent),
    textAttribute("test.case.name", scenario),
    textAttribute("gen_ai.prompt", plainText(prompt, "user")),
  ];
  if (reply !== "") attributes.push(textAttribute("gen_ai.completion", plainText(reply, "assistant")));
  if (model !== "") attributes.push(textAttribute("gen_ai.request.model", model));
  if (score !== null) {
    attributes.push(doubleAttribute("zeroproof.score", score), doubleAttribute("zeroproof.score.pass_at", passAt));
  }
  const run: OtlpSpan = {
    traceId,
    spanId: spanIdOf(traceId, 0),
    name: "agent.run",
    kind: INTERNAL,
    startTimeUnixNano: String(start),
    endTimeUnixNano: String(start + (lasted > room ? lasted : room)),
    attributes,
  };
  return [run, ...calls.map((step, at) => callSpan(step, at + 1, run, start))];
}

/** A call as a child of its run, in its place among the others. */
function callSpan(step: Step, place: number, { traceId, spanId: parentSpanId }: OtlpSpan, start: bigint): OtlpSpan {
  const tool = textOf(step.tool);
  const fault = toolFault(step.result);
  const time = String(start + BigInt(place));
  const attributes: OtlpAttribute[] = [
    textAttribute("gen_ai.operation.name", "execute_tool"),
    textAttribute("gen_ai.tool.name", tool),
    textAttribute("gen_ai.tool.call.arguments", textOf(step.raw_arguments ?? step.arguments ?? {})),
  ];
  const id = textOf(step.id);
  if (id !== "") attributes.push(textAttribute("gen_ai.tool.call.id", id));
  if (step.result !== undefined) attributes.push(textAttribute("gen_ai.tool.call.result", resultText(step.result)));
  const span: OtlpSpan = {
    ...{ traceId, spanId: spanIdOf(traceId, place), parentSpanId, name: `execute_tool ${tool}`, kind: INTERNAL },
    ...{ startTimeUnixNano: time, endTimeUnixNano: time, attributes },
  };
  return fault === "" ? span : { ...span, status: { code: FAILED, message: fault } };
}

function isCall(step: unknown): step is Step {
  return isObject(step) && textOf(step.tool) !== "";
}

/** Text that reads as messages is sent as the one message that it is, so that it is read as text again. */
function plainText(text: string, role: string): string {
  return messagesInText(text) === null ? text : pyJson([{ role, content: text }], { ascii: false });
}

function resultText(result: unknown): string {
  return typeof result === "string" ? result : pyJson(result, { ascii: false });
}

/** The first of the keys under which there is text, on the row and then in its `info`. */
function textUnder(row: Row, keys: readonly string[]): string {
  for (const home of [row, row.info]) {
    if (!isObject(home)) continue;
    for (const key of keys) {
      const text = textOf(home[key]);
      if (text !== "") return text;
    }
  }
  return "";
}

/** null for a run without a verdict. */
function scoreOf(row: Row, index: number): number | null {
  for (const home of [row, row.info]) {
    if (!isObject(home)) continue;
    for (const key of REWARD_KEYS) {
      const value: unknown = home[key];
      if (value === undefined || value === null) continue;
      if (typeof value === "boolean") return value ? 1 : 0;
      if (typeof value === "number" && Number.isFinite(value)) return value;
      throw new SchemaError(
        "bad_value",
        `Row ${index} has the ${key} ${typeof value === "number" ? value : textOf(value)}, which is no number.`,
        "Write a number, or null for a run without a verdict.",
      );
    }
  }
  return null;
}

/** Milliseconds; 0 when nobody says how long the run took. */
function durationOf(row: Row): number {
  for (const home of [row, row.info]) {
    const said = isObject(home) ? home.duration_ms : null;
    if (typeof said === "number" && Number.isFinite(said) && said > 0) return said;
  }
  return 0;
}

function spanIdOf(traceId: string, place: number): string {
  return sha256Hex(`${traceId}|${place}`).slice(0, 16);
}
