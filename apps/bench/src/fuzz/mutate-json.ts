import type { Random } from "./random.ts";

/** JSON text that stands where another value stood; what no value of JavaScript writes is spelled out. */
const TOKENS: readonly string[] = [
  ...["null", "true", "false", "0", "1", "-1", "0.5", "2", "-0", "1e999", "-1e999", "1e-999", "NaN", "-Infinity"],
  ...["9007199254740993", "-9007199254740993", "123456789012345678901234567890", `1${"0".repeat(320)}`],
  ...['""', '"x"', '"1"', '"true"', '"NaN"', '" "', '"\\ud835"', '"\\udc00\\ud800"', '"\\u0000"', '"\\u2028"'],
  ...["[]", "{}", "[[]]", "[null]", "[{}]", "[0]", '["x"]', "[[[[]]]]", '{"0":1}', '{"length":3}'],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"toString":null}'],
  ...['[{"role":"user","content":"hi"}]', '[{"role":"tool","content":null}]', '{"role":"assistant"}'],
  ...['{"type":"tool_use","id":1,"name":null,"input":"{"}', '{"function":{"name":7,"arguments":[]}}'],
  ...[
    '{"messages":[{"role":"user","content":[null,{"type":"text"}]}]}',
    '"{\\"a\\":1}"',
    '"[1,2"',
    '"{\\"a\\":1e999}"',
  ],
];

/** Keys that objects of JavaScript have without being given them, and keys that readers look for. */
const KEYS: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "length", "then", "toJSON", "", "\u0000"],
  ...["messages", "prompt", "reward", "scores", "steps", "samples", "trace", "input", "output", "id", "error", "rows"],
];

const DEEPEST = 3000;

/**
 * JSON text of the records with one to four things inside them changed: another kind of value, a key that is gone, comes
 * twice or has another name, a value from elsewhere, texts of any length, and nesting beyond what may be written.
 */
export function mutatedJson(records: readonly unknown[], random: Random): string[] {
  const copies = structuredClone(records) as unknown[];
  const raw: string[] = [];
  const changes = 1 + random.below(4);
  for (let i = 0; i < changes; i++) change(copies, raw, random);
  return copies.map((copy) => {
    const text = JSON.stringify(copy) ?? "null";
    return text.replaceAll(/"\ufdd0(\d+)"/g, (_, at) => raw[Number(at)]!);
  });
}

type Container = unknown[] | Record<string, unknown>;

function change(copies: unknown[], raw: string[], random: Random): void {
  const [parent, key] = placeIn(copies, random);
  const which = random.below(10);
  if (which === 0) remove(parent, key);
  else if (which === 1) put(parent, key, structuredClone(valueAt(copies, random)));
  else if (which === 2) put(parent, random.of(KEYS), structuredClone(valueAt(copies, random)));
  else put(parent, key, `\ufdd0${raw.push(replacement(at(parent, key), random)) - 1}`);
}

/** JSON text to stand where a value stood: another one, nested, long, or the value itself as a text, an item or a field. */
function replacement(value: unknown, random: Random): string {
  switch (random.below(7)) {
    case 0:
      return nested(random);
    case 1:
      return JSON.stringify(random.of(CHARACTERS).repeat(length(random)));
    case 2:
      return random.of([asText, asItem, asField])(JSON.stringify(value) ?? "null");
    default:
      return random.of(TOKENS);
  }
}

const CHARACTERS = ["x", "é", "\\", '"', "[", "{", "\n", "\ud83d\ude00"];

function asText(json: string): string {
  return JSON.stringify(json);
}

function asItem(json: string): string {
  return `[${json}]`;
}

function asField(json: string): string {
  return `{"value":${json}}`;
}

/** Mostly below what a writer can take, sometimes far beyond. */
function nested(random: Random): string {
  const depth = random.chance(3) ? 1 + random.below(DEEPEST) : 490 + random.below(40);
  const [open, close] = random.of([
    ["[", "]"],
    ['{"a":[', "]}"],
    ['{"a":', "}"],
  ] as const);
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** Mostly short; one in two hundred is hundreds of kilobytes. */
function length(random: Random): number {
  if (random.chance(200)) return 100_000 + random.below(400_000);
  return random.chance(4) ? random.below(20_000) : random.below(200);
}

/** Any place, the deep ones as often as they are: a walk that goes down as long as it can, or stops. */
function placeIn(copies: unknown[], random: Random): [Container, string | number] {
  let parent: Container = copies;
  let key: string | number = random.below(copies.length);
  for (;;) {
    const value = at(parent, key);
    if (!isContainer(value) || random.chance(6)) return [parent, key];
    const keys: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
    if (keys.length === 0) return [parent, key];
    parent = value;
    key = random.of(keys);
  }
}

function valueAt(copies: unknown[], random: Random): unknown {
  const [parent, key] = placeIn(copies, random);
  return at(parent, key);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function at(parent: Container, key: string | number): unknown {
  return (parent as Record<string | number, unknown>)[key];
}

/** An own key, `__proto__` too. */
function put(parent: Container, key: string | number, value: unknown): void {
  if (Array.isArray(parent) && typeof key === "string") parent.push(value);
  else Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove(parent: Container, key: string | number): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
