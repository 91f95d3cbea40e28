import { formatPercent, formatSigned } from "@while/schema";
import { counted } from "../counted.ts";
import type { HackScanReport } from "../hacks/scan-report.ts";
import type { DuplicatesReport } from "./dedupe-groups.ts";
import type { LengthReport } from "./length-report.ts";
import type { NearDuplicatesReport } from "./near-duplicate-prompts.ts";
import type { RewardCorrelations } from "./reward-correlations.ts";

/** The reports to read; a missing one is not warned about. */
export interface HygieneReports {
  duplicates?: DuplicatesReport;
  nearDuplicates?: NearDuplicatesReport;
  lengths?: LengthReport;
  correlations?: RewardCorrelations;
  /** Its own warnings, unchanged. */
  scan?: HackScanReport;
}

/** One line a finding, in the order of the drops that caused them; none when the rows are clean. */
export function hygieneWarnings({ duplicates, nearDuplicates, lengths, correlations, scan }: HygieneReports): string[] {
  const warnings: string[] = [];
  if (duplicates !== undefined && duplicates.nDropped > 0) warnings.push(duplicatesLine(duplicates));
  if (nearDuplicates !== undefined && nearDuplicates.nPairs > 0) {
    const { nPairs, nPromptsInvolved, threshold } = nearDuplicates;
    warnings.push(
      `${counted(nPairs, "pair")} among ${counted(nPromptsInvolved, "prompt")} with ${formatPercent(threshold)} or ` +
        "more of their words in common: near-duplicate asks count as one ask with more weight, unless they are " +
        "paraphrases you made on purpose.",
    );
  }
  if (lengths !== undefined && lengths.nTruncated > 0) {
    warnings.push(
      `Cut replies: ${lengths.nTruncated} of ${lengths.n}. Raise the token cap, or drop or penalize cut replies.`,
    );
  }
  if (lengths !== undefined && lengths.nGroupsWideSpread > 0) {
    const { nGroupsWideSpread, nGroupsMulti, maxSpread } = lengths;
    warnings.push(
      `Asks with a reply more than ${maxSpread} times as long as their median one: ${nGroupsWideSpread} of ` +
        `${nGroupsMulti}. Check that the judge does not pay for length.`,
    );
  }
  if (correlations !== undefined) {
    for (const [feature, r] of correlations.flagged) {
      warnings.push(
        `The reward ${r > 0 ? "pays for" : "punishes"} ${feature} (r ${formatSigned(r, 2)} over ` +
          `${correlations.nGraded} graded rows): check the judge.`,
      );
    }
  }
  warnings.push(...(scan?.warnings ?? []));
  return warnings;
}

function duplicatesLine({ nDropped, groupsAffected, conflictingRewards }: DuplicatesReport): string {
  const line = `${counted(nDropped, "duplicate row")} dropped over ${counted(groupsAffected, "ask")}.`;
  if (conflictingRewards === 0) return line;
  return `${line} ${conflictingRewards} of them had another reward than the identical row that was kept: judge noise.`;
}
