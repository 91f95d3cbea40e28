import { isObject, type ToolSchema } from "@while/schema";
import { JsonNumber } from "../json/json-number.ts";

/** Where a kind of value was first seen: the row's place in the file, and the tool. */
export interface Seen {
  row: number;
  tool: string;
}

/** One place in tool calls or schemas that holds values of different kinds. */
export interface TypeConflict {
  /** E.g. `tool_calls[].function.arguments.time`. */
  path: string;
  /** The kinds, each with the first call or schema that has it. */
  kinds: Map<string, Seen>;
}

/** A call that a column reader would complete with arguments it never had. */
export interface PaddedCall extends Seen {
  /** An argument of other calls that this one lacks. */
  argument: string;
}

/** Names beyond this many are not compared: they are data under the guise of names, such as ids used as keys. */
const PATHS_MAX = 10_000;

/**
 * Kinds of values per argument name, over all calls of a file. In Arrow all calls share one struct: a name that is a
 * string here and a number there fails to load, and a name that only some calls have is padded with null in the
 * others, which a template prints into the prompt as if the agent had said it.
 */
export class ArgumentTypes {
  readonly #kinds = new Map<string, Map<string, Seen>>();
  /** The argument names of all calls so far; unused once one of them differs. */
  #names: ReadonlySet<string> = new Set();
  #firstCall: Seen | null = null;
  #padded: PaddedCall | null = null;
  #lastTools: unknown;

  /** @param row The row's place in the file */
  addCall(tool: string, args: unknown, row: number): void {
    if (!isObject(args) || args instanceof JsonNumber) return;
    const seen = { row, tool };
    this.#padded ??= this.#lacking(Object.keys(args), seen);
    for (const [name, value] of Object.entries(args)) {
      this.#add(`tool_calls[].function.arguments.${name}`, value, seen);
    }
  }

  /** Schemas meet the same reader. Lists that rows share are looked at once. */
  addTools(tools: readonly ToolSchema[], row: number): void {
    if (tools === this.#lastTools) return;
    this.#lastTools = tools;
    for (const tool of tools) {
      const name = isObject(tool?.function) ? tool.function.name : undefined;
      this.#add("tools[]", tool, { row, tool: typeof name === "string" ? name : "" });
    }
  }

  /** Places with more than one kind of value; null and absent are no kinds. */
  conflicts(): TypeConflict[] {
    const conflicts: TypeConflict[] = [];
    for (const [path, kinds] of this.#kinds) if (kinds.size > 1) conflicts.push({ path, kinds });
    return conflicts;
  }

  /** The first call that lacks an argument of another; null when all calls have the same names. */
  padded(): PaddedCall | null {
    return this.#padded;
  }

  #lacking(names: readonly string[], seen: Seen): PaddedCall | null {
    if (this.#firstCall === null) {
      this.#firstCall = seen;
      this.#names = new Set(names);
      return null;
    }
    const added = names.find((name) => !this.#names.has(name));
    if (added !== undefined) return { ...this.#firstCall, argument: added };
    const present = new Set(names);
    for (const argument of this.#names) if (!present.has(argument)) return { ...seen, argument };
    return null;
  }

  #add(path: string, value: unknown, seen: Seen): void {
    const kind = kindOf(value);
    if (kind === null) return;
    let kinds = this.#kinds.get(path);
    if (kinds === undefined) {
      if (this.#kinds.size >= PATHS_MAX) return;
      kinds = new Map();
      this.#kinds.set(path, kinds);
    }
    if (!kinds.has(kind)) kinds.set(kind, seen);
    if (kind === "list") for (const item of value as unknown[]) this.#add(`${path}[]`, item, seen);
    if (kind !== "object") return;
    for (const [key, member] of Object.entries(value as object)) this.#add(`${path}.${key}`, member, seen);
  }
}

function kindOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "bigint" || value instanceof JsonNumber) return "number";
  if (Array.isArray(value)) return "list";
  return typeof value;
}
