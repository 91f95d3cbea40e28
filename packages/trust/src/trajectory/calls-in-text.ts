import { isObject } from "@while/schema";

/** A call that an agent wrote into its words. */
export interface TextCall {
  tool: string;
  arguments: Record<string, unknown>;
}

const TOOL_CALL = /<tool_call>\s*([\s\S]*?)\s*<\/tool_call>/g;
const XML_CALL = /<function=([\w.-]+)>([\s\S]*?)<\/function>/g;
const PARAMETER = /<parameter=([\w.-]+)>\n?([\s\S]*?)\n?<\/parameter>/g;
const INVOKE = /<invoke name="([^"]+)">([\s\S]*?)<\/invoke>/g;
const INVOKE_PARAMETER = /<parameter name="([^"]+)">([\s\S]*?)<\/parameter>/g;
const FENCE = /```([\w-]*)[ \t]*\r?\n([\s\S]*?)\r?\n?```/g;

/** `<tool_call> {json} </tool_call>` blocks; one that is no JSON object with a name is left out. */
export function toolCallBlocks(text: string): TextCall[] {
  const calls: TextCall[] = [];
  if (!text.includes("<tool_call>")) return calls;
  for (const [, json] of text.matchAll(TOOL_CALL)) {
    const call = objectIn(json!);
    if (call === null || !call.name) continue;
    calls.push({ tool: String(call.name), arguments: argumentsOf(call.arguments ?? call.parameters) });
  }
  return calls;
}

/**
 * Calls in assistant text: `<tool_call>` JSON, `<function=name>` and `<invoke name>` markup, and, where `fenced`, the
 * one fenced command of the message.
 */
export function callsInText(text: string, { fenced }: { fenced: boolean }): TextCall[] {
  const calls = toolCallBlocks(text);
  if (text.includes("<function=")) {
    for (const [, tool, body] of text.matchAll(XML_CALL)) {
      calls.push({ tool: tool!, arguments: parameters(body!, PARAMETER) });
    }
  }
  if (text.includes("<invoke ")) {
    for (const [, tool, body] of text.matchAll(INVOKE)) {
      calls.push({ tool: tool!, arguments: parameters(body!, INVOKE_PARAMETER) });
    }
  }
  if (calls.length > 0) return calls;
  const blocks = [...text.matchAll(FENCE)].filter(([, info]) => /^(?:bash|sh|shell)$|bash_command$/.test(info!));
  const own = blocks.filter(([, info]) => /bash_command$/.test(info!));
  const block = own.length === 1 ? own[0] : fenced && blocks.length === 1 ? blocks[0] : undefined;
  return block === undefined ? [] : [{ tool: "bash", arguments: { command: block[2]! } }];
}

/** Whether a user's message reads like the answer of a shell to a fenced command. */
export function isShellAnswer(text: string): boolean {
  return /^\s*(?:<returncode>|<output>|OBSERVATION:|Observation:|\[Command finished|exit code|Exit code|\(exit)/.test(
    text,
  );
}

/** Marks of calls that nothing here could read. */
export function showsCalls(text: string): boolean {
  return /<tool_call>|<function[ =]|<function_calls>|<invoke\b|<tool_use>|<returncode>|^[ \t]*OBSERVATION:|\[TOOL_CALLS\]|<\|python_tag\|>/m.test(
    text,
  );
}

/** Arguments as an object: JSON text is parsed, and what is no object is {}. */
export function argumentsOf(given: unknown): Record<string, unknown> {
  if (isObject(given)) return given;
  return (typeof given === "string" ? objectIn(given) : null) ?? {};
}

function parameters(body: string, pattern: RegExp): Record<string, unknown> {
  return Object.fromEntries([...body.matchAll(pattern)].map(([, key, value]) => [key!, value!]));
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // The agent's own words between the marks.
  }
}
