import { displayWidth, formatFixed, padToWidth } from "@while/schema";
import type { FeatureShift, HackScanDiff, ScanSide } from "./hack-scan-diff.ts";

const NAME_WIDTH = 42;

/** What was learned, both sides in short, a table of shifts (`+` gained, `-` lost, `e` endorsed), and what to mind. */
export function formatHackScanDiff({ before, after, gained, lost, moved, learned, warnings }: HackScanDiff): string {
  const lines = [`learned: ${learned}`, sideLine("before", before), sideLine("after", after)];
  const marked = [
    ...gained.map((shift) => ["+", shift] as const),
    ...lost.map((shift) => ["-", shift] as const),
    ...moved.filter((shift) => !gained.includes(shift) && !lost.includes(shift)).map((shift) => [" ", shift] as const),
  ];
  if (marked.length > 0) {
    lines.push("", `   ${"feature".padEnd(NAME_WIDTH)}  before   after   shift`);
    lines.push(...marked.map(([mark, shift]) => shiftLine(mark, shift)));
  }
  if (warnings.length > 0) lines.push("", ...warnings.map((warning) => `! ${warning}`));
  return lines.join("\n");
}

function sideLine(name: string, { regime, topFeature, rhoMax, tau, integrity }: ScanSide): string {
  const top = topFeature === null ? "nothing on top" : `${topFeature} on top (${numberOr(rhoMax, "none")})`;
  const share = integrity === null ? "" : `, integrity ${formatFixed(integrity, 2)}`;
  return `${name.padEnd(6)}  ${regime}: ${top}, floor ${numberOr(tau, "not measured")}${share}`;
}

function numberOr(value: number | null, none: string): string {
  return value === null ? none : formatFixed(value, 3);
}

function shiftLine(mark: string, { name, rhoBefore, rhoAfter, shift, endorsed }: FeatureShift): string {
  const shown = displayWidth(name) > NAME_WIDTH ? `${[...name].slice(0, NAME_WIDTH - 3).join("")}...` : name;
  const numbers = [rhoBefore, rhoAfter, shift].map((value) => formatFixed(value, 3).padStart(6));
  return `${mark}${endorsed ? "e" : " "} ${padToWidth(shown, NAME_WIDTH)}  ${numbers.join("  ")}`;
}
