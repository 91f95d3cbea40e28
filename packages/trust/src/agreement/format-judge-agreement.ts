import { formatFixed, formatInterval } from "@while/schema";
import type { JudgeAgreement } from "./agreement-report.ts";
import { goldWords } from "./gold.ts";
import { wholePercent } from "./whole-percent.ts";

/** The agreement with its interval, both kinds of error, and what to know. */
export function formatJudgeAgreement(report: JudgeAgreement): string {
  const { n, agreement, ci95, kappa, kappaCi95, tpr, tprCi95, tnr, tnrCi95, goldKind, clustered, warnings } = report;
  const notes = warnings.map((warning) => `! ${warning}`);
  if (agreement === null) return ["judge agreement: not measured", ...notes].join("\n");
  const tasks =
    clustered === null || clustered.designEffect === null
      ? []
      : [
          `  over ${clustered.nTasks} tasks ${formatInterval(clustered.ci95)}, design effect ${formatFixed(clustered.designEffect, 2)}`,
        ];
  return [
    `judge agreement ${wholePercent(agreement)} ${formatInterval(ci95)} on ${n} ${goldWords(goldKind)}`,
    ...tasks,
    `  kappa ${kappa === null ? "not measured: gold is of one class" : `${formatFixed(kappa, 2)} ${formatInterval(kappaCi95)}`}`,
    `  right on passes ${formatFixed(tpr, 2)} ${formatInterval(tprCi95)}, on fails ${formatFixed(tnr, 2)} ${formatInterval(tnrCi95)}`,
    ...notes,
  ].join("\n");
}
