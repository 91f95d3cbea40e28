import { formatFixed } from "@while/schema";
import type { NearDuplicatesReport } from "./near-duplicates.ts";

/** Pairs that the text shows; the report has more. */
const SHOWN = 5;

/** How many prompts are nearly one, then the first pairs, one wording above the other. */
export function formatNearDuplicates(report: NearDuplicatesReport): string {
  const { scope, threshold, shingles, recall, nRows, nPrompts, nAgainst, examples } = report;
  const { nPromptsInvolved, nRowsInvolved, nGroups, nGroupsOfOneTask, largestGroup } = report;
  const others =
    nAgainst === null ? "" : `, against ${nAgainst} ${nAgainst === 1 ? "prompt" : "prompts"} of the other set`;
  const lines = [
    `near duplicates: ${nPromptsInvolved} of ${nPrompts} prompts (${nRowsInvolved} of ${nRows} rows)${others}`,
    `  alike as sets of five ${shingles === "chars" ? "characters" : "words"} at ${threshold} or more; of pairs at the threshold itself ${formatFixed(100 * recall, 1)}% are found`,
  ];
  if (nGroups > 0) {
    const purpose = nGroupsOfOneTask > 0 ? `, ${nGroupsOfOneTask} of one task each` : "";
    lines.push(`  ${nGroups} ${nGroups === 1 ? "group" : "groups"}, the largest of ${largestGroup} prompts${purpose}`);
  }
  for (const { rowA, rowB, taskA, taskB, a, b, jaccard } of examples.slice(0, SHOWN)) {
    const other = scope === "within" ? `row ${rowB}` : `row ${rowB} of the other set`;
    lines.push(`  ${formatFixed(jaccard, 2)}  row ${rowA} ${flat(taskA)} ~ ${other} ${flat(taskB)}`);
    lines.push(`    ${flat(a)}`, `    ${flat(b)}`);
  }
  return lines.join("\n");
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}
