import { goldKindOf, goldVotes, isTrustedGold, type Row } from "@while/schema";
import { binaryReward } from "@while/stats";

/** The field that `attachLabels` writes. */
export const GOLD_FIELD = "gold_reward";

/** Gold of a row and what the judge said of it, both 0 or 1. */
export interface LabeledRow {
  row: Row;
  gold: 0 | 1;
  judge: 0 | 1;
}

/** Rows with gold and a verdict; partial credit is neither. */
export function labeledRows(rows: readonly Row[], gold: string, reward = "reward"): LabeledRow[] {
  const labeled: LabeledRow[] = [];
  for (const row of rows) {
    const label = binaryReward(row, gold);
    const verdict = binaryReward(row, reward);
    if (label !== null && verdict !== null) labeled.push({ row, gold: label, judge: verdict });
  }
  return labeled;
}

/**
 * Who wrote the gold of a row, in the words of `GOLD_KINDS`. The labels behind `gold_reward` say it; under another
 * field only the row's `gold_kind` can.
 */
function goldKindOfRow(row: Row, gold: string = GOLD_FIELD): string {
  const votes = gold === GOLD_FIELD ? goldVotes(row.gold_labels ?? []) : [];
  const kinds = votes.length > 0 ? votes.map(({ kind }) => kind) : [row.gold_kind];
  return goldKindOf(kinds) ?? "unknown";
}

/** Whether a judge may be measured against the row's gold: people or programs wrote it. */
export function isTrustedRow(row: Row, gold: string = GOLD_FIELD): boolean {
  if (gold === GOLD_FIELD) return isTrustedGold(row);
  const kind = goldKindOfRow(row, gold);
  return binaryReward(row, gold) !== null && (kind === "human" || kind === "program");
}

export interface ReportedKind {
  /** One word for all: their kind where it is one; null without rows. */
  goldKind: string | null;
  trusted: boolean;
}

/** The one kind that a report over these rows names. Several kinds, all trusted, are `human+program`. */
export function reportedKind(rows: readonly Row[], gold: string = GOLD_FIELD): ReportedKind {
  const kinds = new Set<string>();
  const untrusted = new Set<string>();
  for (const row of rows) {
    const kind = goldKindOfRow(row, gold);
    kinds.add(kind);
    if (!isTrustedRow(row, gold)) untrusted.add(kind);
  }
  if (kinds.size === 0) return { goldKind: null, trusted: false };
  const [kind] = kinds;
  if (untrusted.size === 0)
    return { goldKind: kinds.size > 1 || kind === "mixed" ? "human+program" : kind!, trusted: true };
  if (kinds.size === 1) return { goldKind: kind!, trusted: false };
  const [other] = untrusted;
  return { goldKind: untrusted.size === 1 ? other! : "mixed", trusted: false };
}

/** "human labels"; of any other kind "gold labels (program)". */
export function goldWords(kind: string | null): string {
  return kind === "human" ? "human labels" : kind === null ? "gold labels" : `gold labels (${kind})`;
}
