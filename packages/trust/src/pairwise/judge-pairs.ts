import { checkOptions, cutCodePoints, formatPercent, isObject, type Row, roundHalfEven, textOf } from "@while/schema";
import { gradedReward, type Interval, mcnemarExact, meanScoreInterval, type Warning } from "@while/stats";
import { counted } from "../counted.ts";
import { type AskOptions, askWithin } from "../judge/ask-within.ts";
import { inParallel } from "../judge/in-parallel.ts";
import { checkRunOptions } from "../judge/run-judge.ts";
import { TrustError } from "../trust-error.ts";
import { type LengthControlled, lengthControlled } from "./length-controlled.ts";
import { readWinner, type ShownWinner } from "./read-winner.ts";

/** Two replies to one request, one of them preferred by whoever made the pair. */
export interface Pair {
  chosen: Row;
  rejected: Row;
  [key: string]: unknown;
}

/** Which of two replies is better; text is read for `{"winner": …}`. */
export type PairJudge = ((
  a: Row,
  b: Row,
  context: { signal: AbortSignal; prompt: string },
) => PairVerdict | string | Promise<PairVerdict | string>) & { judgeName?: string };

export interface PairVerdict {
  winner: "A" | "B" | "tie";
  reason?: string;
}

export type PairWinner = "chosen" | "rejected" | "tie";

/** As it lands on a pair, in the spelling of the wire. */
export interface PairwiseStamp {
  winner: PairWinner | null;
  /** Whether both orders say the same; null where not both were read. */
  position_consistent: boolean | null;
  swapped: boolean;
  reasons: string[];
  judge: string;
}

export interface JudgePairsOptions {
  /** Ask in both orders: a judge that likes what it sees first is seen through. */
  swap?: boolean;
  judgeName?: string;
  concurrency?: number;
  timeoutMs?: number;
  retries?: number;
  signal?: AbortSignal;
  /** Disagreements that are listed. */
  examples?: number;
  positionFlipFlag?: number;
  prefersRejectedFlag?: number;
}

const NAMES = [
  ...["swap", "judgeName", "concurrency", "timeoutMs", "retries", "signal", "examples"],
  ...["positionFlipFlag", "prefersRejectedFlag"],
];

export type PairWarningCode = "position_bias" | "prefers_rejected" | "pairs_missing" | "length_bias";

export interface PairsReport {
  n: number;
  nJudged: number;
  /** Pairs of which no order was read. They are no ties. */
  failed: number;
  /** Pairs of which one order was read. */
  nHalf: number;
  judge: string;
  swap: boolean;
  /** Of the pairs with both orders read, those whose verdict depends on the order. */
  positionFlipRate: number | null;
  positionFlips: number;
  /** Flips to whichever reply was shown first, and second. */
  flipsToFirst: number;
  flipsToSecond: number;
  /** Exact sign test of these two. */
  positionP: number | null;
  tieRate: number | null;
  /** Share of the judged pairs on which the judge prefers the chosen reply. */
  agreesWithScores: number | null;
  prefersRejected: number;
  /** Share that prefers the chosen reply in both orders, over the pairs with both read. */
  correctInBothOrders: number | null;
  /** Wins of the chosen reply and half of the ties, over the pairs whose every order was read; no interval under three. */
  winRate: number | null;
  winRateCi95: Interval | null;
  nWinRate: number;
  /** The win rate with the length of both replies held equal; null without pairs whose replies differ in length. */
  lengthControlled: LengthControlled | null;
  disagreements: { prompt: string; chosenScore: number | null; rejectedScore: number | null; reasons: string[] }[];
  warnings: Warning<PairWarningCode>[];
}

const POSITION_FLIP_FLAG = 0.2;
const PREFERS_REJECTED_FLAG = 0.2;
const MISSING_FLAG = 0.05;
const PROMPT_CHARS = 160;

/** What both orders said, as sides of the screen. */
interface Orders {
  first: ShownWinner | null;
  second: ShownWinner | null;
  reasons: string[];
}

/**
 * Asks a second judge which reply of each pair is better, in both orders, and writes what it said on new pairs (`pairwise`,
 * `tie`). Two orders that disagree are a tie. A judge that failed is none: such a pair has no winner, and rates are over the
 * pairs that were read. Zheng et al. 2023, arXiv:2306.05685.
 *
 * @throws TrustError `bad_pairs` for pairs without two replies, with their number and the first; `bad_option`, `no_judge`
 */
export async function judgePairs<Given extends Pair>(
  pairs: readonly Given[],
  judge: PairJudge,
  options: JudgePairsOptions = {},
): Promise<{ pairs: (Given & { pairwise: PairwiseStamp; tie: boolean })[]; report: PairsReport }> {
  checkOptions(options, NAMES, (what, fix) => new TrustError("bad_option", what, fix));
  const { swap = true, concurrency = 8, timeoutMs, retries = 0, signal } = options;
  checkRunOptions(judge as never, { concurrency, retries, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  checkPairs(pairs);
  const name = options.judgeName ?? judge.judgeName ?? (judge.name || "pair_judge");
  const call: AskOptions = { timeoutMs, retries, backoffMs: 400, random: () => 0.5, signal };
  const ask = async (a: Row, b: Row): Promise<{ winner: ShownWinner | null; reason: string }> => {
    if (signal?.aborted) return { winner: null, reason: "" };
    const prompt = textOf(a.prompt) || textOf(b.prompt);
    const end = await askWithin((aborted) => judge(a, b, { signal: aborted, prompt }), call);
    return "failure" in end ? { winner: null, reason: end.error } : readWinner(end.answer);
  };
  const asked = await inParallel(pairs, concurrency, async ({ chosen, rejected, prompt }): Promise<Orders> => {
    const request = textOf(prompt);
    const withPrompt = (row: Row): Row =>
      request === "" || textOf(row.prompt) !== "" ? row : { ...row, prompt: request };
    const [a, b] = [withPrompt(chosen), withPrompt(rejected)];
    const one = await ask(a, b);
    const other = swap ? await ask(b, a) : null;
    const reasons = [one.reason, other?.reason ?? ""].filter((reason) => reason !== "");
    return { first: one.winner, second: other?.winner ?? null, reasons };
  });
  const judged = pairs.map((pair, i) => {
    const { winner, consistent } = verdictOf(asked[i]!, swap);
    const pairwise: PairwiseStamp = {
      ...{ winner, position_consistent: consistent, swapped: swap, reasons: asked[i]!.reasons, judge: name },
    };
    return { ...pair, pairwise, tie: winner === "tie" };
  });
  return { pairs: judged, report: reportOf(judged, asked, { ...options, swap, judge: name }) };
}

function checkPairs(pairs: readonly unknown[]): void {
  const isPair = (pair: unknown): boolean => isObject(pair) && isObject(pair.chosen) && isObject(pair.rejected);
  const bad = pairs.filter((pair) => !isPair(pair)).length;
  if (bad === 0) return;
  throw new TrustError(
    "bad_pairs",
    `${counted(bad, "pair")} of ${pairs.length} without two replies, the first at index ${pairs.findIndex((pair) => !isPair(pair))}.`,
    "Give every pair an object chosen and an object rejected.",
  );
}

/** A side of the screen as a reply of the pair. */
const SIDES: readonly Record<ShownWinner, PairWinner>[] = [
  { A: "chosen", B: "rejected", tie: "tie" },
  { A: "rejected", B: "chosen", tie: "tie" },
];

function verdictOf(
  { first, second }: Orders,
  swap: boolean,
): { winner: PairWinner | null; consistent: boolean | null } {
  const one = first === null ? null : SIDES[0]![first];
  if (!swap) return { winner: one, consistent: null };
  const other = second === null ? null : SIDES[1]![second];
  if (one === null || other === null) return { winner: one ?? other, consistent: null };
  return one === other ? { winner: one, consistent: true } : { winner: "tie", consistent: false };
}

function reportOf(
  pairs: readonly (Pair & { pairwise: PairwiseStamp })[],
  asked: readonly Orders[],
  {
    swap,
    judge,
    examples = 10,
    positionFlipFlag = POSITION_FLIP_FLAG,
    prefersRejectedFlag = PREFERS_REJECTED_FLAG,
  }: JudgePairsOptions & { swap: boolean; judge: string },
): PairsReport {
  const winners = pairs.map(({ pairwise }) => pairwise.winner);
  const count = (of: PairWinner | null): number => winners.filter((winner) => winner === of).length;
  const nJudged = pairs.length - count(null);
  const both = asked.filter(({ first, second }) => first !== null && second !== null);
  const flipsTo = (side: ShownWinner): number =>
    both.filter(({ first, second }) => first === side && second === side).length;
  const [flipsToFirst, flipsToSecond] = [flipsTo("A"), flipsTo("B")];
  const positionFlips = pairs.filter(({ pairwise }) => pairwise.position_consistent === false).length;
  const correct = pairs.filter(
    ({ pairwise }) => pairwise.position_consistent === true && pairwise.winner === "chosen",
  ).length;
  const nHalf = swap ? nJudged - both.length : 0;
  // A pair of which one order failed would count for whichever order went through.
  const whole = pairs.filter(({ pairwise }) =>
    swap ? pairwise.position_consistent !== null : pairwise.winner !== null,
  );
  const scores = whole.map(({ pairwise }) => (pairwise.winner === "chosen" ? 1 : pairwise.winner === "tie" ? 0.5 : 0));
  const wins = scores.reduce<number>((sum, score) => sum + score, 0);
  const share = (part: number, all: number): number | null => (all === 0 ? null : part / all);
  const rounded = (x: number | null): number | null => (x === null ? null : roundHalfEven(x, 4));
  const against = pairs.filter(({ pairwise }) => pairwise.winner === "rejected");
  const numbers = {
    ...{ n: pairs.length, nJudged, failed: count(null), nHalf, judge, swap },
    ...{ positionFlipRate: rounded(share(positionFlips, both.length)), positionFlips, flipsToFirst, flipsToSecond },
    positionP: flipsToFirst + flipsToSecond === 0 ? null : mcnemarExact(flipsToFirst, flipsToSecond).pExact,
    tieRate: rounded(share(count("tie"), nJudged)),
    agreesWithScores: rounded(share(count("chosen"), nJudged)),
    prefersRejected: count("rejected"),
    correctInBothOrders: rounded(share(correct, both.length)),
    ...{
      winRate: share(wins, whole.length),
      winRateCi95: scores.length === 0 ? null : (meanScoreInterval(scores)?.ci95 ?? null),
      nWinRate: whole.length,
    },
    lengthControlled: lengthControlled(whole.map((pair, i) => ({ ...pair, score: scores[i]! }))),
    disagreements: against.slice(0, examples).map(({ chosen, rejected, prompt, pairwise }) => ({
      prompt: cutCodePoints(textOf(prompt) || textOf(chosen.prompt), PROMPT_CHARS),
      ...{ chosenScore: gradedReward(chosen), rejectedScore: gradedReward(rejected), reasons: pairwise.reasons },
    })),
  };
  return { ...numbers, warnings: warningsOf(numbers, { positionFlipFlag, prefersRejectedFlag, nBoth: both.length }) };
}

function warningsOf(
  report: Omit<PairsReport, "warnings">,
  flags: { positionFlipFlag: number; prefersRejectedFlag: number; nBoth: number },
): Warning<PairWarningCode>[] {
  const { n, nJudged, failed, nHalf, positionFlips, positionFlipRate, flipsToFirst, flipsToSecond, prefersRejected } =
    report;
  const warnings: Warning<PairWarningCode>[] = [];
  if (failed + nHalf > MISSING_FLAG * n) {
    const text = `${failed} of ${counted(n, "pair")} not judged and ${nHalf} in one order alone: no win rate of all; judge them again`;
    warnings.push({ code: "pairs_missing", text });
  }
  if (positionFlipRate !== null && positionFlips >= flags.positionFlipFlag * flags.nBoth && positionFlips > 0) {
    const text = `position bias: ${positionFlips} of ${counted(flags.nBoth, "pair")} change with the order (${flipsToFirst} to the first reply shown, ${flipsToSecond} to the second), and count as ties; mend the judge's prompt`;
    warnings.push({ code: "position_bias", text });
  }
  warnings.push(...lengthWarning(report));
  if (nJudged > 0 && prefersRejected > 0 && prefersRejected >= flags.prefersRejectedFlag * nJudged) {
    const text = `the judge prefers the rejected reply on ${prefersRejected} of ${counted(nJudged, "pair")}: it and the scores do not mean the same by good`;
    warnings.push({ code: "prefers_rejected", text });
  }
  return warnings;
}

/** A win rate that length makes out by more than this is not that of the replies. */
const LENGTH_FLAG = 0.05;

function lengthWarning({
  winRate,
  lengthControlled: equal,
}: Omit<PairsReport, "warnings">): Warning<PairWarningCode>[] {
  if (winRate === null || equal === null || equal.slopeCi95 === null || equal.rate === null) return [];
  const [low, high] = equal.slopeCi95;
  if ((low <= 0 && high >= 0) || Math.abs(winRate - equal.rate) < LENGTH_FLAG) return [];
  const what = low > 0 ? "longer" : "shorter";
  const won = low > 0 ? equal.nLongerWins : equal.nUnequal - equal.nLongerWins;
  const text = `length bias: the ${what} reply wins ${won} of ${counted(equal.nUnequal, "pair")} of unequal length; with both equally long the chosen one would be preferred ${formatPercent(equal.rate)}, not ${formatPercent(winRate)}`;
  return [{ code: "length_bias", text }];
}
