import type { Row } from "@while/schema";
import { type DuplicatesReport, findDuplicates } from "../hygiene/dedupe-groups.ts";
import { isTruncated } from "../rows/is-truncated.ts";
import type { DropLedger } from "./drop-ledger.ts";
import { markOverlong, penalizeOverlong } from "./mark-overlong.ts";
import type { RlSettings } from "./rl-options.ts";

/** A row on its way through the steps of a selection. */
export interface Candidate {
  row: Row;
  task: string;
  label: number | null;
  truncated: boolean;
}

/** A cut row goes on as a marked copy, unless it is about to be dropped. */
export function candidateOf(given: Row, task: string, { truncated: policy, label }: RlSettings): Candidate {
  const truncated = isTruncated(given);
  let row = given;
  if (truncated && policy === "keep") row = markOverlong(given);
  if (truncated && policy === "penalize") row = penalizeOverlong(given);
  return { row, task, label: label(row), truncated };
}

/** Candidates that repeat no earlier one; all of them, unless `compare`. */
export function distinctCandidates(
  candidates: readonly Candidate[],
  { compare, label, ledger }: { compare: boolean; label: RlSettings["label"]; ledger: DropLedger },
): { distinct: readonly Candidate[]; duplicates: DuplicatesReport } {
  if (!compare) {
    const n = candidates.length;
    const none = { nDropped: 0, nNotRows: 0, groupsAffected: 0, duplicateRate: null, conflictingRewards: 0 };
    return { distinct: candidates, duplicates: { n, nKept: n, ...none } };
  }
  const { kept, report } = findDuplicates(
    candidates.map(({ row }) => row),
    label,
  );
  const first = new Set(kept);
  for (const [index, { task }] of candidates.entries()) if (!first.has(index)) ledger.drop(task, "duplicate");
  return { distinct: kept.map((index) => candidates[index]!), duplicates: report };
}
