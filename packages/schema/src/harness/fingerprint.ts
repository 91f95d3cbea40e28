import { sha256Hex } from "../hash/sha256.ts";
import { isObject } from "../is-object.ts";
import { SchemaError } from "../schema-error.ts";
import { compareCodePoints } from "../text/code-points.ts";
import { PyFloat, pyJson } from "../text/python-json.ts";

/** The program around the weights: what may change while the model stays the same. */
export interface Harness {
  model?: string | null;
  /** The system prompt. */
  instructions?: string | null;
  /** Names of the tools, in any order. */
  tools?: readonly string[] | null;
  /** What the team calls this version; without it the fingerprint names it. */
  label?: string | null;
  /**
   * What else shapes the run, such as `max_turns` or `sampling`. Part of the fingerprint, and never sent. Sampling
   * values that Python holds as floats are floats here too; for others that are, write `{ float: 1 }`.
   */
  disclosure?: Readonly<Record<string, unknown>> | null;
}

/** Code points of the longest version that a run may be posted under. */
export const VERSION_MAX = 40;

/** Sampling settings that are floats in Python, where 1 and 1.0 are different text. */
const FLOATS: ReadonlySet<string> = new Set([
  ...["temperature", "top_p", "min_p", "presence_penalty", "frequency_penalty"],
]);

/**
 * 12 hex digits that are the same for two harnesses exactly when model, instructions, tools and disclosure are, in any
 * order of tools and keys, and the same in the Python SDK: the SHA-256 of one JSON text, spelled as Python spells it.
 *
 * The schemas of tools are not part of it, so a reworded tool description is the same harness.
 *
 * @throws SchemaError `bad_value` for a tool that is no name or a number that is not finite
 */
export function fingerprint({ model = null, instructions = null, tools, disclosure }: Harness): string {
  const names = [...(tools ?? [])];
  const stranger: unknown = names.find((tool) => typeof tool !== "string");
  if (stranger !== undefined) {
    throw new SchemaError("bad_value", `A tool is ${JSON.stringify(stranger)}.`, "Give the names of the tools.");
  }
  const content: Record<string, unknown> = { model, instructions, tools: names.sort(compareCodePoints) };
  const told = Object.entries(disclosure ?? {}).filter(([, value]) => value !== null && value !== undefined);
  if (told.length > 0)
    content.disclosure = Object.fromEntries(told.map(([key, value]) => [key, spelled(value, key, "")]));
  return sha256Hex(pyJson(content, { sortKeys: true })).slice(0, 12);
}

/** The version of an agent's harness: its label, or `h-` and its fingerprint. */
export function harnessVersion(harness: Harness): string {
  return harness.label || `h-${fingerprint(harness)}`;
}

/** The value with every float in it marked as one. */
function spelled(value: unknown, key: string, parent: string): unknown {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) {
      throw new SchemaError(
        "bad_value",
        `${key} of the disclosure is ${value}.`,
        "Give a finite number, or leave it out.",
      );
    }
    return parent === "sampling" && FLOATS.has(key) ? new PyFloat(value) : value;
  }
  if (Array.isArray(value)) return value.map((item) => spelled(item, key, parent));
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (parent === "sampling" && keys.length === 1 && typeof value.float === "number") return new PyFloat(value.float);
  return Object.fromEntries(keys.map((name) => [name, spelled(value[name], name, key)]));
}
