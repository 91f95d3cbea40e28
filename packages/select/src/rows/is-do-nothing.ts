import { isObject, type Row, textOf } from "@while/schema";
import { toolCallCount } from "./features.ts";

/**
 * An ask that opens with an order. The Python SDK's pattern is not published; these verbs are our own choice of what
 * an agent with tools is asked to do.
 */
const ORDER =
  /^(?:(?:hi|hello|hey)[,!. ]+)?(?:(?:please|kindly|can you|could you|would you|will you|i need you to|i want you to|i'd like you to|help me)[, ]+(?:please )?)*(?:add|apply|approve|assign|book|buy|cancel|change|check|close|create|delete|disable|download|enable|escalate|exchange|extend|file|find|fix|get|give|issue|list|look ?up|make|modify|move|open|order|pause|pay|process|refund|remove|rename|replace|reschedule|reserve|reset|return|run|schedule|search|send|ship|show|start|stop|submit|transfer|update|upgrade|upload|verify)\b/i;

/** `A1001`, `#12`, `4473`: something to look up. */
const ID = /(?:^|[\s"'(])(?:#\d+|(?=\w*\d)(?=\w*[a-z])\w+(?:-\w+)*|\d{4,})/i;

/**
 * Did the agent call no tool where the ask wants one? Never for an agent without tools. The ask wants one when its
 * coverage labels say so, a fault plan or a world state is set up behind it, or its text is an order or names an id.
 */
export function isDoNothing(row: Row, hasTools: boolean): boolean {
  return hasTools && toolCallCount(row) === 0 && wantsTool(row);
}

function wantsTool(row: Row): boolean {
  if (row.tool_known || row.ask_family === "tool") return true;
  if (isObject(row.faults) && Object.keys(row.faults).length > 0) return true;
  const world = textOf(row.world_state);
  if (world !== "" && world !== "unspecified" && world !== "unknown") return true;
  const dimensions = row.scenario_dimensions;
  if (isObject(dimensions) && (dimensions.intent || dimensions.tool)) return true;
  const prompt = textOf(row.prompt).trim();
  return ORDER.test(prompt) || ID.test(prompt);
}
