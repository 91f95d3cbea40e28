import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import type { VerifierAudit } from "./audit-verifier.ts";

/** The audit of a verifier as text: how many right answers it fails, by which reasons, and what to mind. */
export function formatVerifierAudit(audit: VerifierAudit): string {
  const { verifier, fnRate, fnCi95, nChecked, nFailed, correctedFn, fpRate, fpCi95, nPassesChecked } = audit;
  const lines = [
    `${verifier} fails right answers: ${formatPercent(fnRate, 1)} ${formatInterval(fnCi95)} of ${nChecked} read (${nFailed} failed)`,
    `  ${audit.summary}`,
  ];
  if (correctedFn !== null) {
    const corrected = formatFixed(correctedFn.estimate, 3, { absent: `no estimate (${correctedFn.note})` });
    lines.push(
      `  with the judge's errors taken out: ${corrected} ${formatInterval(correctedFn.ci95, 3, { absent: "" })}`.trimEnd(),
    );
  }
  if (nPassesChecked > 0) {
    lines.push(
      `  passes wrong answers: ${formatPercent(fpRate, 1)} ${formatInterval(fpCi95)} of ${nPassesChecked} read`,
    );
  }
  for (const { reason, n, falseNegatives } of audit.reasons) lines.push(`  ${falseNegatives} of ${n}  ${reason}`);
  for (const { text } of audit.warnings) lines.push(`! ${text}`);
  return lines.join("\n");
}
