import { checkOptions, type Row, roundHalfEven, rowKey, taskKey } from "@while/schema";
import { clusteredStandardError, concordance, krippendorffAlpha, spearman, weightedKappa } from "@while/stats";
import { TrustError } from "../trust-error.ts";
import { lengthOfMarks } from "./length-of-marks.ts";
import { type MarkScale, RATING_FIELD, ratedRows } from "./rated-rows.ts";
import { raterCeiling } from "./rater-ceiling.ts";
import { ratingFindings, ratingStatus } from "./rating-findings.ts";
import type { MarkDifference, MarkLevel, RatingAgreement } from "./rating-report.ts";
import { taskClusters } from "./task-clusters.ts";
import { MIN_KAPPA } from "./thresholds.ts";

export interface RatingAgreementOptions {
  /** The field of gold: what `attachRatings` writes, or a column of marks. */
  gold?: string;
  /** The lowest and the highest mark; that of the ratings, else 0 to 1, when left out. */
  scale?: MarkScale | undefined;
  /** Floor for the concordance. */
  minConcordance?: number;
  /** Gold by a model, or by nobody knows whom, counts as gold. */
  allowModelGold?: boolean;
}

const SHOWN = 20;
/** Marks from 0 to 20, or a slider in fives. */
const MAX_LEVELS = 21;

/**
 * Does a judge that grades on a scale agree with people who did? Concordance (the quadratic-weighted kappa: being two marks
 * off weighs four times as much as being one off) with an interval over tasks, held against one floor; how much kinder the
 * judge is, whether it keeps to the middle, and whether it pays for length. `judgeTrust` leaves such rewards out, since 0.75
 * is neither a pass nor a failure.
 *
 * A judge passes where the interval is above the floor, fails where it is below, and else these marks cannot tell. Cohen
 * 1968; Lin 1989; Krippendorff 2004; Lambert 2025, chapter Reward Modeling.
 *
 * @param rows With rewards from 0 to 1 (`runJudge` with `scale`) and gold marks (`attachRatings`)
 * @throws TrustError `bad_option`
 */
export function ratingAgreement(rows: readonly Row[], options: RatingAgreementOptions = {}): RatingAgreement {
  const { gold, scale: given, minConcordance, allowModelGold } = checked(options);
  const { scale, rated, ...whose } = ratedRows(rows, { gold, scale: given, allowModelGold });
  const both = rated.flatMap(({ row, gold: mark, judge }) => (judge === null ? [] : [{ row, gold: mark, judge }]));
  const tasks = taskClusters(both.map(({ row }) => row));
  const people = both.map((one) => one.gold);
  const judge = both.map((one) => one.judge);
  const off = both.map((one) => one.judge - one.gold);
  const agreed = concordance(judge, people, { clusters: tasks });
  const bias = clusteredStandardError(off, tasks);
  const [judgeSpread, goldSpread] = [spread(judge), spread(people)];
  const report = {
    ...{ scale, n: both.length, nUnjudged: rated.length - both.length, nTasks: new Set(tasks).size },
    ...{ ...whose, minConcordance, concordance: agreed.concordance, concordanceCi95: agreed.ci95 },
    ...ofWholeMarks(judge, people, scale),
    alphaOrdinal: krippendorffAlpha(
      both.map((one) => [one.judge, one.gold]),
      { level: "ordinal" },
    ).alpha,
    spearman: spearman(judge, people),
    bias: bias?.mean ?? null,
    biasCi95: bias?.ci95 ?? null,
    meanAbsoluteDifference: mean(off.map(Math.abs)),
    ...{ judgeMean: mean(judge), goldMean: mean(people) },
    spreadRatio: judgeSpread === null || !goldSpread ? null : judgeSpread / goldSpread,
    length: lengthOfMarks(both, tasks),
    levels: levelsOf(both),
    ceiling: raterCeiling(rated),
    differences: differencesOf(both),
  };
  const findings = ratingFindings(report);
  const status = ratingStatus(report, findings);
  return { ok: status === "pass", status, ...report, findings, warnings: findings.map(({ message }) => message) };
}

function checked(options: RatingAgreementOptions): Required<Omit<RatingAgreementOptions, "scale">> & {
  scale: MarkScale | undefined;
} {
  const refuse = (what: string, fix: string) => new TrustError("bad_option", what, fix);
  checkOptions(options, ["gold", "scale", "minConcordance", "allowModelGold"], refuse);
  const { gold = RATING_FIELD, scale, minConcordance = MIN_KAPPA, allowModelGold = false } = options;
  if (gold === "") throw refuse("gold is an empty field name.", "Name the field of the gold marks.");
  if (scale !== undefined && !(scale.length === 2 && scale.every(Number.isFinite) && scale[0] < scale[1])) {
    throw refuse(`scale is ${JSON.stringify(scale)}.`, "Pass the lowest and the highest mark: scale: [1, 5].");
  }
  if (!(minConcordance >= -1 && minConcordance <= 1)) {
    throw refuse(`minConcordance is ${minConcordance}.`, "Pass a number between -1 and 1.");
  }
  return { gold, scale, minConcordance, allowModelGold };
}

type Rated = readonly { row: Row; gold: number; judge: number }[];

/** What only marks in whole steps have: two raters may be equal there, or next to each other. */
function ofWholeMarks(
  judge: readonly number[],
  people: readonly number[],
  [low, high]: MarkScale,
): Pick<RatingAgreement, "kappaLinear" | "kappaOrdinal" | "sameMark" | "withinOne"> {
  const steps = high - low;
  if (
    ![low, high, ...judge, ...people].every(Number.isInteger) ||
    steps < 2 ||
    steps >= MAX_LEVELS ||
    judge.length === 0
  ) {
    return { kappaLinear: null, kappaOrdinal: null, sameMark: null, withinOne: null };
  }
  const categories = Array.from({ length: steps + 1 }, (_, i) => low + i);
  const { kappa, agreement } = weightedKappa(judge, people, { weights: "linear", categories });
  const near = judge.filter((mark, i) => Math.abs(mark - people[i]!) <= 1).length;
  const { kappa: kappaOrdinal } = weightedKappa(judge, people, { weights: "ordinal", categories });
  return { kappaLinear: kappa, kappaOrdinal, sameMark: agreement, withinOne: near / judge.length };
}

function levelsOf(rated: Rated): MarkLevel[] | null {
  const byGold = new Map<number, number[]>();
  for (const { gold, judge } of rated) {
    const level = roundHalfEven(gold, 2);
    const own = byGold.get(level);
    if (own === undefined) byGold.set(level, [judge]);
    else own.push(judge);
  }
  if (byGold.size > MAX_LEVELS) return null;
  return [...byGold]
    .sort(([a], [b]) => a - b)
    .map(([gold, judge]) => ({
      ...{ gold, n: judge.length, judgeMean: mean(judge)! },
      judgeRange: [Math.min(...judge), Math.max(...judge)],
    }));
}

function differencesOf(rated: Rated): MarkDifference[] {
  return rated
    .filter(({ gold, judge }) => judge !== gold)
    .sort((a, b) => Math.abs(b.judge - b.gold) - Math.abs(a.judge - a.gold))
    .slice(0, SHOWN)
    .map(({ row, gold, judge }) => ({ rowKey: rowKey(row), task: taskKey(row), gold, judge }));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;
}

function spread(values: readonly number[]): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  return Math.sqrt(values.reduce((total, value) => total + (value - centre) ** 2, 0) / (values.length - 1));
}
