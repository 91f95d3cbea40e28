import { formatPercent } from "@while/schema";
import { countOf } from "../count-of.ts";
import type { StalenessReport } from "./staleness-report.ts";

/** Whether one policy sampled the rows, how many are stale, what was recorded, then what has to be done about it. */
export function formatStalenessReport(report: StalenessReport): string {
  const { n, versions, temperatures, stale, baseModel, nWithoutModel, warnings } = report;
  if (n === 0) return "staleness: not measured, no rows";
  const { samplingCoverage, logprobCoverage, tokenLogprobCoverage } = report;
  const fresh =
    stale === null
      ? "no base model to compare with"
      : `${stale} from another model than ${baseModel}${unnamed(nWithoutModel)}`;
  return [
    `${countOf(n, "row")} from ${versions.size === 1 ? "one policy" : `${versions.size} policies`}, ${fresh}`,
    `  policies: ${counted(versions)}`,
    `  temperatures: ${temperatures.size === 0 ? "none recorded" : counted(temperatures)}`,
    `  recorded: sampling ${formatPercent(samplingCoverage)}, log-probability ${formatPercent(logprobCoverage)}, a token ${formatPercent(tokenLogprobCoverage)}`,
    ...warnings.map(({ text }) => `  ${text}`),
  ].join("\n");
}

function unnamed(n: number): string {
  return n === 0 ? "" : `, ${n} without a model`;
}

function counted(counts: ReadonlyMap<string, number>): string {
  return Array.from(counts, ([name, n]) => `${name} ${n}`).join(", ");
}
