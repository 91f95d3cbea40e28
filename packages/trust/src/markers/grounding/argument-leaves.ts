/** One value of a call's arguments. */
export interface ArgumentLeaf {
  /** Keys from the outside in; positions of lists as numbers. */
  path: readonly string[];
  value: unknown;
}

/** Depth and values of a call that are looked at. */
const MAX_DEPTH = 64;
const MAX_LEAVES = 10_000;

/** Values depth first in key order, and whether some lay too deep or were too many. */
export function argumentLeaves(given: Record<string, unknown>): { leaves: ArgumentLeaf[]; cut: boolean } {
  const leaves: ArgumentLeaf[] = [];
  let cut = false;
  const open: ArgumentLeaf[] = [{ path: [], value: given }];
  while (open.length > 0) {
    const { path, value } = open.pop()!;
    if (typeof value !== "object" || value === null) {
      leaves.push({ path, value });
    } else if (path.length >= MAX_DEPTH) {
      cut = true;
    } else {
      const inner = Object.entries(value).map(([key, item]) => ({ path: [...path, key], value: item }));
      open.push(...inner.slice(0, MAX_LEAVES).reverse());
      if (inner.length > MAX_LEAVES) cut = true;
    }
    if (leaves.length + open.length > MAX_LEAVES * 2) return { leaves, cut: true };
  }
  return { leaves, cut };
}

/** The path with positions of lists as `*`: one key a position would hide the pattern. */
export function collapsed(path: readonly string[]): string {
  return path.map((key) => (/^\d+$/.test(key) ? "*" : key)).join(".");
}
