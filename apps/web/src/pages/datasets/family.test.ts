import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { familyLines, flatLines, type Kin } from "./family.ts";

const set = (datasetId: string, parentDatasetId: string | null, createdAt: string): Kin => ({
  datasetId,
  name: `set ${datasetId}`,
  parentDatasetId,
  createdAt,
});
const REFUNDS = [
  set("raw", null, "2026-07-12"),
  set("sft", "raw", "2026-08-13"),
  set("r1", "raw", "2026-08-26"),
  set("grpo", "r1", "2026-09-15"),
  set("r3", "grpo", "2026-09-18"),
  set("holdout", "r1", "2026-09-16"),
  set("late", "raw", "2026-09-17"),
  set("escalate", null, "2026-07-20"),
];

/** The tree as a terminal would draw it. */
function drawn(sets: readonly Kin[]): string[] {
  return familyLines(sets).map(({ set, rails, last, root }) => {
    const elbow = root ? "" : last ? "└ " : "├ ";
    return rails.map((rail) => (rail ? "│ " : "  ")).join("") + elbow + set.datasetId;
  });
}

describe("familyLines", () => {
  test("children stand below what they were made from, and the family that grew last on top", () => {
    expect(drawn(REFUNDS)).toEqual([
      "raw",
      "├ sft",
      "├ r1",
      "│ ├ grpo",
      "│ │ └ r3",
      "│ └ holdout",
      "└ late",
      "escalate",
    ]);
  });

  test("a line knows the name of what it was made from", () => {
    const names = familyLines(REFUNDS).map(({ set, parent }) => [set.datasetId, parent]);
    expect(names).toContainEqual(["r3", "set grpo"]);
    expect(names).toContainEqual(["raw", null]);
  });

  test("without the drawing each set stands for itself, the newest first", () => {
    const lines = flatLines(REFUNDS);
    expect(lines.map(({ set }) => set.datasetId).slice(0, 3)).toEqual(["r3", "late", "holdout"]);
    expect(lines.every(({ root, rails }) => root && rails.length === 0)).toBe(true);
  });

  test("a set whose parent is elsewhere is a root that says so", () => {
    const [line] = familyLines([set("child", "gone", "2026-01-01")]);
    expect(line).toMatchObject({ orphan: true, root: true, rails: [], parent: null });
  });

  test("sets that name one another as parents are drawn once each", () => {
    const ring = [set("a", "b", "1"), set("b", "a", "2"), set("self", "self", "3")];
    expect(
      familyLines(ring)
        .map(({ set }) => set.datasetId)
        .toSorted(),
    ).toEqual(["a", "b", "self"]);
  });

  test("every set comes once, whatever the parents say", () => {
    const parents = fc.array(fc.option(fc.nat(12), { nil: null }), { maxLength: 12 });
    fc.assert(
      fc.property(parents, (parents) => {
        const sets = parents.map((parent, i) => set(`s${i}`, parent === null ? null : `s${parent}`, `${i % 4}`));
        const ids = familyLines(sets).map(({ set }) => set.datasetId);
        expect(ids.toSorted()).toEqual(sets.map(({ datasetId }) => datasetId).toSorted());
      }),
    );
  });
});
