import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import { goldWords } from "../agreement/gold.ts";
import { wholePercent } from "../agreement/whole-percent.ts";
import type { JudgeCalibration } from "./calibration-report.ts";

/** The verdict, the Brier score and what it is made of, the bins, the map and the threshold, and every finding behind a `!`. */
export function formatJudgeCalibration(report: JudgeCalibration): string {
  const { n, nTasks, goldKind, calibration, mapped, threshold, warnings } = report;
  const notes = warnings.map((warning) => `! ${warning}`);
  if (n === 0) return [headline(report), ...notes].join("\n");
  const { brier, brierCi95, skill, skillCi95, rocArea, baseRate, meanForecast } = calibration;
  const { ece, eceByChance, mce, pValue, miscalibration, discrimination, uncertainty } = calibration;
  const p = pValue === null ? "" : pValue < 0.001 ? ", p < 0.001" : `, p ${formatFixed(pValue, 3)}`;
  return [
    headline(report),
    `  n=${n} ${goldWords(goldKind)} on ${nTasks} tasks; ${wholePercent(baseRate)} pass, the judge says ${wholePercent(meanForecast)}`,
    `  Brier ${formatFixed(brier, 3)} ${formatInterval(brierCi95)}, skill ${formatFixed(skill, 2)} ${formatInterval(skillCi95)}, ranks ${formatFixed(rocArea, 2)}`,
    `    miscalibration ${formatFixed(miscalibration, 3)}, discrimination ${formatFixed(discrimination, 3)} of ${formatFixed(uncertainty, 3)}`,
    `  ECE ${formatFixed(ece, 3)}, by chance ${formatFixed(eceByChance, 3)}, at most ${formatFixed(mce, 2)}${p}`,
    "  scored          rows  said  came  95%",
    ...calibration.bins.map(
      ({ low, high, n: rows, meanForecast: said, rate, ci95 }) =>
        `  ${`${formatFixed(low, 2)} to ${formatFixed(high, 2)}`.padEnd(14)}  ${String(rows).padStart(4)}  ${formatFixed(said, 2)}  ${formatFixed(rate, 2)}  ${formatInterval(ci95)}`,
    ),
    ...(mapped === null
      ? []
      : [`  mapped by other tasks: Brier ${formatFixed(mapped.brier, 3)}, ECE ${formatFixed(mapped.ece, 3)}`]),
    ...(threshold === null
      ? []
      : [
          `  as verdicts, a pass from ${formatFixed(threshold.at, 2)} on (stampThreshold): agreement ${formatPercent(threshold.agreement)} ${formatInterval(threshold.ci95)} on other tasks`,
        ]),
    ...notes,
  ].join("\n");
}

function headline({ status, n, goldKind, findings, score }: JudgeCalibration): string {
  const of = (severity: string) =>
    [...new Set(findings.filter((finding) => finding.severity === severity).map(({ code }) => code))].join(", ");
  if (status === "pass") return `PASS: its scores mean what ${goldWords(goldKind)} say`;
  if (status === "fail") return `FAIL: ${of("fail")}`;
  if (status === "inconclusive") return `INCONCLUSIVE: ${of("open")}`;
  return n === 0
    ? `NOT MEASURED: no row has a number in ${score} and a gold label`
    : `NOT MEASURED: ${goldWords(goldKind)} measure no judge`;
}
