import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { LabelAgreement } from "./label-agreement.ts";

/** The agreement with its interval, what chance explains of it, and the table. */
export function formatLabelAgreement(report: LabelAgreement): string {
  const { n, nSkipped, agreement, ci95, kappa, kappaCi95, kappaNote, ac1, pabak, tp, fp, fn, tn } = report;
  if (agreement === null) {
    return `agreement: not measured, ${countOf(nSkipped, "row")} without a 0 or 1 on both sides`;
  }
  const skipped = nSkipped === 0 ? "" : ` (${nSkipped} more without a 0 or 1 on both sides)`;
  const chance =
    kappaNote === "one_class"
      ? "kappa not measured: both sides gave one class throughout"
      : `kappa ${formatFixed(kappa, 2)} ${formatInterval(kappaCi95)}`;
  return [
    `agreement ${formatPercent(agreement)} ${formatInterval(ci95)} on ${countOf(n, "row")}${skipped}`,
    `  ${chance}, AC1 ${formatFixed(ac1, 2)}, PABAK ${formatFixed(pabak, 2)}`,
    `  both pass ${tp}, both fail ${tn}, only the judge passes ${fp}, only gold passes ${fn}`,
  ].join("\n");
}
