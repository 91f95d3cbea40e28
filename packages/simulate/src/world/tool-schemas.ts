import { isObject, type Json, type ToolSchema, textOf } from "@while/schema";
import * as z from "zod";
import { SimulateError } from "../simulate-error.ts";

/** The rollout in whose world a tool is called: one object for each, the same for all its calls. */
export interface RolloutPlace {
  /** Aborted when the rollout is stopped, or out of time. */
  signal?: AbortSignal;
  /** Is called when the rollout is over, however it ended: for what a tool has opened for it alone. */
  onEnd(end: () => void | Promise<void>): void;
}

/** A tool with what this package knows of it. The keys beside `function` stay here: no model is sent them. */
export interface SimTool extends ToolSchema {
  type: "function";
  function: { name: string; description?: string; parameters: Record<string, unknown>; [key: string]: unknown };
  /** `human`: the person answers. */
  kind?: string;
  /** An example of what the tool answers. */
  returns?: Json;
  /** MCP's hints: `readOnlyHint`, `destructiveHint`. */
  annotations?: Record<string, unknown>;
  /** Answers in the mock world's place. */
  execute?: (given: Record<string, unknown>, place: RolloutPlace) => Json | Promise<Json>;
}

/** Tools in one form, and what was wrong with some of them. */
export interface ToolSchemas {
  tools: SimTool[];
  warnings: string[];
}

export interface ToolDefinition {
  name: string;
  description?: string;
  /** A zod object, or a JSON Schema. */
  parameters?: z.ZodType | Record<string, unknown>;
  kind?: string;
  returns?: Json;
  annotations?: Record<string, unknown>;
  execute?: (given: never, place: RolloutPlace) => Json | Promise<Json>;
}

const DESCRIPTION_CHARS = 1000;
const LOCAL_KEYS = ["kind", "returns", "annotations", "execute"] as const;

/**
 * A tool of one's own: the schema of its arguments is a zod object or a JSON Schema, because TypeScript's types are gone
 * when it runs. With `execute` it answers itself; scheduled faults still come first.
 *
 * @throws SimulateError `bad_tools`
 */
export function tool(definition: ToolDefinition): SimTool {
  const { name } = definition;
  if (typeof name !== "string" || name === "") {
    throw new SimulateError("bad_tools", `A tool has the name ${JSON.stringify(name)}.`, "Give it one.");
  }
  return schemaOf(definition, "tool")!;
}

/**
 * Tools in any spelling as OpenAI function schemas: OpenAI's own with or without the envelope, Anthropic's
 * `input_schema`, MCP's and frameworks' `inputSchema`, and what `tool` made. Of two with one name the last counts, and a
 * tool without a name is left out; both are warnings.
 *
 * @throws SimulateError `bad_tools`
 */
export function toolSchemas(list: readonly unknown[]): ToolSchemas {
  if (!Array.isArray(list)) {
    throw new SimulateError("bad_tools", `tools is ${textOf(list)}.`, "Give a list of tool schemas.");
  }
  const tools = new Map<string, SimTool>();
  const warnings: string[] = [];
  for (const [index, entry] of list.entries()) {
    const schema = schemaOf(entry, `tools[${index}]`);
    if (schema === null) {
      warnings.push(`tools[${index}] has no name and is left out: give it one.`);
      continue;
    }
    const { name } = schema.function;
    if (tools.has(name)) warnings.push(`Two tools are called ${name}: the last counts. Rename one of them.`);
    tools.set(name, schema);
  }
  return { tools: [...tools.values()], warnings };
}

/** What a model is sent: the schema, without what only this package reads. */
export function wireTool({ type, function: inner }: SimTool): ToolSchema {
  return { type, function: inner };
}

function schemaOf(entry: unknown, place: string): SimTool | null {
  if (typeof entry === "function") {
    throw new SimulateError(
      "bad_tools",
      `${place} is the function ${entry.name || "without a name"}, and has no schema.`,
      "Wrap it: tool({ name, parameters: z.object({ … }), execute }).",
    );
  }
  if (!isObject(entry)) throw new SimulateError("bad_tools", `${place} is ${textOf(entry)}.`, "Give a tool schema.");
  const inner = isObject(entry.function) ? entry.function : entry;
  const name = textOf(inner.name);
  if (name === "") return null;
  const description = textOf(inner.description).slice(0, DESCRIPTION_CHARS);
  const parameters = inner.parameters ?? inner.input_schema ?? inner.inputSchema ?? inner.argsSchema;
  const schema: SimTool = {
    type: "function",
    function: { name, ...(description === "" ? {} : { description }), parameters: jsonSchema(parameters, place) },
  };
  if (typeof inner.strict === "boolean") schema.function.strict = inner.strict;
  for (const key of LOCAL_KEYS) {
    const value = entry[key] ?? inner[key];
    if (value !== undefined && value !== null) Object.assign(schema, { [key]: value });
  }
  return schema;
}

function jsonSchema(parameters: unknown, place: string): Record<string, unknown> {
  if (parameters === undefined || parameters === null) return { type: "object", properties: {} };
  if (parameters instanceof z.ZodType) {
    const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
    return schema;
  }
  if (!isObject(parameters)) {
    throw new SimulateError("bad_tools", `${place} has the parameters ${textOf(parameters)}.`, "Give a JSON Schema.");
  }
  if ("type" in parameters || "properties" in parameters || "$ref" in parameters) return parameters;
  // A bare map of properties.
  return { type: "object", properties: parameters };
}
