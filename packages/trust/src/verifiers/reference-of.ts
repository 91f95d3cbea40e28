import type { Row } from "@while/schema";
import { ownValue } from "./own-value.ts";

/** Where a row keeps its answer key, in the order in which it is looked for. */
const REFERENCE_KEYS = ["reference", "answer", "target", "solution", "label", "expected"] as const;
const BLOCKS = ["info", "metadata", "privileged"] as const;

export interface Reference {
  value: unknown;
  /** Dotted path of the field it was read from. */
  path: string;
  /** It came out of the block that only a teacher may read, and no reason may quote it. */
  isPrivileged: boolean;
}

/**
 * The answer key of a row: of `field` alone where that is given, else `privileged.reference`, else the row's own
 * `reference`, `answer`, `target`, `solution`, `label` or `expected`, else the same keys inside `info`, `metadata` and
 * `privileged`. Null, and a blank text, is no key. Returns null when the row has none.
 *
 * @param field A key, or a path with dots (`info.gold`). A key that holds a dot itself is found before the path
 */
export function referenceOf(row: Row, field?: string): Reference | null {
  if (field !== undefined) return at(row, field);
  const paths = [
    "privileged.reference",
    ...REFERENCE_KEYS,
    ...BLOCKS.flatMap((block) => REFERENCE_KEYS.map((key) => `${block}.${key}`)),
  ];
  for (const path of paths) {
    const found = at(row, path);
    if (found !== null) return found;
  }
  return null;
}

function at(row: Row, path: string): Reference | null {
  const value = ownValue(row, path) ?? path.split(".").reduce<unknown>(ownValue, row);
  if (value === null || value === undefined || (typeof value === "string" && value.trim() === "")) return null;
  return { value, path, isPrivileged: path === "privileged" || path.startsWith("privileged.") };
}
