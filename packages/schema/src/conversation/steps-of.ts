import { isObject } from "../is-object.ts";
import type { Row, Step } from "../row.ts";
import { fromMessages } from "./from-messages.ts";

/**
 * What happened in a rollout, step by step, however the row tells it: its `steps`, those of `tool_trace` where it has
 * none, else what its messages say. What is no object among them is left out.
 */
export function stepsOf(row: Row): readonly Step[] {
  for (const told of [row.steps, row.tool_trace]) {
    if (Array.isArray(told) && told.length > 0) return told.filter(isObject);
  }
  return Array.isArray(row.messages) ? fromMessages(row.messages).steps : [];
}
