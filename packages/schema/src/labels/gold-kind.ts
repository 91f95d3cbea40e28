import type { LabelRecord, Row } from "../row.ts";

/** Gold that a judge may be measured against. */
const TRUSTED: ReadonlySet<string> = new Set(["human", "program"]);

/**
 * The one word for the gold of a row that several labels made: their kind, when they share it; the untrusted one, when
 * there is one beside trusted ones; else `mixed`. A person beside a model is `model`, a person beside a program `mixed`.
 *
 * @param kinds One a label; `verifier` reads as `program`, a missing one as `unknown`
 * @returns null without labels
 */
export function goldKindOf(kinds: readonly (string | null | undefined)[]): string | null {
  const distinct = new Set(kinds.map(kindName));
  const [first = null] = distinct;
  if (distinct.size <= 1) return first;
  const [untrusted, another] = [...distinct].filter((kind) => !TRUSTED.has(kind));
  return untrusted !== undefined && another === undefined ? untrusted : "mixed";
}

/**
 * Whether a judge may be measured against the row's gold: every label that votes is by a person or by a program. A
 * `gold_reward` that no label stands behind is as good as its `gold_kind`, and without one nobody knows who wrote it.
 *
 * A person and a program on one row are `mixed` and trusted; the Python SDK distrusts the word.
 */
export function isTrustedGold(row: Row): boolean {
  if (row.gold_reward === null || row.gold_reward === undefined) return false;
  const votes = votesOf(row.gold_labels ?? []);
  if (votes.length > 0) return votes.every(({ kind }) => TRUSTED.has(kindName(kind)));
  return TRUSTED.has(kindName(row.gold_kind));
}

/**
 * The labels that count: of each annotator and kind the latest, by time or, where that is not known, by place. A
 * corrected label replaces the first one; the Python SDK counts both.
 */
export function votesOf(labels: readonly LabelRecord[]): LabelRecord[] {
  const votes = new Map<string, LabelRecord>();
  for (const record of labels) {
    if (record.label !== 0 && record.label !== 1) continue;
    const voter = JSON.stringify([record.annotator ?? "unknown", kindName(record.kind)]);
    const earlier = votes.get(voter)?.ts ?? Number.NEGATIVE_INFINITY;
    if (typeof record.ts !== "number" || record.ts >= earlier) votes.set(voter, record);
  }
  return [...votes.values()];
}

/** A kind in the words of `GOLD_KINDS`. */
export function kindName(kind: string | null | undefined): string {
  if (kind === null || kind === undefined || kind === "") return "unknown";
  return kind === "verifier" ? "program" : kind;
}
