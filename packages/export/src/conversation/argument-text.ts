import { isObject } from "@while/schema";
import { JsonNumber } from "../json/json-number.ts";
import { jsonText, type TextCounts } from "../json/json-text.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";

/** Some frameworks encode arguments once per layer they pass; beyond three it is a string by intent. */
const MAX_LAYERS = 3;

/**
 * The one reading of a tool call's arguments, whatever the file's spelling: JSON text is decoded (up to three layers
 * of it), nothing and the empty list are no arguments, anything else is what it is. Numbers keep their digits.
 *
 * @returns An object for a sound call; a string for text that is not JSON, kept so that the round trip names it
 */
export function argumentTree(given: unknown): unknown {
  let value = given;
  for (let layer = 0; layer < MAX_LAYERS && typeof value === "string"; layer++) {
    if (value.trim() === "") return {};
    try {
      value = parseJsonTree(value);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return value;
    }
  }
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return {};
  return value;
}

/**
 * Arguments as API-shaped rows hold them: JSON text, keys in arrival order, raw non-ASCII. The Python SDK escapes
 * `é` to six characters there, which teaches a model to write escapes; the parsed values are equal.
 */
export function argumentText(given: unknown, counts: TextCounts): string {
  const tree = argumentTree(given);
  return typeof tree === "string" ? tree : jsonText(tree, ",", counts);
}

/** Whether a value can be the arguments of a call: an object. */
export function isArguments(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof JsonNumber);
}
