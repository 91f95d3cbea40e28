import { cutCodePoints, formatFixed, splitWords } from "@while/schema";
import type { Warning } from "@while/stats";
import { counted } from "../counted.ts";
import type { ScoredReport } from "./scored-rows.ts";

const EXAMPLE_CHARS = 100;

/** A report of scoring, or of grading, which warns of more. */
type AnyScoredReport = Omit<ScoredReport, "warnings"> & { warnings: readonly Warning[] };

/** How many rows have a verdict and what they come to; then why the others have none, and what to know. */
export function formatScoredRows(report: AnyScoredReport): string {
  const { nRows, nGraded, judgeName, meanReward, unanimous, unjudgedBy, warnings, evalCoverage } = report;
  const mean = meanReward === null ? "no reward" : `mean reward ${formatFixed(meanReward, 3)}`;
  const alike = unanimous === null ? "" : `, all of them ${unanimous}`;
  const noted = warnings.length === 0 ? "" : `, ${counted(warnings.length, "warning")}`;
  return [
    `graded ${nGraded} of ${counted(nRows, "row")} by ${judgeName}: ${mean}${alike}${noted}`,
    ...callsLine(report),
    ...unjudgedBy.map(({ failure, n, example }) => `  no verdict on ${n}: ${WORDS[failure]}${quoted(example)}`),
    ...(evalCoverage === null
      ? []
      : [`  ${evalCoverage.covered} of ${counted(evalCoverage.evalSet, "prompt")} covered`]),
    ...warnings.map(({ text }) => `! ${text}`),
  ].join("\n");
}

const WORDS: Readonly<Record<ScoredReport["unjudgedBy"][number]["failure"], string>> = {
  rate_limit: "rate limit",
  network: "network",
  auth: "key refused",
  timeout: "out of time",
  error: "the judge threw",
  unreadable: "unreadable answer",
  out_of_range: "a number outside of the range",
  no_reward: "no reward in the answer",
  refusal: "the model refused",
  truncated: "the answer was cut off",
  not_called: "not called",
};

function callsLine({ nCalls, nRetries, nReused }: AnyScoredReport): string[] {
  if (nRetries === 0 && nReused === 0) return [];
  const retries = nRetries === 0 ? "" : `, ${nRetries} of them again`;
  const reused = nReused === 0 ? "" : `; ${counted(nReused, "verdict")} at hand`;
  return [`  ${counted(nCalls, "call")}${retries}${reused}`];
}

function quoted(example: string): string {
  const text = splitWords(example).join(" ");
  if (text === "") return "";
  const cut = cutCodePoints(text, EXAMPLE_CHARS);
  return ` (${cut}${cut === text ? "" : "…"})`;
}
