import { isObject, type Json, type Step, textOf } from "@while/schema";

/** A call of a tool as a framework tells it: arguments parsed, or the text that the model wrote. */
export interface ToldCall {
  id: string;
  tool: string;
  given: unknown;
  /** What the model said with it. */
  text?: string;
}

/** What a call came to. */
export interface ToldAnswer {
  id: string;
  result: unknown;
  isError?: boolean;
}

/**
 * Calls and answers of a framework as steps, each answer with the call of its id. A call that was never answered keeps an
 * empty result; arguments that are no JSON object stay as they were written under `arguments_raw`; an error is an answer
 * that says so.
 */
export function calledSteps(calls: readonly ToldCall[], answers: readonly ToldAnswer[]): Step[] {
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  return calls.map(({ id, tool, given, text }) => {
    const read = argumentsOf(given);
    const answer = byId.get(id);
    return {
      tool,
      arguments: read ?? {},
      ...(read === null ? { arguments_raw: textOf(given) } : {}),
      result: answer === undefined ? "" : resultOf(answer),
      ...(id === "" ? {} : { id }),
      ...(text === undefined || text.trim() === "" ? {} : { text: text.trim() }),
    };
  });
}

function argumentsOf(given: unknown): Record<string, Json> | null {
  if (isObject(given)) return given as Record<string, Json>;
  if (typeof given !== "string") return given === undefined || given === null ? {} : null;
  return jsonIn(given, isObject) as Record<string, Json> | null;
}

function resultOf({ result, isError }: ToldAnswer): Json {
  if (isError === true) return { status: "error", reason: result instanceof Error ? result.message : textOf(result) };
  if (typeof result !== "string") return (result ?? null) as Json;
  return (jsonIn(result, (value) => isObject(value) || Array.isArray(value)) ?? result) as Json;
}

/** A number in a text stays text: an order 4473 is no quantity. */
function jsonIn(text: string, fits: (value: unknown) => boolean): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return fits(value) ? value : null;
  } catch {
    return null; // Not JSON: the caller keeps the text.
  }
}
