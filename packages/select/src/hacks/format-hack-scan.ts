import { displayWidth, formatFixed, formatPercent, padToWidth } from "@while/schema";
import { counted } from "../counted.ts";
import type { FloorDraws } from "./permutation-floor.ts";
import type { HackScanReport, ScannedFeature } from "./scan-report.ts";

const NAME_WIDTH = 42;

const DRAWS: Readonly<Record<FloorDraws, string>> = {
  all: "arrangements, which are all",
  sampled: "shuffles",
  stopped: "shuffles, enough to settle it",
};

/** The regime, what it rests on, a table of features (`*` above the floor, `e` endorsed), and what to mind. */
export function formatHackScan(report: HackScanReport, { top = 12 }: { top?: number } = {}): string {
  const { regime, support, tau, nPerm, features, nFeatures, nAboveFloor, integrity, warnings } = report;
  const lines = [
    regime.toUpperCase().replaceAll("_", " "),
    `${counted(report.nGraded, "graded row")} of ${counted(report.nGroups, "ask")}, ${counted(report.rolloutsPerGroup, "rollout")} each; ` +
      `always solved ${formatPercent(support.sat)}, never ${formatPercent(support.dead)}, mixed ${formatPercent(support.mixed)}, ` +
      `capacity ${formatFixed(support.capacity, 2)}`,
  ];
  if (tau !== null) {
    lines.push(
      `floor ${formatFixed(tau, 3)} (${nPerm} ${DRAWS[report.draws ?? "sampled"]}, ${report.rules}): ${nAboveFloor} of ${counted(nFeatures, "feature")} above`,
    );
  }
  const shown = features.slice(0, top);
  if (shown.length > 0) {
    lines.push("", `   ${"feature".padEnd(NAME_WIDTH)}  within  pooled  at equal length     n`);
    lines.push(...shown.flatMap((feature) => [featureLine(feature), ...phraseLine(feature)]));
    if (nFeatures > shown.length) lines.push(`   and ${nFeatures - shown.length} more`);
  }
  if (integrity !== null) lines.push("", `integrity ${formatFixed(integrity, 2)}: the endorsed share of what pays`);
  if (warnings.length > 0) lines.push("", ...warnings.map((warning) => `! ${warning}`));
  return lines.join("\n");
}

function phraseLine({ phrase, aboveFloor }: ScannedFeature): string[] {
  return phrase === null || !aboveFloor ? [] : [`     "${phrase}"`];
}

function featureLine({ name, rho, pooled, rhoGivenLength, nObs, aboveFloor, endorsed }: ScannedFeature): string {
  const shown = displayWidth(name) > NAME_WIDTH ? `${[...name].slice(0, NAME_WIDTH - 3).join("")}...` : name;
  const padded = padToWidth(shown, NAME_WIDTH);
  const marks = `${aboveFloor ? "*" : " "}${endorsed ? "e" : " "}`;
  const given = rhoGivenLength === null ? "" : formatFixed(rhoGivenLength, 3);
  return `${marks} ${padded}  ${formatFixed(rho, 3).padStart(6)}  ${formatFixed(pooled, 3).padStart(6)}  ${given.padStart(15)} ${String(nObs).padStart(5)}`;
}
