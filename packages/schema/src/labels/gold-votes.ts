import type { LabelRecord, Row } from "../row.ts";
import { decidingRecords, type Voters } from "./deciding-records.ts";
import { isTrustedKind } from "./gold-kind.ts";

/**
 * The labels that decide a row's gold: of each annotator and kind the latest; a model's only where no person and no
 * program gave any, unless all are to vote.
 */
export function goldVotes(labels: readonly LabelRecord[], voters: Voters = "trusted"): LabelRecord[] {
  return decidingRecords(
    labels.filter(({ label }) => label === 0 || label === 1),
    voters,
  );
}

/** What most labels say; null with an even split. */
export function majorityOf(votes: readonly LabelRecord[]): 0 | 1 | null {
  const ones = votes.filter(({ label }) => label === 1).length;
  const zeros = votes.length - ones;
  return ones === zeros ? null : ones > zeros ? 1 : 0;
}

/**
 * Whether a judge may be measured against the row's gold: people or programs decided it. A `gold_reward` that no label
 * stands behind is as good as its `gold_kind`, and without one nobody knows who wrote it. Where a model labeled the row
 * too, as in files of the Python SDK, the gold has to be what the others say.
 *
 * A person and a program on one row are `mixed` and trusted; the Python SDK distrusts the word.
 */
export function isTrustedGold(row: Row): boolean {
  const { gold_reward: gold, gold_kind: kind, gold_labels: labels } = row;
  if (gold === null || gold === undefined) return false;
  const votes = goldVotes(labels ?? []);
  if (votes.length === 0) return isTrustedKind(kind);
  if (!votes.every((vote) => isTrustedKind(vote.kind))) return false;
  const wasOutvoted = goldVotes(labels ?? [], "all").length > votes.length && majorityOf(votes) !== gold;
  return !wasOutvoted;
}
