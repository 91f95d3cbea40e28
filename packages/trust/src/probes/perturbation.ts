import type { Row } from "@while/schema";
import { ALPHA, binaryReward, type Interval, mcnemarExact, wilsonInterval } from "@while/stats";
import type { Judge } from "../judge/judge.ts";
import { runJudge } from "../judge/run-judge.ts";
import type { UnjudgedCount } from "../judge/scored-rows.ts";
import { gradedSample } from "./graded-sample.ts";
import { padded } from "./probe-edits.ts";
import { checkProbeOptions, type ProbeOptions } from "./probe-options.ts";

export interface Perturbation {
  /** Rows that were judged again, and whose verdicts are 0 or 1 before and after. */
  n: number;
  /** Why nothing was judged; null where something was. */
  note: "no graded rows" | null;
  /** Verdicts that changed although the row did not. */
  consistencyFlips: number;
  consistencyFlipRate: number | null;
  consistencyCi95: Interval | null;
  flaggedConsistency: boolean;
  /** Rows that were judged both as they are and with filler. */
  nFiller: number;
  fillerFlipRate: number | null;
  fillerFlipsUp: number;
  fillerFlipsDown: number;
  /** Up less down, without its sign. */
  netRate: number | null;
  /** That up and down are equally likely, exact. */
  signP: number;
  flaggedLength: boolean;
  /** Calls over both passes, and of these without a verdict. */
  nCalls: number;
  errors: number;
  /** What went wrong in the first of these, in a few words; null where none did. */
  errorExample: string | null;
}

/**
 * Judges a sample again, as it is and with filler behind the reply. The first is how much a verdict moves by itself: at
 * temperature 0 it says that a judge is deterministic, and nothing of whether it is right. Costs two calls a row.
 *
 * @throws TrustError `bad_option`
 */
export async function perturbation(
  rows: readonly Row[],
  judge: Judge,
  options: ProbeOptions = {},
): Promise<Perturbation> {
  const { sample, seed, flipFlag, rule, ...settings } = checkProbeOptions(options);
  const picked = gradedSample(rows, { sample, seed, byVerdict: false });
  const call = { ...settings.call, source: "judge_trust" };
  const again = await runJudge(picked, judge, call);
  const filled = await runJudge(picked.map(padded), judge, call);
  const verdicts = picked.map((row, i) => ({
    before: binaryReward(row),
    after: binaryReward(again.rows[i]!),
    filler: binaryReward(filled.rows[i]!),
  }));
  const compared = verdicts.filter(({ after }) => after !== null);
  const flips = compared.filter(({ before, after }) => before !== after).length;
  const n = compared.length;
  const ci95 = wilsonInterval(flips, n);
  const pairs = compared.filter(({ filler }) => filler !== null);
  const up = pairs.filter(({ after, filler }) => after === 0 && filler === 1).length;
  const down = pairs.filter(({ after, filler }) => after === 1 && filler === 0).length;
  const net = pairs.length === 0 ? null : Math.abs(up - down) / pairs.length;
  const signP = mcnemarExact(up, down).pExact;
  const rate = n === 0 ? null : flips / n;
  return {
    n,
    note: picked.length === 0 ? "no graded rows" : null,
    consistencyFlips: flips,
    consistencyFlipRate: rate,
    consistencyCi95: ci95,
    flaggedConsistency: rate !== null && (rule === "strict" ? ci95![0] : rate) >= flipFlag,
    nFiller: pairs.length,
    fillerFlipRate: pairs.length === 0 ? null : (up + down) / pairs.length,
    fillerFlipsUp: up,
    fillerFlipsDown: down,
    netRate: net,
    signP,
    flaggedLength: net !== null && net >= flipFlag && signP < ALPHA,
    nCalls: 2 * picked.length,
    errors: again.nUnjudged + filled.nUnjudged,
    errorExample: exampleOf(again.unjudgedBy[0] ?? filled.unjudgedBy[0]),
  };
}

function exampleOf(first: UnjudgedCount | undefined): string | null {
  if (first === undefined) return null;
  return first.example === "" ? first.failure : `${first.failure}: ${first.example}`;
}
