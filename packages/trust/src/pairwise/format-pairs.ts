import { formatFixed, formatInterval, formatPercent } from "@while/schema";
import { counted } from "../counted.ts";
import type { PairsReport } from "./judge-pairs.ts";

/** How often the judge prefers the chosen reply; then what the order of the replies does to it; then what to know. */
export function formatPairs(report: PairsReport): string {
  const { n, nJudged, failed, nHalf, judge, swap, winRate, winRateCi95, nWinRate, warnings } = report;
  const first =
    winRate === null
      ? `pairs: not measured, none of ${counted(n, "pair")} was judged${swap ? " in both orders" : ""}`
      : `chosen preferred ${formatPercent(winRate)} ${formatInterval(winRateCi95)} over ${counted(nWinRate, "pair")} by ${judge}`;
  const missing = failed + nHalf === 0 ? "" : `; ${failed} not judged, ${nHalf} in one order alone`;
  return [
    first,
    `  ${nJudged} of ${n} judged${missing}; ties ${formatPercent(report.tieRate)}, the rejected one preferred ${report.prefersRejected} times`,
    ...(swap
      ? [orderLine(report)]
      : ["  one order alone was asked: a judge that likes the first reply is not seen through"]),
    ...lengthLine(report),
    ...warnings.map(({ text }) => `! ${text}`),
  ].join("\n");
}

function lengthLine({ lengthControlled: equal }: PairsReport): string[] {
  if (equal === null) return [];
  const { nUnequal, nLongerWins, rate, ci95 } = equal;
  const won = nUnequal === 0 ? "" : `; the longer reply won ${nLongerWins} of ${nUnequal}`;
  if (rate === null) return [`  at equal length: not known, one side is the longer one throughout${won}`];
  return [`  at equal length ${formatPercent(rate)} ${formatInterval(ci95)}${won}`];
}

function orderLine({
  positionFlips,
  positionFlipRate,
  flipsToFirst,
  flipsToSecond,
  positionP,
  correctInBothOrders,
}: PairsReport): string {
  const p = positionP === null ? "" : `, p ${positionP < 0.001 ? "< 0.001" : formatFixed(positionP, 3)}`;
  const flips = `${positionFlips} change with the order (${formatPercent(positionFlipRate)})`;
  return `  ${flips}: ${flipsToFirst} to the first shown, ${flipsToSecond} to the second${p}; right in both orders ${formatPercent(correctInBothOrders)}`;
}
