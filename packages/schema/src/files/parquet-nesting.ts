import type { SchemaTree } from "hyparquet";
import { isListLike } from "hyparquet/src/schema.js";
import { decodeVariantColumn } from "hyparquet/src/variant.js";
import type { LeafColumn, LeafEntries } from "./parquet-leaf.ts";

/** Reads the cell of one row after another from the entries of the leaves below a column. */
export interface CellReader {
  leaves: readonly Leaf[];
  read(): unknown;
}

/** One leaf below a column, and how far its entries have been read. */
interface Leaf {
  column: LeafColumn;
  entries: LeafEntries;
  at: number;
  valueAt: number;
}

type Parsers = Parameters<typeof decodeVariantColumn>[1];

const NOTHING: LeafEntries = { definition: [], repetition: [], values: [] };

/**
 * Puts lists and structs together from the flat columns that Parquet keeps of them: the definition level of an entry
 * says how far down there is something, its repetition level which list goes on (Melnik and others, Dremel, 2010).
 * Lists are arrays, without the groups that the format puts around their elements; structs and the pairs of maps are
 * objects.
 *
 * @param tree A column, or a part of one
 * @param columnOf The leaf at a path
 * @param levels Around it: groups that may be missing, and lists
 */
export function cellReader(
  tree: SchemaTree,
  columnOf: (path: readonly string[]) => LeafColumn,
  { parsers, levels = { definition: 0, repetition: 0 } }: { parsers: Parsers; levels?: Levels },
): CellReader {
  const kind = tree.element.repetition_type;
  const definition = levels.definition + (kind === "REQUIRED" ? 0 : 1);
  const repetition = levels.repetition + (kind === "REPEATED" ? 1 : 0);
  const { leaves, read } = contentReader(tree, columnOf, { parsers, levels: { definition, repetition } });
  const [first] = leaves;
  if (first === undefined) throw new Error("a column has no values");
  const isMissing = (): boolean => {
    if (first.entries.definition[first.at]! >= definition) return false;
    for (const leaf of leaves) leaf.at++;
    return true;
  };
  switch (kind) {
    case "REPEATED":
      return {
        leaves,
        read() {
          if (isMissing()) return [];
          const items = [read()];
          while (first.entries.repetition[first.at] === repetition) items.push(read());
          return items;
        },
      };
    case "REQUIRED":
      return { leaves, read };
    default:
      return { leaves, read: () => (isMissing() ? null : read()) };
  }
}

interface Levels {
  definition: number;
  repetition: number;
}

function contentReader(
  tree: SchemaTree,
  columnOf: (path: readonly string[]) => LeafColumn,
  options: { parsers: Parsers; levels: Levels },
): CellReader {
  if (tree.children.length === 0) return leafReader(columnOf(tree.path));
  if (isListLike(tree)) return listReader(tree.children[0]!, columnOf, options);
  const fields = tree.children.map((child) => [child.element.name, cellReader(child, columnOf, options)] as const);
  const leaves = fields.flatMap(([, field]) => field.leaves);
  const isVariant = tree.element.logical_type?.type === "VARIANT";
  return {
    leaves,
    read() {
      const struct: Record<string, unknown> = {};
      for (const [name, field] of fields) struct[name] = field.read();
      return isVariant ? decodeVariantColumn(struct, options.parsers) : struct;
    },
  };
}

/** A list is a repeated group around one element, whose place in the group nobody asks for. */
function listReader(
  items: SchemaTree,
  columnOf: (path: readonly string[]) => LeafColumn,
  options: { parsers: Parsers; levels: Levels },
): CellReader {
  const list = cellReader(items, columnOf, options);
  const [element] = items.children;
  if (element === undefined) return list;
  const { name } = element.element;
  return {
    leaves: list.leaves,
    read: () => (list.read() as Record<string, unknown>[]).map((item) => item[name]),
  };
}

function leafReader(column: LeafColumn): CellReader {
  const leaf: Leaf = { column, entries: NOTHING, at: 0, valueAt: 0 };
  const { maxDefinition } = column.decoder;
  const read = (): unknown => {
    const depth = leaf.entries.definition[leaf.at++];
    return depth === maxDefinition ? leaf.entries.values[leaf.valueAt++] : null;
  };
  return { leaves: [leaf], read };
}
