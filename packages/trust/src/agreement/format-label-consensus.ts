import { formatFixed, formatPercent } from "@while/schema";
import type { LabelConsensus } from "./label-consensus.ts";

/** How each annotator labels, and which rows have another gold than by majority. */
export function formatLabelConsensus(report: LabelConsensus): string {
  const { note, nShared, minAnnotators, minRows, annotators, prevalence, nChanged, changed, nLabeled } = report;
  if (note === "few_shared_rows") {
    return (
      `consensus: not concluded, ${nShared} of ${nLabeled} labeled rows have labels by ${minAnnotators} annotators and ` +
      `${minRows} are needed; gold is the majority`
    );
  }
  if (note === "not_converged") return "consensus: not concluded, the rates did not settle; gold is the majority";
  const width = Math.max(...annotators.map(({ annotator }) => annotator.length));
  return [
    `consensus of ${annotators.length} annotators on ${nLabeled} rows, ${formatPercent(prevalence!)} of them good`,
    ...annotators.map(
      ({ annotator, labels, sensitivity, specificity }) =>
        `  ${annotator.padEnd(width)}  passes the good ${formatPercent(sensitivity)}, fails the bad ` +
        `${formatPercent(specificity)}, ${labels} labels`,
    ),
    `  ${nChanged === 1 ? "1 row has" : `${nChanged} rows have`} another gold than the majority gave`,
    ...changed.map(
      ({ rowKey, before, after, confidence }) =>
        `    ${rowKey}  ${before ?? "none"} to ${after}, confidence ${formatFixed(confidence, 2)}`,
    ),
    ...(nChanged > changed.length ? [`    and ${nChanged - changed.length} more`] : []),
  ].join("\n");
}
