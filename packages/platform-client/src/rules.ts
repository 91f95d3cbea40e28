// May the candidate be promoted?

export { bestOf } from "./rules/best-of.ts";
export type { Difference, Rules } from "./rules/difference.ts";
export { beats, difference, halfInterval, sameTest } from "./rules/difference.ts";
export { formatVerdict } from "./rules/format-verdict.ts";
export type { NewestScore, ScoredRun } from "./rules/newest-scores.ts";
export { liveRuns, newestScores } from "./rules/newest-scores.ts";
export type { SeedScore } from "./rules/pooled-seeds.ts";
export { pooledSeeds, seedOf, seedScores } from "./rules/pooled-seeds.ts";
export type { VerdictInput, VerdictOptions } from "./rules/verdict.ts";
export { resolveVerdict, verdictOf } from "./rules/verdict.ts";
export { MANY_TRIED, MAX_LENGTH_BIAS, MIN_AGREEMENT, MIN_HUMAN_N, MIN_N, SATURATED } from "./rules/verdict-gaps.ts";

// Can the test prove a gain?

export type { EvalHealthOptions } from "./rules/eval-health.ts";
export { evalHealth } from "./rules/eval-health.ts";
export { formatEvalHealth } from "./rules/format-eval-health.ts";
export type { NoiseFloor } from "./rules/noise-floor.ts";
export { noiseFloorOf } from "./rules/noise-floor.ts";

// What happened, what to do next, and what nobody can read yet

export type { BriefOptions } from "./rules/brief.ts";
export { BRIEF_MAX_STEPS, briefOf } from "./rules/brief.ts";
export { formatBrief, formatBriefMarkdown } from "./rules/format-brief.ts";
export type { Missing, MissingKey } from "./rules/missing.ts";
export { missingOf } from "./rules/missing.ts";
export type { BriefedAgent } from "./rules/readable.ts";
export { dismissedSteps, READABLE_MAX_PER_KEY, readable } from "./rules/readable.ts";
export { settingsName } from "./rules/settings-name.ts";

// The Runs page as data

export type { DashboardInput } from "./rules/dashboard.ts";
export { candidateVersion, dashboardOf, pickBehavior } from "./rules/dashboard.ts";
export { deltasOf } from "./rules/deltas.ts";
export { liveSeries } from "./rules/live-series.ts";
export { numericTag } from "./rules/numeric-tag.ts";
export { rowDifference } from "./rules/row-difference.ts";
export type { KeyedRow, RowFlips, RowPairs } from "./rules/row-flips.ts";
export { pairRows, rowFlips } from "./rules/row-flips.ts";
export type { RowsReading } from "./rules/rows-reading.ts";
export { nearestReading, ROWS_GAP, rowsDoubt } from "./rules/rows-reading.ts";
export type { CountedRow } from "./rules/rows-summary.ts";
export { NO_TAG, rowsSummary, WHYS_MAX } from "./rules/rows-summary.ts";
export type { TaskAgreement, TaskGrades } from "./rules/task-agreement.ts";
export { rolloutAgreement, taskAgreement } from "./rules/task-agreement.ts";
export type { CurveColumns, CurveOptions } from "./rules/train-curve.ts";
export { CURVE_MAX_POINTS, curveOfColumns, trainCurve } from "./rules/train-curve.ts";

// What it costs

export type { FrontierGap } from "./rules/frontier.ts";
export { formatFrontierGap, frontierGap } from "./rules/frontier.ts";
export type { Price, TrainingCost } from "./rules/price.ts";
export { formatTrainingCost, PRICE_BOOK, priceEval, trainingCost } from "./rules/price.ts";

export { repliesDoubt } from "./rules/replies-doubt.ts";

// What is stored of a text, a row, a point and a name

export type { CutExample } from "./rules/example.ts";
export { cutExample, cutSample, defaultSample } from "./rules/example.ts";
export type { MiddleCut } from "./rules/middle-cut.ts";
export { cutMiddle } from "./rules/middle-cut.ts";
export type { ReadPoint } from "./rules/read-point.ts";
export { readPoint } from "./rules/read-point.ts";
export { slug } from "./rules/slug.ts";

// Numbers as they are written

export { formatDelta, formatPoints, formatSignificant, roundPoints } from "./rules/number-format.ts";
