import { formatFixed, formatInterval, formatSigned } from "@while/schema";
import { goldWords } from "./gold.ts";
import type { RatingAgreement } from "./rating-report.ts";
import { wholePercent } from "./whole-percent.ts";

/** The verdict, how far judge and gold are apart, mark by mark, and every finding behind a `!`. */
export function formatRatingAgreement(report: RatingAgreement): string {
  const { status, n, nTasks, scale, goldKind, levels, ceiling, warnings, findings } = report;
  const of = (severity: string) =>
    [...new Set(findings.filter((finding) => finding.severity === severity).map(({ code }) => code))].join(", ");
  const head = {
    pass: `PASS: agrees with ${goldWords(goldKind)} on a scale from ${scale[0]} to ${scale[1]}`,
    fail: `FAIL: ${of("fail")}`,
    inconclusive: `INCONCLUSIVE: ${of("open")}`,
    not_measured:
      n === 0
        ? "NOT MEASURED: no row has a reward and a gold mark"
        : `NOT MEASURED: ${goldWords(goldKind)} measure no judge`,
  }[status];
  if (n === 0) return [head, ...warnings.map((warning) => `! ${warning}`)].join("\n");
  return [
    head,
    `  concordance ${formatFixed(report.concordance, 2)} ${formatInterval(report.concordanceCi95)}, n=${n} ${goldWords(goldKind)} on ${nTasks} tasks, ranks ${formatFixed(report.spearman, 2)}, alpha ${formatFixed(report.alphaOrdinal, 2)}`,
    ...(report.sameMark === null
      ? []
      : [
          `  the same mark on ${wholePercent(report.sameMark)}, at most one apart on ${wholePercent(report.withinOne)}, kappa ${formatFixed(report.kappaLinear, 2)} linear, ${formatFixed(report.kappaOrdinal, 2)} ordinal`,
        ]),
    `  judge ${formatFixed(report.judgeMean, 2)}, gold ${formatFixed(report.goldMean, 2)}: ${formatSigned(report.bias, 2)} ${formatInterval(report.biasCi95, 2, { signed: true })} marks, off by ${formatFixed(report.meanAbsoluteDifference, 2)} on average; spread ${formatFixed(report.spreadRatio, 2)} of gold's`,
    ...(report.length === null
      ? []
      : [
          `  long less short, where gold is the same: ${formatSigned(report.length.gap, 2)} ${formatInterval(report.length.ci95, 2, { signed: true })} marks`,
        ]),
    ...(levels ?? []).map(
      ({ gold, n: rows, judgeMean, judgeRange }) =>
        `  gold ${gold}: judge ${formatFixed(judgeMean, 2)} (${formatFixed(judgeRange[0], 1)} to ${formatFixed(judgeRange[1], 1)}) on ${rows}`,
    ),
    ...(ceiling === null
      ? []
      : [
          `  ${ceiling.pair.join(" and ")} among themselves: concordance ${formatFixed(ceiling.concordance, 2)} ${formatInterval(ceiling.ci95)} on ${ceiling.n}; alpha of ${ceiling.nRaters} people ${formatFixed(ceiling.alphaOrdinal, 2)}`,
        ]),
    ...warnings.map((warning) => `! ${warning}`),
  ].join("\n");
}
