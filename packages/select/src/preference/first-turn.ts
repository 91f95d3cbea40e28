import { blockText, isObject, pyJson, type Row, textOf, toolCalls } from "@while/schema";
import { toolSteps } from "../rows/features.ts";
import { spokenMessages } from "../rows/spoken-messages.ts";

/**
 * What the agent did first: its first tool call, as JSON of name and arguments with sorted keys; without one the text
 * of its first step, its first turn that says something, or the final text. Trainers that learn from one turn see no
 * difference between two replies that begin alike.
 */
export function firstTurn(row: Row): string {
  const step = toolSteps(row)[0];
  if (step !== undefined) return callText(textOf(step.tool), step.arguments);
  const messages = spokenMessages(row).filter((message) => isObject(message) && message.role === "assistant");
  for (const message of messages) {
    const call = toolCalls(message)[0];
    if (call !== undefined) return callText(call.name, call.arguments);
  }
  const stepText = (Array.isArray(row.steps) ? row.steps : [])
    .filter(isObject)
    .map((spoken) => textOf(spoken.text))
    .find((text) => text.trim() !== "");
  if (stepText !== undefined) return stepText;
  const turn = messages.map(({ content }) => blockText(content)).find((text) => text.trim() !== "");
  return turn ?? textOf(row.final_text);
}

function callText(name: string, args: unknown): string {
  return pyJson({ name, arguments: args ?? {} }, { sortKeys: true });
}
