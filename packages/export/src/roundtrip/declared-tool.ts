import { isObject, type ToolSchema } from "@while/schema";

/** What a schema declares: OpenAI's spelling wraps it in `function`, and some agents list it flat. */
export function declaredTool(tool: ToolSchema | null | undefined): NonNullable<ToolSchema["function"]> {
  if (!isObject(tool)) return {};
  return isObject(tool.function) ? tool.function : (tool as NonNullable<ToolSchema["function"]>);
}
