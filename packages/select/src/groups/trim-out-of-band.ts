import { checkOptions, groupByTask, isObject, type Row } from "@while/schema";
import { DIFFICULTY_BAND, THRESHOLD_SLACK } from "@while/stats";
import { wholeNumber } from "../options.ts";
import { SelectError } from "../select-error.ts";
import { type TaskRate, taskPassRates } from "./task-pass-rates.ts";

/** Pass rates worth training on, both edges inside. */
export type Band = readonly [low: number, high: number];

/** Where a task lies that is not inside the band. */
export type BandSide = "too_easy" | "too_hard";

export const DEFAULT_BAND: Band = [DIFFICULTY_BAND.lo, DIFFICULTY_BAND.hi];

export interface TrimOutOfBandOptions {
  lo?: number;
  hi?: number;
  /** Rollouts a rate must rest on before it drops a task; at least 2. A stamp that does not say its n counts. */
  minK?: number;
}

export interface TrimOutOfBandReport {
  n: number;
  nKept: number;
  nDropped: number;
  nGroupsDropped: number;
  /** Tasks above the band. */
  tooEasy: number;
  /** Tasks below it. */
  tooHard: number;
  /** Tasks whose rate came from a stamp and not from labels. */
  fromRates: number;
  band: Band;
}

/**
 * Drops tasks whose pass rate lies outside a band: too seldom or too often right to teach much per rollout (Lambert
 * 2025, chapter Reasoning). Difficulty is the pass rate alone; prompt, topic and tools are not read. Tasks at exactly
 * 0 or 1 are left to `trimUnanimousGroups`, and single rollouts to you.
 *
 * @throws SelectError `bad_band` unless 0 ≤ lo ≤ hi ≤ 1; `bad_option`
 */
export function trimOutOfBand(
  rows: readonly Row[],
  options: TrimOutOfBandOptions = {},
): { rows: Row[]; report: TrimOutOfBandReport } {
  checkOptions(options, ["lo", "hi", "minK"], (what, fix) => new SelectError("bad_option", what, fix));
  const band = checkBand([options.lo ?? DEFAULT_BAND[0], options.hi ?? DEFAULT_BAND[1]]);
  const minK = wholeNumber("minK", options.minK ?? 2, 1);
  const objects = rows.filter(isObject);
  const rates = taskPassRates(objects);
  const out = new Set<Row>();
  const nOut = { too_easy: 0, too_hard: 0 };
  let fromRates = 0;
  for (const [task, group] of groupByTask(objects).groups) {
    const rate = rates.get(task);
    if (rate === undefined) continue;
    if (rate.from === "stamp") fromRates++;
    const side = outsideBand(rate, band, minK);
    if (side === null) continue;
    nOut[side]++;
    for (const row of group) out.add(row);
  }
  const kept = objects.filter((row) => !out.has(row));
  const report = {
    n: rows.length,
    nKept: kept.length,
    nDropped: rows.length - kept.length,
    nGroupsDropped: nOut.too_easy + nOut.too_hard,
    tooEasy: nOut.too_easy,
    tooHard: nOut.too_hard,
    fromRates,
    band,
  };
  return { rows: kept, report };
}

/** On which side of the band a rate lies, or null: inside, unanimous, or resting on too few rollouts. */
export function outsideBand({ rate, n }: Pick<TaskRate, "rate" | "n">, band: Band, minK = 2): BandSide | null {
  if ((n !== null && n < Math.max(2, minK)) || rate <= 0 || rate >= 1) return null;
  return bandSide(rate, band);
}

/** On which side of the band a rate lies, or null inside it. */
export function bandSide(rate: number, [low, high]: Band): BandSide | null {
  if (rate > high + THRESHOLD_SLACK) return "too_easy";
  return rate < low - THRESHOLD_SLACK ? "too_hard" : null;
}

/** @throws SelectError `bad_band` unless 0 ≤ low ≤ high ≤ 1 */
export function checkBand(band: unknown): Band {
  if (Array.isArray(band) && band.length === 2) {
    const [low, high] = band;
    if (typeof low === "number" && typeof high === "number" && 0 <= low && low <= high && high <= 1) return [low, high];
  }
  const shown = Array.isArray(band) ? band.join(" to ") : String(band);
  throw new SelectError(
    "bad_band",
    `The band is ${shown}: a band must satisfy 0 <= lo <= hi <= 1.`,
    "Pass two shares, for example 0.2 and 0.8.",
  );
}
