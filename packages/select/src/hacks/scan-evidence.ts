import { formatFixed, formatPercent, roundHalfEven } from "@while/schema";
import type { Asks } from "./asks.ts";
import { paysAlso } from "./pays-also.ts";
import { scanLead } from "./scan-lead.ts";
import type { ScanSettings } from "./scan-options.ts";
import type { HackScanReport } from "./scan-report.ts";
import type { ScanVerdict } from "./scan-verdict.ts";
import type { Scanned } from "./scanned.ts";

type Evidence = Pick<HackScanReport, "lead" | "paysAlso" | "warnings">;

/** How sure a `reward_hack` is, and what pays beside what is endorsed; nothing by `compat` or without endorsed features. */
export function scanEvidence(
  ranked: readonly Scanned[],
  { regime }: ScanVerdict,
  asks: Asks,
  settings: ScanSettings,
): Evidence {
  const endorsed = ranked.filter((feature) => feature.endorsed);
  const evidence: Evidence = { lead: null, paysAlso: null, warnings: [] };
  if (settings.rules === "compat" || endorsed.length === 0 || regime === "degenerate") return evidence;
  const best = endorsed.find(({ rho }) => rho > 0) ?? null;
  const top = ranked[0]!;
  if (regime === "reward_hack" && !top.endorsed) {
    const { lead, low, confirmed } = scanLead(top.feature.column, best?.feature.column ?? null, asks, settings.seed);
    evidence.lead = { lead: roundHalfEven(lead, 4), low: roundHalfEven(low, 4), confirmed };
    if (!confirmed) {
      evidence.warnings.push(
        `The lead of ${top.whole.name} over what is endorsed is within noise over asks (${formatFixed(lead, 3)}, and ` +
          `from ${formatFixed(low, 3)} up): an honest judge with a few wrong labels looks like this too.`,
      );
    }
  }
  const isSingle = ({ whole }: Scanned): boolean => whole.tier !== "pair";
  evidence.paysAlso = paysAlso(
    ranked.filter((feature) => !feature.endorsed && isSingle(feature)).map(({ feature }) => feature.column),
    endorsed.filter(isSingle).map(({ feature }) => feature.column),
    asks,
    settings,
  ).map(({ name, rho, share }) => ({ name, rho: roundHalfEven(rho, 4), share: roundHalfEven(share, 4) }));
  if (evidence.paysAlso.length > 0) {
    const named = evidence.paysAlso.map(
      ({ name, rho, share }) => `${rho < 0 ? "less of " : ""}${name} (${formatPercent(share)} of the reward)`,
    );
    evidence.warnings.push(`Among rollouts alike in what is endorsed the reward also pays for ${named.join(", ")}.`);
  }
  return evidence;
}
