import { JsonNumber } from "./json-number.ts";

/** Deeper texts are refused, as the readers of rows refuse them: whoever walks the tree would overflow. */
const MAX_DEPTH = 512;

/**
 * Whether a JSON text may hold something that `JSON.parse` cannot give back: a number with an exponent, with more
 * than 15 digits, with a trailing zero behind its point or very close to zero, or a key that looks like an array
 * index (JavaScript moves those to the front). It also fires on such digits inside strings, which costs time only.
 */
const NEEDS_CARE = /[\d.]{16}|\.\d*0(?!\d)|\.0{5}|\d[eE]|-0|"\d+"\s*:/;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids those inside strings
const NEEDS_UNESCAPING = /[\\\u0000-\u001f]/;

const keyOrders = new WeakMap<object, readonly string[]>();

/**
 * The value of a JSON text with nothing lost: a number whose digits a double would change is a `JsonNumber`, and
 * `keysInOrder` gives the keys of every object as they arrived. As everywhere, the last of two equal keys wins.
 *
 * @throws SyntaxError when the text is not JSON or nests deeper than 512 levels
 */
export function parseJsonTree(text: string): unknown {
  if (!NEEDS_CARE.test(text) && !mayBeDeep(text)) return JSON.parse(text);
  return new Parser(text).whole();
}

/** The keys of an object in the order of the text it was parsed from. */
export function keysInOrder(object: object): readonly string[] {
  const keys = Object.keys(object);
  // Index-like keys come first, so that one look tells whether the order can have changed.
  return keys.length > 1 && isDigit(keys[0]!.charCodeAt(0)) ? (keyOrders.get(object) ?? keys) : keys;
}

/** Whether digits or order would be lost in `JSON.parse`; true too often, never too seldom. */
export function needsCare(text: string): boolean {
  return NEEDS_CARE.test(text);
}

function mayBeDeep(text: string): boolean {
  if (text.length <= 2 * MAX_DEPTH) return false;
  let opened = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if ((unit === 0x5b || unit === 0x7b) && ++opened > MAX_DEPTH) return true;
  }
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Plain recursive descent; the exact rules of strings are left to `JSON.parse`, one string at a time. */
class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#blanks();
    if (this.#at < this.#text.length) this.#fail();
    return value;
  }

  #value(depth: number): unknown {
    this.#blanks();
    switch (this.#text[this.#at]) {
      case "{":
        return this.#object(depth + 1);
      case "[":
        return this.#array(depth + 1);
      case '"':
        return this.#string();
      case "t":
        return this.#word("true", true);
      case "f":
        return this.#word("false", false);
      case "n":
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): Record<string, unknown> {
    if (depth > MAX_DEPTH) this.#fail();
    const object: Record<string, unknown> = {};
    const order: string[] = [];
    let indexLike = false;
    this.#at++;
    if (this.#closes("}")) return object;
    do {
      this.#blanks();
      if (this.#text[this.#at] !== '"') this.#fail();
      const key = this.#string();
      this.#blanks();
      if (this.#text[this.#at++] !== ":") this.#fail();
      const value = this.#value(depth);
      if (!Object.hasOwn(object, key)) order.push(key);
      if (isDigit(key.charCodeAt(0))) indexLike = true;
      if (key === "__proto__") {
        Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
      } else object[key] = value;
    } while (this.#continues("}"));
    if (indexLike) keyOrders.set(object, order);
    return object;
  }

  #array(depth: number): unknown[] {
    if (depth > MAX_DEPTH) this.#fail();
    const array: unknown[] = [];
    this.#at++;
    if (this.#closes("]")) return array;
    do array.push(this.#value(depth));
    while (this.#continues("]"));
    return array;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do {
      end = this.#text.indexOf('"', end + 1);
      if (end === -1) this.#fail();
    } while (this.#isEscaped(end));
    this.#at = end + 1;
    // Eight in ten strings hold nothing that needs JSON.parse, and a call of it takes longer than the rest of this.
    const inside = this.#text.slice(start + 1, end);
    return NEEDS_UNESCAPING.test(inside) ? JSON.parse(this.#text.slice(start, this.#at)) : inside;
  }

  #isEscaped(quote: number): boolean {
    let slashes = 0;
    while (this.#text[quote - 1 - slashes] === "\\") slashes++;
    return slashes % 2 === 1;
  }

  #number(): number | JsonNumber {
    NUMBER.lastIndex = this.#at;
    const token = NUMBER.exec(this.#text)?.[0];
    if (token === undefined) this.#fail();
    this.#at += token.length;
    const double = Number(token);
    return String(double) === token ? double : new JsonNumber(token);
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail();
    this.#at += word.length;
    return value;
  }

  #closes(bracket: string): boolean {
    this.#blanks();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at++;
    return true;
  }

  #continues(bracket: string): boolean {
    this.#blanks();
    const unit = this.#text[this.#at++];
    if (unit === ",") return true;
    if (unit === bracket) return false;
    return this.#fail();
  }

  #blanks(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }

  #fail(): never {
    throw new SyntaxError(`Not JSON at character ${this.#at + 1}, or nested deeper than ${MAX_DEPTH} levels.`);
  }
}
