import { blockText, isObject, type Message, pyJson, type Row, textOf, toolCalls } from "@while/schema";

/** Something the agent had in front of it. */
export interface ContextPiece {
  text: string;
  /** `prompt`, `system prompt`, `user turn 2`, `result of get_user`. */
  source: string;
}

/** A tool call and how many pieces of the context preceded it. */
export interface TimedCall {
  tool: string;
  arguments: Record<string, unknown>;
  nPieces: number;
}

/** What the agent was told and what it called, in order. Its own words are in neither: they ground nothing. */
export interface CallTimeline {
  pieces: ContextPiece[];
  calls: TimedCall[];
}

/**
 * Reads a row's calls from its steps, else from its messages, else from `<tool_call>` blocks of its final text: the
 * first that has any. Beside steps, user and system messages count up to the call where their place is known (the
 * messages carry the same calls), and all of them where it is not.
 */
export function callTimeline(row: Row): CallTimeline {
  const opening: ContextPiece[] = [
    { text: textOf(row.prompt), source: "prompt" },
    { text: textOf(row.system_prompt), source: "system prompt" },
  ];
  for (const told of [row.steps, row.tool_trace]) {
    const steps = Array.isArray(told) ? told.filter(isObject) : [];
    if (steps.some(({ tool }) => Boolean(tool))) return fromSteps(steps, messagesOf(row), opening);
  }
  const spoken = fromMessages(messagesOf(row), [...opening]);
  if (spoken.calls.length > 0) return spoken;
  const pieces = spoken.pieces.filter(({ source }) => !source.startsWith("result of"));
  return { pieces, calls: callBlocks(textOf(row.final_text)).map((call) => ({ ...call, nPieces: pieces.length })) };
}

function messagesOf(row: Row): readonly Message[] {
  return Array.isArray(row.messages) ? row.messages.filter(isObject) : [];
}

function fromSteps(
  steps: readonly Record<string, unknown>[],
  messages: readonly Message[],
  pieces: ContextPiece[],
): CallTimeline {
  const told = turnsBeforeCalls(
    messages,
    steps.filter(({ tool }) => Boolean(tool)).map(({ tool }) => textOf(tool)),
  );
  const calls: TimedCall[] = [];
  let turn = 0;
  pieces.push(...(told === null ? turnsOf(messages) : []));
  for (const step of steps) {
    const user = textOf(step.user);
    if (user !== "") pieces.push({ text: user, source: `user turn ${++turn}` });
    if (!step.tool) continue;
    const tool = textOf(step.tool);
    pieces.push(...(told?.[calls.length] ?? []));
    calls.push({ tool, arguments: argumentsOf(step.arguments ?? step.input), nPieces: pieces.length });
    const result = step.result ?? step.output;
    if (result !== undefined && result !== null) pieces.push({ text: resultText(result), source: `result of ${tool}` });
  }
  return { pieces, calls };
}

/** What users and systems said right before each call, where the messages carry the calls of the steps; else null. */
function turnsBeforeCalls(messages: readonly Message[], tools: readonly string[]): ContextPiece[][] | null {
  const before: ContextPiece[][] = [];
  const names: string[] = [];
  let said: ContextPiece[] = [];
  let turn = 0;
  for (const message of messages) {
    if (isTold(message)) said.push({ text: contentText(message.content), source: sourceOf(message, ++turn) });
    if (message.role !== "assistant") continue;
    for (const { name } of callsOf(message)) {
      names.push(name);
      before.push(said);
      said = [];
    }
  }
  return names.length === tools.length && names.every((name, i) => name === tools[i]) ? before : null;
}

function turnsOf(messages: readonly Message[]): ContextPiece[] {
  return messages.filter(isTold).map((message, i) => ({
    text: contentText(message.content),
    source: sourceOf(message, i + 1),
  }));
}

function fromMessages(messages: readonly Message[], pieces: ContextPiece[]): CallTimeline {
  const calls: TimedCall[] = [];
  const toolOf = new Map<string, string>();
  let turn = 0;
  for (const message of messages) {
    if (message.role === "assistant") {
      for (const call of callsOf(message)) {
        if (call.id !== undefined) toolOf.set(call.id, call.name);
        calls.push({ tool: call.name, arguments: call.arguments, nPieces: pieces.length });
      }
    } else if (isTold(message)) {
      pieces.push({ text: contentText(message.content), source: sourceOf(message, ++turn) });
    } else if (message.role === "tool" || message.role === "function") {
      const tool = toolOf.get(textOf(message.tool_call_id)) ?? textOf(message.name);
      pieces.push({ text: resultText(message.content), source: tool === "" ? "a result" : `result of ${tool}` });
    }
  }
  return { pieces, calls };
}

function isTold({ role }: Message): boolean {
  return role === "user" || role === "system" || role === "developer";
}

function sourceOf({ role }: Message, turn: number): string {
  return role === "user" ? `user turn ${turn}` : `${role} message`;
}

interface NamedCall {
  id?: string | undefined;
  name: string;
  arguments: Record<string, unknown>;
}

function callsOf(message: Message): NamedCall[] {
  const listed = toolCalls(message).filter(({ name }) => name !== "");
  const written = callBlocks(blockText(message.content));
  return [...listed, ...written.map((call) => ({ name: call.tool, arguments: call.arguments }))];
}

const CALL_BLOCK = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/** `<tool_call> {json} </tool_call>`; a block that is no JSON object with a name is prose. */
function callBlocks(text: string): { tool: string; arguments: Record<string, unknown> }[] {
  return [...text.matchAll(CALL_BLOCK)].flatMap(([, json]) => {
    const call = parsed(json!);
    return isObject(call) && call.name ? [{ tool: textOf(call.name), arguments: argumentsOf(call.arguments) }] : [];
  });
}

function argumentsOf(given: unknown): Record<string, unknown> {
  const value = typeof given === "string" ? parsed(given) : given;
  return isObject(value) ? value : {};
}

/** undefined for text that is not JSON: it was never meant to be. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text and, from Anthropic's blocks, the results that a user message carries. */
function contentText(content: unknown): string {
  const text = blockText(content);
  if (!Array.isArray(content)) return text;
  const results = content.filter((block) => isObject(block) && block.type === "tool_result");
  return [text, ...results.map((block) => resultText((block as Record<string, unknown>).content))].join("\n");
}

/** How deep a result is read for its values. */
const MAX_DEPTH = 64;

/**
 * A result as text: itself, or its JSON and then every value on its own, so that one with a quote or a backslash in it
 * is found as it is written. Text that is JSON is read the same way.
 */
function resultText(result: unknown): string {
  const value = typeof result === "string" && /^\s*[[{]/.test(result) ? (parsed(result) ?? result) : result;
  if (typeof value !== "object" || value === null) return textOf(value);
  const leaves: string[] = [];
  collect(value, 0, leaves);
  return [typeof result === "string" ? result : jsonText(result), ...leaves].join(" ");
}

function collect(value: unknown, depth: number, leaves: string[]): void {
  if (typeof value === "string") leaves.push(value);
  else if (typeof value === "number") leaves.push(String(value));
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const inner of Object.values(value)) collect(inner, depth + 1, leaves);
  }
}

/** An object that contains itself, or lies too deep, has its values alone. */
function jsonText(value: unknown): string {
  try {
    return pyJson(value, { ascii: false });
  } catch {
    return "";
  }
}
