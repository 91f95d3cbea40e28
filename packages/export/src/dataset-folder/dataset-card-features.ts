import { addToTree, newTypeTree, type TypeTree } from "../arrow/type-tree.ts";
import { parseJsonTree } from "../json/parse-json-tree.ts";

/** A column as the front matter of a dataset card names it. */
export type CardFeature =
  | { name: string; dtype: "bool" | "int64" | "float64" | "string" | "json" }
  | { name: string; list: "bool" | "int64" | "float64" | "string" | "json" };

/** Columns whose elements differ from row to row in what they hold: calls, arguments, schemas. */
const JSON_LISTS: ReadonlySet<string> = new Set([
  ...["messages", "prompt", "completion", "chosen", "rejected", "conversations", "tools"],
]);

/**
 * The columns of exported lines with types under which a column reader gives every value back: it would pad objects with
 * nulls for keys that others have, take `1` for an integer column and fail on the first `0.5`, and fail on a column that
 * is a text here and a list there.
 *
 * @param lines Lines of a file, as `exportLines` gives them
 */
export function datasetCardFeatures(lines: Iterable<string>): CardFeature[] {
  const columns = new Map<string, { tree: TypeTree; isStable: boolean }>();
  for (const line of lines) {
    for (const [name, value] of Object.entries(parseJsonTree(line) as Record<string, unknown>)) {
      let column = columns.get(name);
      if (column === undefined) {
        column = { tree: newTypeTree(), isStable: true };
        columns.set(name, column);
      }
      // Once no type fits, none will.
      column.isStable = column.isStable && addToTree(column.tree, value, name);
    }
  }
  return [...columns].map(([name, { tree, isStable }]) => feature(name, tree, isStable));
}

function feature(name: string, tree: TypeTree, isStable: boolean): CardFeature {
  if (tree.items !== null && JSON_LISTS.has(name)) return { name, list: "json" };
  if (!isStable || tree.fields !== null) return { name, dtype: "json" };
  if (tree.items !== null) {
    const of = scalar(tree.items);
    return of === null ? { name, dtype: "json" } : { name, list: of };
  }
  return { name, dtype: scalar(tree) ?? "string" };
}

/** null for what is no scalar. */
function scalar(tree: TypeTree): "bool" | "int64" | "float64" | "string" | null {
  if (tree.items !== null || tree.fields !== null) return null;
  if (tree.boolean) return "bool";
  if (tree.float) return "float64";
  if (tree.int) return "int64";
  return tree.string ? "string" : null;
}
