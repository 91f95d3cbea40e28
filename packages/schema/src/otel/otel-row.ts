import { SCHEMA_VERSION } from "../checks/shape.ts";
import { isObject } from "../is-object.ts";
import type { SourceObject } from "../json/record-reader.ts";
import { apartFromRules, chatRow } from "../readers/chat-row.ts";
import type { ReaderContext } from "../readers/format.ts";
import type { Message, Row, Sampling, ToolSchema } from "../row.ts";
import { taskKey } from "../task-key.ts";
import { textOf } from "../text/text-of.ts";
import { ancestorsOf, idOf, type PlacedSpan, placed, toldBySpans } from "./conversation-spans.ts";
import { jsonOf } from "./message-value.ts";
import type { Span } from "./span.ts";
import type { SpanVerdicts } from "./span-verdicts.ts";

/** Spans that belong together, under the id of their conversation. */
export interface SpanGroup {
  id: string;
  spans: readonly Span[];
}

/** What the report counts of the spans. */
export interface SpanCounts {
  /** Names of the conventions that messages were found in. */
  dialects: Set<string>;
  nWithoutContent: number;
  nWithoutPrompt: number;
}

const MODEL_WINS = ["whileai.model_version", "zeroproof.model_version"];
const MODEL = ["gen_ai.request.model", "gen_ai.response.model", "llm.model_name"];
const AGENT = ["gen_ai.agent.name", "gen_ai.agent.id"];
const SAMPLING = ["temperature", "max_tokens", "top_p", "seed"];
const INPUT_TOKENS = [
  ...["gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"],
  ...["llm.token_count.prompt", "llm.usage.prompt_tokens"],
];
const OUTPUT_TOKENS = [
  ...["gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"],
  ...["llm.token_count.completion", "llm.usage.completion_tokens"],
];

/** Operations whose work is a model's, when a span says what it is. */
const MODEL_OPERATIONS: ReadonlySet<string> = new Set(["chat", "text_completion", "generate_content", "llm"]);

/** Words of providers for why a model stopped. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ["tool_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
]);

/**
 * The row of a conversation; null when its spans recorded none. What the spans say besides stays under `otel.spans`, in
 * the order in which they began. Where something failed and there is no final text, the trial is lost.
 */
export function rowOfSpans(
  { id, spans }: SpanGroup,
  verdicts: SpanVerdicts,
  counts: SpanCounts,
  context: ReaderContext,
): { row: Row; isLost: boolean; error: string | null } | null {
  const all = placed(spans, counts.dialects);
  counts.nWithoutContent += all.filter(isSilent).length;
  const { messages, last } = toldBySpans(all);
  if (messages.length === 0) return null;
  const told = chatRow(messages.map(withoutReason), "otel", context);
  const row: Row = { schema_version: SCHEMA_VERSION, ...told, conversation_id: id, rollout_id: id };
  const said = last === null ? "" : finalText(last, context);
  if (said !== "") row.final_text = said;
  if (row.prompt === "") counts.nWithoutPrompt++;
  const first = all.find(({ span }) => span.start > 0n);
  if (first !== undefined) row.ts = Number(first.span.start);
  const scenario = textOf(anywhere(all, ["test.case.name"]));
  if (scenario !== "") row.scenario_id = scenario;
  row.rollout_index = context.nextIndex(taskKey(row));
  Object.assign(row, factsOf(all, last), verdicts.of(all.map(({ span }) => span)));
  const agent = textOf(anywhere(all, AGENT));
  row.lineage = { ...told.lineage, trace_ids: distinct(all.map(({ span }) => span.traceId)) };
  if (agent !== "") row.lineage.agent = agent;
  row.otel = { spans: all.map(({ span }) => recordOf(span)), ...resourcesOf(all) };
  const failed = all.findLast(({ span, content }) => span.error !== null && content?.kind !== "tool");
  const isLost = failed !== undefined && row.final_text === "";
  return { row, isLost, error: isLost ? failed.span.error || "error" : null };
}

/** A span of a model whose messages were not recorded. */
function isSilent({ operation, content }: PlacedSpan): boolean {
  return content === null && MODEL_OPERATIONS.has(operation);
}

/** The first span that says it, itself or by its resource. */
function anywhere(all: readonly PlacedSpan[], keys: readonly string[]): unknown {
  for (const { span } of all) {
    const value = span.attributes.first(keys);
    if (value !== undefined) return value;
  }
  for (const { span } of all) {
    const value = span.resource.first(keys);
    if (value !== undefined) return value;
  }
  return undefined;
}

function finalText({ content }: PlacedSpan, context: ReaderContext): string {
  if (content?.kind !== "model") return "";
  return textOf(chatRow(apartFromRules(content.outputs).said, "otel", context).final_text);
}

/** Why a model stopped is said of the row and not in its messages. */
function withoutReason(message: Message): Message {
  if (message.finish_reason === undefined) return message;
  const { finish_reason: _, ...rest } = message;
  return rest;
}

function factsOf(all: readonly PlacedSpan[], last: PlacedSpan | null): Partial<Row> {
  const facts: Partial<Row> = {};
  // The span that answered last speaks first.
  const models = all.filter(({ content }) => content?.kind !== "tool").reverse();
  const asked = last === null ? models : [last, ...models.filter((one) => one !== last)];
  const model = textOf(anywhere(all, MODEL_WINS)) || textOf(anywhere(asked, MODEL));
  if (model !== "") facts.model_version = model;
  const sampling: Sampling = {};
  for (const name of SAMPLING) {
    const value = numberIn(anywhere(asked, [`gen_ai.request.${name}`]));
    if (value !== null) sampling[name] = value;
  }
  if (Object.keys(sampling).length > 0) facts.sampling = sampling;
  const reason = finishReason(last);
  if (reason !== "") facts.finish_reason = FINISH_REASONS.get(reason) ?? reason;
  const tools = jsonOf(anywhere(asked, ["gen_ai.tool.definitions"]));
  if (Array.isArray(tools) && tools.length > 0) facts.tools = tools.map(functionSchema);
  const usage = usageOf(all);
  if (usage !== null) facts.usage = usage;
  return facts;
}

function finishReason(last: PlacedSpan | null): string {
  if (last?.content?.kind !== "model") return "";
  const listed = jsonOf(last.span.attributes.first(["gen_ai.response.finish_reasons"]));
  const said = Array.isArray(listed) ? listed[0] : listed;
  return textOf(said ?? last.content.outputs.at(-1)?.finish_reason).toLowerCase();
}

/** A function's schema stands flat beside its type. */
function functionSchema(tool: unknown): ToolSchema {
  const given = jsonOf(tool);
  if (!isObject(given) || isObject(given.function)) return given as ToolSchema;
  const { type, ...schema } = given;
  return { type: textOf(type) || "function", function: schema };
}

/**
 * Tokens of the calls of models together; null when no span says any. Spans of agents repeat what the spans inside them
 * used, so that of nested spans the inner ones count.
 */
function usageOf(all: readonly PlacedSpan[]): SourceObject | null {
  const byId = new Map(all.map((one) => [idOf(one.span), one]));
  const said = new Map<PlacedSpan, { input: number | null; output: number | null }>();
  for (const one of all) {
    if (one.content?.kind === "tool" || one.operation === "embeddings" || one.operation === "embedding") continue;
    const { attributes } = one.span;
    const input = countIn(attributes.first(INPUT_TOKENS));
    const output = countIn(attributes.first(OUTPUT_TOKENS));
    if (input !== null || output !== null) said.set(one, { input, output });
  }
  const repeated = new Set<PlacedSpan>();
  for (const one of said.keys()) for (const around of ancestorsOf(one, byId)) repeated.add(around);
  let total: { input: number; output: number } | null = null;
  for (const [one, { input, output }] of said) {
    if (repeated.has(one)) continue;
    total ??= { input: 0, output: 0 };
    total.input += input ?? 0;
    total.output += output ?? 0;
  }
  return total === null ? null : { input_tokens: total.input, output_tokens: total.output };
}

/** null for what is no count. */
function countIn(value: unknown): number | null {
  const number = numberIn(value);
  return number !== null && Number.isSafeInteger(number) && number >= 0 ? number : null;
}

function numberIn(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => id !== "");
}

/** What processes say of themselves, each once. */
function resourcesOf(all: readonly PlacedSpan[]): { resources?: SourceObject[] } {
  const distinct = new Set(all.map(({ span }) => span.resource));
  const resources = [...distinct].map((resource) => resource.unread()).filter((rest) => rest !== null);
  return resources.length === 0 ? {} : { resources };
}

/** A span without what the row already says. */
function recordOf(span: Span): SourceObject {
  const { name, spanId, parentId, start, end, error } = span;
  const record: SourceObject = { name, span_id: spanId };
  if (parentId !== "") record.parent_span_id = parentId;
  if (start > 0n) Object.assign(record, { start: String(start), end: String(end) });
  if (error !== null) record.error = error;
  const attributes = span.attributes.unread();
  if (attributes !== null) record.attributes = attributes;
  const events = span.events.flatMap((event) => {
    const rest = event.attributes.unread();
    return rest === null ? [] : [{ name: event.name, attributes: rest }];
  });
  if (events.length > 0) record.events = events;
  return record;
}
