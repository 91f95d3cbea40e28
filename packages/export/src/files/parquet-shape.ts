import { isObject } from "@while/schema";
import type { SchemaElement } from "hyparquet";
import { addToTree, newTypeTree, type TypeTree } from "../arrow/type-tree.ts";
import { JsonNumber } from "../json/json-number.ts";
import { jsonText, newTextCounts } from "../json/json-text.ts";

/** How a column is kept: as values of one type, however nested, as JSON, or as a list of JSON. */
export interface ParquetShape {
  name: string;
  /** null for JSON. */
  tree: TypeTree | null;
  /** Of JSON: each item of a list by itself. */
  isList: boolean;
}

/**
 * The shapes of columns, learned from all rows. A column of one type is kept as that type. One that has none (messages of
 * which some have calls, schemas of different parameters) is kept as JSON, so that nothing is padded with null; a list of
 * such values is a list of JSON, which loaders of datasets give back as objects.
 */
export class ParquetShapes {
  readonly #trees = new Map<string, TypeTree>();
  readonly #json = new Set<string>();
  readonly #notLists = new Set<string>();
  readonly #order = new Set<string>();

  add(row: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(row)) {
      this.#order.add(key);
      if (value === null) continue;
      if (!Array.isArray(value)) this.#notLists.add(key);
      if (this.#json.has(key)) continue;
      let tree = this.#trees.get(key);
      if (tree === undefined) {
        tree = newTypeTree();
        this.#trees.set(key, tree);
      }
      if (!addToTree(tree, value, key)) this.#json.add(key);
    }
  }

  /** In the order in which rows first had them; columns without a value are left out. */
  shapes(): ParquetShape[] {
    return [...this.#order].flatMap((name): ParquetShape[] => {
      const tree = this.#trees.get(name);
      if (tree === undefined) return [];
      const isTyped = !this.#json.has(name) && isWhole(tree);
      return [{ name, tree: isTyped ? tree : null, isList: !isTyped && !this.#notLists.has(name) }];
    });
  }
}

/** Every part has a type and no struct is empty: nothing else can be a column. */
function isWhole(tree: TypeTree): boolean {
  if (tree.items !== null) return isWhole(tree.items);
  if (tree.fields !== null) return tree.fields.size > 0 && [...tree.fields.values()].every(isWhole);
  return tree.boolean || tree.int || tree.float || tree.string;
}

const TEXT: Omit<SchemaElement, "name"> = {
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  logical_type: { type: "STRING" },
};
/** By the logical type alone: the writer would spell what has the converted one a second time. */
const JSON_TEXT: Omit<SchemaElement, "name"> = { type: "BYTE_ARRAY", logical_type: { type: "JSON" } };

/** The elements of a file's schema that make up one column. */
export function elementsOf({ name, tree, isList }: ParquetShape): SchemaElement[] {
  if (tree !== null) return typed(name, tree);
  return isList ? listOf(name, [optional("element", JSON_TEXT)]) : [optional(name, JSON_TEXT)];
}

function typed(name: string, tree: TypeTree): SchemaElement[] {
  if (tree.items !== null) return listOf(name, typed("element", tree.items));
  if (tree.fields !== null) {
    const fields = [...tree.fields].flatMap(([key, field]) => typed(key, field));
    return [optional(name, { num_children: tree.fields.size }), ...fields];
  }
  if (tree.string) return [optional(name, TEXT)];
  return [optional(name, { type: tree.boolean ? "BOOLEAN" : tree.float ? "DOUBLE" : "INT64" })];
}

function optional(name: string, element: Omit<SchemaElement, "name">): SchemaElement {
  return { name, repetition_type: "OPTIONAL", ...element };
}

function listOf(name: string, element: SchemaElement[]): SchemaElement[] {
  return [
    optional(name, { num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } }),
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    ...element,
  ];
}

/** A value of the column as the writer takes it; null where the row has none. */
export function parquetCell(value: unknown, { tree, isList }: ParquetShape): unknown {
  if (value === null || value === undefined) return null;
  if (tree !== null) return typedCell(value, tree);
  return isList ? (value as unknown[]).map(json) : json(value);
}

function typedCell(value: unknown, tree: TypeTree): unknown {
  if (value === null || value === undefined) return null;
  if (tree.items !== null) return (value as unknown[]).map((item) => typedCell(item, tree.items!));
  if (tree.fields !== null && isObject(value)) {
    return Object.fromEntries([...tree.fields].map(([key, field]) => [key, typedCell(value[key], field)]));
  }
  if (tree.float) return Number(value);
  if (tree.int) return BigInt(value instanceof JsonNumber ? value.text : (value as number));
  return value;
}

const encoder = new TextEncoder();

function json(value: unknown): Uint8Array {
  return encoder.encode(jsonText(value, ", ", newTextCounts()));
}
