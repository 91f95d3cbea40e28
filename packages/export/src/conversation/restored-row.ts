import { isObject, type Row, type Step, type ToolSchema } from "@while/schema";
import { parseJsonTree } from "../json/parse-json-tree.ts";

/**
 * A row as it was before something else re-spelled it, so that everything below reads one shape:
 * - what the platform returns: `tool_trace` instead of steps. Without this bridge a pulled row exports as a chat that
 *   never calls a tool.
 * - what this package wrote: `prompt` and `completion` as message lists, `prompt_text`, `metadata_json`, tools as
 *   text. So a file can be exported again, and exporting it the same way gives the same file.
 *
 * @returns The row given where there is nothing to restore
 */
export function restoredRow(row: Row): Row {
  let restored = row;
  const set = (fields: Row): void => {
    restored = { ...restored, ...fields };
  };
  if (!filled(row.messages) && !filled(row.steps) && Array.isArray(row.tool_trace)) {
    set({ steps: row.tool_trace.filter(isObject).map(stepOfTrace) });
  }
  const prompt: unknown = row.prompt;
  if (Array.isArray(prompt)) {
    const { completion } = row;
    if (!filled(row.messages)) set({ messages: [...prompt, ...(Array.isArray(completion) ? completion : [])] });
    set({ prompt: null });
  }
  if (typeof row.prompt_text === "string" && typeof restored.prompt !== "string") set({ prompt: row.prompt_text });
  if (typeof row.tools === "string") restored = { ...restored, tools: parsedOrAsIs(row.tools) as ToolSchema[] };
  const columns = typeof row.metadata_json === "string" ? parsedOrAsIs(row.metadata_json) : readMetadata(row);
  if (isObject(columns)) restored = { ...columns, ...restored };
  return restored;
}

function filled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** Readers of flat tables have parsed `metadata_json` already. */
function readMetadata({ prompt_text: ask, metadata }: Row): unknown {
  return typeof ask === "string" ? metadata : undefined;
}

/** A key that the trace lacks stays absent: a call without `output` was never answered. */
function stepOfTrace(trace: Record<string, unknown>): Step {
  const { input, output, ...step } = trace;
  if (input !== undefined) step.arguments ??= input;
  if (output !== undefined) step.result ??= output;
  return step;
}

/** Text that is no JSON stays text, for the check of rows to name. */
function parsedOrAsIs(text: string): unknown {
  try {
    return parseJsonTree(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
