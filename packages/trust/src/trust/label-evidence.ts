import { compareCodePoints, rowKey, sha256Hex, textOf } from "@while/schema";
import type { LabeledRow } from "../agreement/gold.ts";

/** Which labels and which judge a report is about: two reports with the same two say the same of the same. */
export interface LabelEvidence {
  /** First 12 hex digits of the SHA-256 over the rows' keys and labels, in their order by key; null without labels. */
  labelsSha: string | null;
  /** Versions that graded the labeled rows, as the rows say it (`lineage.judge_version`); sorted. */
  judgeVersions: string[];
}

const SHA_CHARS = 12;

/** The labels of a report by their hash, and the versions that judged those rows. Whatever order the rows come in. */
export function labelEvidence(labeled: readonly LabeledRow[]): LabelEvidence {
  const lines = labeled.map(({ row, gold }) => JSON.stringify([rowKey(row), gold])).sort(compareCodePoints);
  const versions = new Set(labeled.map(({ row }) => textOf(row.lineage?.judge_version)));
  versions.delete("");
  return {
    labelsSha: lines.length === 0 ? null : sha256Hex(lines.join("\n")).slice(0, SHA_CHARS),
    judgeVersions: [...versions].sort(compareCodePoints),
  };
}
