import { FLOAT_KEYS } from "../carried-keys.ts";
import { JsonNumber } from "../json/json-number.ts";
import { floatText, jsonText, keyText, numberText, quoted, type TextCounts } from "../json/json-text.ts";
import { addToTree, newTypeTree, type TypeTree, typeText } from "./type-tree.ts";

/**
 * What travels beside the conversation: `auto` moves columns without one type into `metadata_json`, `columns` leaves
 * them where they are and warns, `none` writes what the trainer reads and nothing else.
 */
export const CARRY = ["auto", "columns", "none"] as const;
export type Carry = (typeof CARRY)[number];

/** Conversation and schemas: never moved, and typed by the trainer's own loader. */
const TRAINED: ReadonlyMap<string, string> = new Map([
  ["messages", "list<message>"],
  ["prompt", "list<message>"],
  ["completion", "list<message>"],
  ["chosen", "list<message>"],
  ["rejected", "list<message>"],
  ["tools", "list<tool>"],
  ["conversations", "list<turn>"],
  ["contents", "list<content>"],
  ["system", "list<text>"],
  ["systemInstruction", "content"],
  ["system_instruction", "content"],
  ["toolConfig", "list<tool>"],
  ["input", "conversation"],
  ["context", "list<message>"],
  ["rejected_messages", "list<message>"],
  ["completions", "list<completion>"],
  ["preferred_output", "list<message>"],
  ["non_preferred_output", "list<message>"],
]);

/**
 * The columns of a file: which type each has over all rows, which have none, and the text of a row under them.
 * A column that is a string in the first block of a file and a list in a later one fails in an Arrow reader; structs
 * are padded with null for keys that other rows have.
 */
export class Columns {
  readonly #trees = new Map<string, TypeTree>();
  readonly #unstable = new Set<string>();
  readonly #trained = new Map<string, string>();
  /** Columns in the order in which rows first had them. */
  readonly #seen = new Set<string>();
  readonly #carry: Carry;
  readonly #consumerColumns: ReadonlySet<string>;
  readonly #keepsNull: ReadonlySet<string>;

  /** @param keepsNull Columns that stand in every row, null where it has no value; elsewhere absent is not null */
  constructor(carry: Carry, consumerColumns: readonly string[], keepsNull: readonly string[] = []) {
    this.#carry = carry;
    this.#keepsNull = new Set(keepsNull);
    this.#consumerColumns = new Set([...consumerColumns, "schema_version"]);
  }

  add(row: Record<string, unknown>): void {
    for (const key of Object.keys(row)) {
      const value = row[key];
      if (value === null || value === undefined || this.#leftOut(key) || this.#unstable.has(key)) continue;
      this.#seen.add(key);
      const trained = TRAINED.get(key);
      if (trained !== undefined && typeof value !== "string") {
        this.#trained.set(key, trained);
        continue;
      }
      let tree = this.#trees.get(key);
      if (tree === undefined) {
        tree = newTypeTree();
        this.#trees.set(key, tree);
      }
      if (addToTree(tree, value, key)) continue;
      this.#unstable.add(key);
      this.#trees.delete(key);
    }
  }

  /** Columns without one type, in the order in which rows first had them. */
  get unstable(): string[] {
    return [...this.#seen].filter((key) => this.#unstable.has(key));
  }

  /** Columns of the file with their types; those that were moved are in `metadata_json`. */
  types(): Map<string, string> {
    const types = new Map(this.#trained);
    for (const [key, tree] of this.#trees) types.set(key, typeText(tree));
    if (this.#unstable.size > 0) {
      if (this.#carry === "auto") types.set("metadata_json", "string");
      else for (const key of this.#unstable) types.set(key, "mixed");
    }
    return types;
  }

  /** One line of the file, without its end. Columns without a value are not written: absent is not null to Arrow. */
  line(row: Record<string, unknown>, counts: TextCounts): string {
    const moved: Record<string, unknown> = {};
    let nMoved = 0;
    let text = "{";
    for (const key of Object.keys(row)) {
      const value = row[key];
      if (value === undefined || (value === null && !this.#keepsNull.has(key)) || this.#leftOut(key)) continue;
      if (this.#carry === "auto" && this.#unstable.has(key)) {
        moved[key] = value;
        nMoved++;
        continue;
      }
      text += `${text === "{" ? "" : ", "}${keyText(key, counts)}: `;
      text += TRAINED.has(key) ? jsonText(value, ", ", counts) : columnText(value, key, this.#trees.get(key), counts);
    }
    if (nMoved > 0) {
      const metadata = quoted(jsonText(moved, ", ", counts), counts);
      text += `${text === "{" ? "" : ", "}"metadata_json": ${metadata}`;
    }
    return `${text}}`;
  }

  #leftOut(key: string): boolean {
    return this.#carry === "none" && !this.#consumerColumns.has(key);
  }
}

/** A value by its column's type: a number is a float where any row has one there, or where the key is known to be. */
function columnText(value: unknown, key: string, tree: TypeTree | undefined, counts: TextCounts): string {
  if (value === null || value === undefined) return "null";
  if (value instanceof JsonNumber) return isFloat(key, tree) ? floatOf(value.text) : value.text;
  if (typeof value === "number") return isFloat(key, tree) ? floatText(value, counts) : numberText(value, counts);
  if (typeof value !== "object") return jsonText(value, ", ", counts);
  if (Array.isArray(value)) {
    return `[${value.map((item) => columnText(item, key, tree?.items ?? undefined, counts)).join(", ")}]`;
  }
  let text = "";
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name];
    if (member === undefined) continue;
    const written = columnText(member, name, tree?.fields?.get(name), counts);
    text += `${text === "" ? "" : ", "}${keyText(name, counts)}: ${written}`;
  }
  return `{${text}}`;
}

function isFloat(key: string, tree: TypeTree | undefined): boolean {
  return tree?.float === true || FLOAT_KEYS.has(key);
}

function floatOf(digits: string): string {
  return /^-?\d+$/.test(digits) ? `${digits}.0` : digits;
}
