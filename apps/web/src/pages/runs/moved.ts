import type { Behavior, Delta, VersionScore } from "@while/platform-client/contract";
import { difference, sameTest } from "@while/platform-client/rules";
import type { Role } from "../../marks/role.ts";

/** One behavior on which both versions were scored, and how to read it. */
export interface Moved {
  name: string;
  target: boolean;
  serving: number | null;
  candidate: number | null;
  delta: number | null;
  halfWidth: number | null;
  floor: number | null;
  role: Role;
  /** Hollow: not a claim. */
  open: boolean;
  /** Word and the rest of the reading: "gain", "clears its band". */
  word: string | null;
  says: string;
}

export interface MovedInput {
  scores: readonly { name: string; versions: readonly VersionScore[] }[];
  behaviors: readonly Behavior[];
  candidate: string | null;
  serving: string | null;
  targets: readonly string[];
}

/** Every behavior that both versions were scored on: what the run claims to move first, then the deepest drop. */
export function movedOf({ scores, behaviors, candidate, serving, targets }: MovedInput): Moved[] {
  const moved = scores.flatMap(({ name, versions }): Moved[] => {
    const [ours, theirs] = [versions.find(({ v }) => v === candidate), versions.find(({ v }) => v === serving)];
    if (ours === undefined || theirs === undefined || candidate === serving) return [];
    const floor = behaviors.find((behavior) => behavior.name === name)?.noiseFloor ?? null;
    const found = sameTest(ours, theirs) ? difference(ours, theirs) : { delta: null, halfWidth: null };
    return [
      readMoved({
        ...{ name, target: targets.includes(name), serving: theirs.score, candidate: ours.score, floor },
        ...{ delta: found.delta, halfWidth: found.halfWidth },
      }),
    ];
  });
  return moved.sort(inOrder);
}

/** The same from the changes that the platform computed for its own candidate. */
export function movedOfDeltas(deltas: readonly Delta[], behaviors: readonly Behavior[]): Moved[] {
  return deltas
    .map((delta) => {
      const floor = behaviors.find(({ name }) => name === delta.name)?.noiseFloor ?? null;
      return readMoved({ ...delta, floor });
    })
    .sort(inOrder);
}

function inOrder(a: Moved, b: Moved): number {
  return Number(b.target) - Number(a.target) || (a.delta ?? 0) - (b.delta ?? 0) || (a.name < b.name ? -1 : 1);
}

function readMoved(change: Omit<Moved, "role" | "open" | "word" | "says">): Moved {
  const { delta, halfWidth, floor } = change;
  const plain = (says: string): Moved => ({ ...change, role: "rest", open: true, word: null, says });
  if (delta === null) return plain("scored on different tests");
  if (halfWidth === null) return plain("no interval posted");
  const noBand = floor === null ? ", no band measured" : "";
  if (Math.abs(delta) <= halfWidth) return plain(`inside its interval${noBand}`);
  if (floor !== null && Math.abs(delta) <= floor) return plain("inside its re-run band");
  const gain = delta > 0;
  return {
    ...{ ...change, open: false, role: gain ? "good" : "bad", word: gain ? "gain" : "drop" },
    says: floor === null ? "beyond its interval, no band measured" : gain ? "clears its band" : "beyond its band",
  };
}

/** What came out lower, and how much of that chance alone would give. */
export function chanceOf(moved: readonly Moved[], behavior: string | null): string | null {
  const others = moved.filter(({ name, delta }) => name !== behavior && delta !== null);
  if (others.length === 0) return null;
  const lower = others.filter(({ delta }) => delta! < 0).length;
  const expected = others.length / 2;
  return `${lower} of ${others.length} others came out lower. Chance alone would give ${expected}.`;
}
