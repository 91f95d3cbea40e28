/** What a family tree reads of a set. */
export interface Kin {
  datasetId: string;
  name: string;
  parentDatasetId: string | null;
  createdAt: string;
}

/** A set with its place in the drawing of its family. */
export interface FamilyLine<Member extends Kin> {
  set: Member;
  /** For each generation above it: does a line pass by to a later sibling of that ancestor? */
  rails: boolean[];
  /** No younger sibling follows. */
  last: boolean;
  /** Nothing stands above it, so it is drawn without an elbow. */
  root: boolean;
  /** It was made from a set that is not in the list. */
  orphan: boolean;
  /** Name of the set it was made from; null where that is not in the list, or there is none. */
  parent: string | null;
}

/**
 * Sets as a family tree, one a line: a child stands below the set it was made from, elder siblings first, and the family
 * that grew last stands on top. Every set comes once, whatever its parent says.
 */
export function familyLines<Member extends Kin>(sets: readonly Member[]): FamilyLine<Member>[] {
  const known = new Map(sets.map((set) => [set.datasetId, set]));
  const children = new Map<string, Member[]>();
  const roots: Member[] = [];
  for (const set of sets.toSorted((a, b) => compare(a.createdAt, b.createdAt) || compare(a.datasetId, b.datasetId))) {
    const parent = set.parentDatasetId;
    if (parent === null || !known.has(parent)) roots.push(set);
    else children.set(parent, [...(children.get(parent) ?? []), set]);
  }
  const placed = new Set<string>();
  const linesOf = (root: Member): FamilyLine<Member>[] => {
    const lines: FamilyLine<Member>[] = [];
    const place = (set: Member, rails: boolean[], last: boolean): void => {
      if (placed.has(set.datasetId)) return;
      placed.add(set.datasetId);
      const orphan = set.parentDatasetId !== null && !known.has(set.parentDatasetId);
      const root = lines.length === 0;
      const parent = set.parentDatasetId === null ? null : (known.get(set.parentDatasetId)?.name ?? null);
      lines.push({ set, rails, last, root, orphan, parent });
      const below = children.get(set.datasetId) ?? [];
      const through = root ? [] : [...rails, !last];
      for (const [i, child] of below.entries()) place(child, through, i === below.length - 1);
    };
    place(root, [], true);
    return lines;
  };
  const families = roots.map(linesOf);
  // Sets that name one another as parents hang on no root: the eldest of them is drawn as one.
  for (const set of sets.toSorted((a, b) => compare(a.createdAt, b.createdAt))) {
    if (!placed.has(set.datasetId)) families.push(linesOf(set));
  }
  const newest = (lines: FamilyLine<Member>[]): string =>
    lines
      .map(({ set }) => set.createdAt)
      .toSorted()
      .at(-1) ?? "";
  return families.toSorted((a, b) => compare(newest(b), newest(a))).flat();
}

/** The same lines without their drawing: newest first, each for itself. */
export function flatLines<Member extends Kin>(sets: readonly Member[]): FamilyLine<Member>[] {
  return familyLines(sets)
    .map((line) => ({ ...line, rails: [], root: true }))
    .sort((a, b) => compare(b.set.createdAt, a.set.createdAt) || compare(a.set.datasetId, b.set.datasetId));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
