import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import type { GradeAudit } from "./audit-grades.ts";

/** The audit of labels as text: how often the auditor agrees, and where it does not. */
export function formatGradeAudit(audit: GradeAudit): string {
  const { status, grader, auditor, audited, unreachable, agreement, agreementCi95, kappa, falsePass, falseFail } =
    audit;
  if (status === "empty") return "audit of grades: not measured, no row has a label of 0 or 1";
  const errors = audit.errors.map((error) => `  ${error}`);
  if (status === "unreachable") {
    return [`audit of grades: not measured, ${auditor} gave no verdict on ${unreachable} rows`, ...errors].join("\n");
  }
  const left = unreachable === 0 ? "" : `, ${unreachable} without a verdict`;
  return [
    `audit of grades: ${auditor} agrees with ${grader} on ${formatPercent(agreement, 1)} ${formatInterval(agreementCi95)} of ${audited} rows${left}`,
    `  kappa ${formatFixed(kappa, 2)}, passed that it fails: ${falsePass}, failed that it passes: ${falseFail}`,
    ...audit.findings.map(({ text }) => `! ${text}`),
    ...errors,
  ].join("\n");
}
