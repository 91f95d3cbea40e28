import { isObject } from "../is-object.ts";

/**
 * The attributes of a span, an event or a resource: a list of `{key, value}` as OTLP/JSON has them, or a plain object as
 * other exporters write. Remembers which were asked for, so that the others can be kept beside the row.
 */
export class Attributes {
  readonly #values: Map<string, unknown>;
  readonly #read = new Set<string>();

  constructor(given: unknown) {
    this.#values = new Map(entriesOf(given));
  }

  /** The first of the keys under which there is something; undefined when there is none. */
  first(keys: readonly string[]): unknown {
    for (const key of keys) {
      const value = this.#values.get(key);
      if (value === undefined || value === null || value === "") continue;
      this.#read.add(key);
      return value;
    }
    return undefined;
  }

  /** What stands under the keys that begin so, under the rest of their names. */
  under(prefix: string): Map<string, unknown> {
    const found = new Map<string, unknown>();
    for (const [key, value] of this.#values) {
      if (!key.startsWith(prefix)) continue;
      this.#read.add(key);
      found.set(key.slice(prefix.length), value);
    }
    return found;
  }

  /** Those that nothing has asked for; null when there are none. */
  unread(): Record<string, unknown> | null {
    const rest = [...this.#values].filter(([key]) => !this.#read.has(key));
    return rest.length === 0 ? null : Object.fromEntries(rest);
  }
}

/**
 * The first of the keys under which there is something, as `Attributes.first` has it, of attributes that nothing else is
 * asked of; undefined when there is none.
 */
export function firstAttribute(given: unknown, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = isObject(given) ? given[key] : Array.isArray(given) ? listedValue(given, key) : undefined;
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** Of a key that is listed twice the last value counts, as in a map. */
function listedValue(given: readonly unknown[], key: string): unknown {
  const item = given.findLast((one) => isObject(one) && one.key === key) as Record<string, unknown> | undefined;
  return heldValue(item?.value);
}

function entriesOf(given: unknown): [string, unknown][] {
  if (isObject(given)) return Object.entries(given);
  if (!Array.isArray(given)) return [];
  return given.flatMap((item): [string, unknown][] =>
    isObject(item) && typeof item.key === "string" ? [[item.key, heldValue(item.value)]] : [],
  );
}

/** A wrapped value of OTLP/JSON as what it holds; what has no wrapper as it is. 64-bit integers are decimal text. */
function heldValue(value: unknown): unknown {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 0) return null;
  const [kind] = keys;
  const read = keys.length === 1 ? READERS.get(kind!.replace("_v", "V")) : undefined;
  return read === undefined ? value : read(value[kind!]);
}

const asItIs = (held: unknown) => held;

const READERS: ReadonlyMap<string, (held: unknown) => unknown> = new Map<string, (held: unknown) => unknown>([
  ["stringValue", asItIs],
  ["boolValue", asItIs],
  ["doubleValue", asItIs],
  ["bytesValue", asItIs],
  ["intValue", integerOf],
  ["arrayValue", (held) => listIn(held).map(heldValue)],
  ["kvlistValue", (held) => Object.fromEntries(entriesOf(listIn(held)))],
]);

/** One that a double cannot hold keeps its digits as text. */
function integerOf(held: unknown): unknown {
  if (typeof held !== "string" || !/^-?\d+$/.test(held)) return held;
  const number = Number(held);
  return Number.isSafeInteger(number) ? number : held;
}

function listIn(held: unknown): readonly unknown[] {
  return isObject(held) && Array.isArray(held.values) ? held.values : [];
}
