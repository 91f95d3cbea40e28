import { checkOptions, isObject, type Row } from "@while/schema";
import { DIFFICULTY_BAND, ROLLOUTS_PER_TASK, THRESHOLD_SLACK } from "../constants.ts";
import { checkInference, type Inference } from "../inference.ts";
import { meanOf } from "../interval/sample.ts";
import { defaultK, kWays, reportedKWay } from "../pass-at/k-way.ts";
import { OutcomeTable, ratesOf } from "../pass-at/outcome-table.ts";
import { StatsError } from "../stats-error.ts";

export interface GroupSignalOptions {
  /** Band of pass rates that teach, edges inside. */
  lo?: number;
  hi?: number;
  inference?: Inference;
}

export interface GroupSignal {
  inference: Inference;
  lo: number;
  hi: number;
  /** Tasks with a graded row. */
  nGroups: number;
  /** Tasks with one graded row, which cannot be mixed. */
  nSingle: number;
  /** Tasks with both outcomes. */
  nMixed: number;
  nAllZero: number;
  nAllOne: number;
  /** Mixed tasks with a pass rate in the band. */
  nInBand: number;
  /** Mixed tasks among those with two rows or more; null without any. */
  mixedRate: number | null;
  /** As `passAt` of the same rows. */
  k: number;
  passAt1: number | null;
  passPowK: number | null;
  passAtK: number | null;
  headroom: number | null;
}

/**
 * How many tasks carry a signal for a grouped update. A task whose rollouts all agree has no advantage to learn from
 * (DAPO, arXiv:2503.14476); outside the band nearly all of its rollouts agree.
 *
 * @throws StatsError `bad_option`, `bad_value` for a band that is none
 */
export function groupSignal(rows: readonly Row[], options: GroupSignalOptions = {}): GroupSignal {
  checkOptions(options, ["lo", "hi", "inference"], (what, fix) => new StatsError("bad_option", what, fix));
  const { lo = DIFFICULTY_BAND.lo, hi = DIFFICULTY_BAND.hi, inference = "strict" } = options;
  checkInference(inference);
  if (!(lo >= 0 && lo <= hi && hi <= 1)) {
    throw new StatsError("bad_value", `The band is ${lo} to ${hi}.`, "Pass two shares from 0 to 1, the lower first.");
  }
  const table = new OutcomeTable(inference);
  for (const row of rows) if (isObject(row)) table.add(row);
  const outcomes = table.outcomes();

  let [nSingle, nMixed, nAllZero, nAllOne, nInBand] = [0, 0, 0, 0, 0];
  for (const { n, c, count } of outcomes.atoms) {
    const rate = c / n;
    if (n === 1) nSingle += count;
    else if (c === 0) nAllZero += count;
    else if (c === n) nAllOne += count;
    else {
      nMixed += count;
      if (rate >= lo - THRESHOLD_SLACK && rate <= hi + THRESHOLD_SLACK) nInBand += count;
    }
  }
  const nSeveral = nMixed + nAllZero + nAllOne;
  const k = defaultK(outcomes);
  const kWay = reportedKWay(kWays(outcomes, false), k, ROLLOUTS_PER_TASK);
  const passAt1 = meanOf(ratesOf(outcomes));
  const passAtK = kWay === null ? null : meanOf(kWay.passAtK);
  return {
    inference,
    lo,
    hi,
    nGroups: outcomes.order.length,
    nSingle,
    nMixed,
    nAllZero,
    nAllOne,
    nInBand,
    mixedRate: nSeveral === 0 ? null : nMixed / nSeveral,
    k,
    passAt1,
    passPowK: kWay === null ? null : meanOf(kWay.passPowK),
    passAtK,
    headroom: passAtK === null || passAt1 === null ? null : passAtK - passAt1,
  };
}
