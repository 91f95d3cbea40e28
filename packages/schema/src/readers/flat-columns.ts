import { isObject } from "../is-object.ts";
import { parseEmbeddedJson } from "../json/json-text.ts";
import type { SourceObject } from "../json/record-reader.ts";

/**
 * A record of a flat table with its JSON columns put back: a list under `steps_json` becomes `steps`, unless there is
 * one already, and the object under `metadata_json` becomes `metadata`. Text that is no JSON stays where it is.
 * Tables such as Parquet want one type a column, so published sets of rows are flattened like this.
 */
export function unflattened(record: SourceObject): SourceObject {
  const isFlat =
    typeof record.steps_json === "string" ||
    typeof record.messages_json === "string" ||
    typeof record.metadata_json === "string";
  if (!isFlat) return record;
  const whole = { ...record };
  for (const [column, text] of Object.entries(record)) {
    if (!column.endsWith("_json") || typeof text !== "string") continue;
    const key = column.slice(0, -"_json".length);
    const value = parsed(text);
    const isWanted = Array.isArray(value) || (key === "metadata" && isObject(value));
    if (!isWanted || !isEmpty(record[key])) continue;
    delete whole[column];
    Object.defineProperty(whole, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return whole;
}

/** Nothing, "" or a list of nothing. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function parsed(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return parseEmbeddedJson(text);
  } catch {
    return undefined; // The column stays text, as it was.
  }
}
