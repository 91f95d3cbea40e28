import { FLOAT_KEYS } from "../carried-keys.ts";
import { JsonNumber } from "../json/json-number.ts";

/**
 * The type of a column over all rows, as an Arrow reader would have to give it. `fields` and `items` are there once a
 * struct or a list was seen.
 */
export interface TypeTree {
  /** Values seen, null among them. */
  n: number;
  /** Values that were not null. */
  nFilled: number;
  boolean: boolean;
  int: boolean;
  float: boolean;
  string: boolean;
  items: TypeTree | null;
  fields: Map<string, TypeTree> | null;
  nStructs: number;
}

export function newTypeTree(): TypeTree {
  return {
    n: 0,
    nFilled: 0,
    boolean: false,
    int: false,
    float: false,
    string: false,
    items: null,
    fields: null,
    nStructs: 0,
  };
}

/**
 * Adds one value to a column's type.
 *
 * @returns false once no single type fits: two kinds of value, or structs of which one lacks a field that another
 *   fills, which a reader would pad with null. Integers beside floats fit, since both are then written as floats;
 *   null beside absent fits.
 */
export function addToTree(tree: TypeTree, value: unknown, key: string): boolean {
  tree.n++;
  if (isNull(value)) return true;
  tree.nFilled++;
  switch (typeof value) {
    case "boolean":
      tree.boolean = true;
      break;
    case "number":
      if (Number.isInteger(value) && !FLOAT_KEYS.has(key)) tree.int = true;
      else tree.float = true;
      break;
    case "bigint":
      tree.int = true;
      break;
    case "string":
      tree.string = true;
      break;
    default:
      if (value instanceof JsonNumber) {
        if (/^-?\d+$/.test(value.text) && !FLOAT_KEYS.has(key)) tree.int = true;
        else tree.float = true;
      } else if (Array.isArray(value)) {
        tree.items ??= newTypeTree();
        for (const item of value) if (!addToTree(tree.items, item, key)) return false;
      } else if (!addStruct(tree, value as Record<string, unknown>)) return false;
  }
  const kinds = Number(tree.boolean) + Number(tree.int || tree.float) + Number(tree.string);
  return kinds + Number(tree.items !== null) + Number(tree.fields !== null) <= 1;
}

function addStruct(tree: TypeTree, value: Record<string, unknown>): boolean {
  tree.fields ??= new Map();
  tree.nStructs++;
  let nMet = 0;
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    let field = tree.fields.get(key);
    if (field === undefined) {
      field = newTypeTree();
      tree.fields.set(key, field);
    } else nMet++;
    if (!addToTree(field, member, key)) return false;
    // Filled here and absent before, or nowhere filled until now and absent somewhere.
    if (field.nFilled > 0 && field.n < tree.nStructs) return false;
  }
  if (nMet < tree.fields.size) {
    for (const field of tree.fields.values()) if (field.nFilled > 0 && field.n < tree.nStructs) return false;
  }
  return true;
}

/** The type in Arrow's words, e.g. `struct<pass_rate: float64, k: int64>`. */
export function typeText(tree: TypeTree): string {
  if (tree.boolean) return "bool";
  if (tree.float) return "float64";
  if (tree.int) return "int64";
  if (tree.string) return "string";
  if (tree.items !== null) return `list<${typeText(tree.items)}>`;
  if (tree.fields === null) return "null";
  return `struct<${[...tree.fields].map(([key, field]) => `${key}: ${typeText(field)}`).join(", ")}>`;
}

/** Not finite counts as null, which is how it is written. */
function isNull(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "number" && !Number.isFinite(value));
}
