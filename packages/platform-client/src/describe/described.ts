import type { Harness } from "@while/schema";

/** What an agent object says of itself. */
export interface Described {
  name: string;
  model: string | null;
  harness: Harness;
  /** Of what the model is told of its tools beside their names; null where that cannot be read. */
  toolsHash: string | null;
  /** Framework it is of, or `object`. */
  source: string;
  /** What could not be read, and how to say it. */
  warnings: string[];
}

/** What an adapter read; what it leaves out is not readable. */
export interface Reading {
  name?: string | null;
  model?: string | null;
  instructions?: string | null;
  tools?: string[];
  toolsHash?: string | null;
  disclosure?: Record<string, unknown>;
  warnings?: string[];
}

/** A framework by the shape of its agents, so that none is imported. */
export interface Adapter {
  source: string;
  fits: (agent: object) => boolean;
  read: (agent: object) => Reading | Promise<Reading>;
}

/** A property, or undefined where reading it throws. */
export function peek(agent: unknown, key: string): unknown {
  if ((typeof agent !== "object" && typeof agent !== "function") || agent === null) return undefined;
  try {
    return (agent as Record<string, unknown>)[key];
  } catch {
    // A getter that throws is a property that cannot be read, which is what absent means here.
    return undefined;
  }
}

/** The text, or null for what is none or empty. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The first of the keys that holds a text. */
export function firstText(agent: unknown, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOrNull(peek(agent, key));
    if (text !== null) return text;
  }
  return null;
}

/** A model's name: a text itself, else the first that it goes by. */
export function modelName(model: unknown): string | null {
  if (typeof model === "string") return textOrNull(model);
  return firstText(model, ["model_name", "modelName", "name", "model", "model_id", "modelId"]);
}

/** Text of a system message, of a list of them, or of content parts. */
export function messageText(value: unknown): string | null {
  if (typeof value === "string") return textOrNull(value);
  if (Array.isArray(value)) return textOrNull(value.map(messageText).filter(Boolean).join("\n"));
  const content = peek(value, "content") ?? peek(value, "text");
  return content === undefined ? null : messageText(content);
}

/** A tool's name in any shape that frameworks give it. */
function toolName(tool: unknown): string {
  if (typeof tool === "string") return tool;
  const own = textOrNull(peek(tool, "name"));
  if (own !== null) return own;
  for (const key of ["function", "func"]) {
    const inner = textOrNull(peek(peek(tool, key), "name"));
    if (inner !== null) return inner;
  }
  return textOrNull(peek(peek(tool, "constructor"), "name")) ?? "tool";
}

/** Names of the tools in a list, or the keys of a record: a key is the name that the model sees. */
export function toolNames(tools: unknown): string[] {
  if (Array.isArray(tools)) return tools.map(toolName);
  if (tools instanceof Map) return Array.from(tools.keys(), String);
  return typeof tools === "object" && tools !== null ? Object.keys(tools) : [];
}
