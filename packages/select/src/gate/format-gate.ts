import { formatFixed, formatInterval } from "@while/schema";
import { counted } from "../counted.ts";
import type { GateReport } from "./gate-report.ts";

/** Does it pass, or why not; what the rows hold; then what to mind. */
export function formatGate({
  ok,
  refusal,
  rlShaped,
  signal,
  calibration,
  band,
  hackScan,
  warnings,
}: GateReport): string {
  const lines = [ok ? "publish gate passed" : `publish gate refused ${refusal}`];
  lines.push(
    `  ${counted(calibration.nRows, "row")}, ${calibration.nStamped} stamped with the difficulty of their task` +
      (calibration.nCarried > 0 ? `, ${calibration.nCarried} of them from before` : ""),
  );
  if (rlShaped) {
    lines.push(
      `  ${counted(signal.nGroups, "ask")}: ${signal.nMixed} mixed, ${signal.nInBand} in the band ` +
        `${formatInterval([band[0], band[1]])}, pass@1 ${signal.passAt1 === null ? "not measured" : formatFixed(signal.passAt1, 2)}`,
    );
  } else lines.push("  one rollout an ask: nothing to compare inside one, so contrast is not asked for");
  if (hackScan !== null) lines.push(`  hack scan: ${hackScan.regime}, top feature ${hackScan.topFeature ?? "none"}`);
  if (warnings.length > 0) lines.push("warnings", ...warnings.map((warning) => `  - ${warning}`));
  return lines.join("\n");
}
