// pass@1, pass^k, pass@k
export { passAt, passAtStream, PassAtTally } from "./pass-at/pass-at.ts";
export type { PassAt, PassAtOptions, PassCurvePoint } from "./pass-at/pass-at.ts";
export type { PassAtWarningCode } from "./pass-at/pass-at-warnings.ts";
export { passAtBy, passAtByStream } from "./pass-at/pass-at-by.ts";
export type { PassAtBy } from "./pass-at/pass-at-by.ts";
export { formatPassAt, formatPassAtBy, formatPassCurve } from "./pass-at/format-pass-at.ts";
export { passAtKGroup, passPowKGroup } from "./pass-at/pass-k-group.ts";

// What the tool that wrote the file says
export { secondOpinion, SecondOpinionTally } from "./second-opinion/second-opinion.ts";
export type { FileOpinion, HeadlineOpinion, SecondOpinion } from "./second-opinion/second-opinion.ts";
export type { HeadlineReason, HeadlineReasonCode } from "./second-opinion/headline-reasons.ts";
export { formatSecondOpinion } from "./second-opinion/format-second-opinion.ts";

// Summaries of markers and metrics
export { metricSummary } from "./summary/metric-summary.ts";
export type { MetricSummary, SummaryOptions, SummaryWarningCode } from "./summary/metric-summary.ts";
export { markerSummary, markerSummaryStream, MarkerSummaryTally } from "./summary/marker-summary.ts";
export type { MarkerSummaryOptions } from "./summary/marker-summary.ts";
export { formatMarkerSummary } from "./summary/format-marker-summary.ts";

// One run against another
export { compareRuns } from "./compare/compare-runs.ts";
export type { CompareOptions, RunComparison } from "./compare/compare-runs.ts";
export type { CompareVerdict } from "./compare/compare-verdict.ts";
export type { CompareWarningCode } from "./compare/compare-warnings.ts";
export type { DifferenceCiMethod } from "./compare/difference-ci.ts";
export type { SameTasks } from "./compare/same-tasks.ts";
export { formatCompareRuns } from "./compare/format-compare-runs.ts";
export { pairedTInterval } from "./compare/paired-t-interval.ts";
export type { PairedT } from "./compare/paired-t-interval.ts";
export { signFlipExact, signFlipPValue } from "./compare/sign-flip.ts";
export type { SignFlipOptions } from "./compare/sign-flip.ts";
export { minTasksForExactTest } from "./compare/min-tasks-for-exact-test.ts";

// Did a change help, and did it break anything?
export { deltaReport } from "./delta/delta-report.ts";
export type { DeltaReport } from "./delta/report.ts";
export type { DeltaOptions, VariedSetting } from "./delta/delta-options.ts";
export { formatDeltaReport } from "./delta/format-delta-report.ts";
export { deltaHtml } from "./delta/delta-html.ts";
export type { DeltaHtmlOptions } from "./delta/delta-html.ts";
export type { ChangeBar, TaskChanges } from "./delta/task-changes.ts";
export type { DebiasedDelta, DebiasedSide } from "./delta/debiased-delta.ts";
export { headlineWord } from "./delta/headline-word.ts";
export type { DeltaFailure, HeadlineInput } from "./delta/headline-word.ts";
export type { DeltaVerdict, TargetVerdict } from "./delta/delta-verdict.ts";
export type { DeltaWarningCode } from "./delta/delta-warning.ts";
export type { IncomparableCause } from "./delta/comparability.ts";
export type { GroupDelta } from "./delta/group-deltas.ts";
export type { GuardCheck } from "./delta/guard-checks.ts";
export type { MetricDelta } from "./delta/metric-deltas.ts";
export type { TrainRuns, TrainSpread } from "./delta/train-spread.ts";
export type { ProxyVerdict } from "./delta/proxy-delta.ts";
export { answeredCheck } from "./delta/answered-check.ts";
export type { AnsweredCheck, AnsweredCheckOptions } from "./delta/answered-check.ts";
export { balanceKeep, balanceRollouts } from "./delta/balance-rollouts.ts";
export type { BalancedRollouts } from "./delta/balance-rollouts.ts";

// The same agent again: how much a score moves by itself
export { evalVariance } from "./noise/eval-variance.ts";
export type { EvalVariance, EvalVarianceOptions, EvalVarianceWarningCode } from "./noise/eval-variance.ts";
export { formatEvalVariance } from "./noise/format-eval-variance.ts";
export { noiseBand } from "./noise/noise-band.ts";
export type { NoiseBandOptions } from "./noise/noise-band.ts";
export { noiseFloorPoints } from "./noise/noise-floor-points.ts";
export { stabilityBand } from "./noise/stability-band.ts";
export type { Stability } from "./noise/stability-band.ts";

// Two scores without their rows
export { differenceInterval } from "./platform/difference-interval.ts";
export type { DifferenceInterval, ScoredPair } from "./platform/difference-interval.ts";
export { holdoutSummary } from "./platform/holdout-summary.ts";
export type { HoldoutSide, HoldoutSummary, HoldoutSummaryOptions } from "./platform/holdout-summary.ts";

// How many tasks a gain takes
export { holdoutSize } from "./sizing/holdout-size.ts";
export type { HoldoutSize, HoldoutSizeOptions, HoldoutWarningCode } from "./sizing/holdout-size.ts";
export { formatHoldoutSize } from "./sizing/format-holdout-size.ts";
export { resolvableEffect } from "./sizing/resolvable-effect.ts";
export type { ResolvableEffect, ResolvableEffectOptions } from "./sizing/resolvable-effect.ts";
export { formatResolvableEffect } from "./sizing/format-resolvable-effect.ts";
export { evalPower } from "./sizing/eval-power.ts";
export type { EvalPower, EvalPowerOptions, EvalPowerVerdict } from "./sizing/eval-power.ts";
export { detectableEffect, detectableEffectClosed } from "./sizing/detectable-effect.ts";
export type { DetectableEffectOptions } from "./sizing/detectable-effect.ts";
export { holdoutSizeT } from "./sizing/holdout-size-t.ts";
export type { HoldoutSizeT } from "./sizing/holdout-size-t.ts";
export type { PowerOptions } from "./sizing/power-options.ts";
export { concentratedTaskSd, pairedTaskSd } from "./sizing/task-sd.ts";
export { independenceRatio } from "./sizing/independence-ratio.ts";
export { mcnemarPower } from "./sizing/mcnemar-power.ts";

// Signal for training
export { groupSignal } from "./groups/group-signal.ts";
export type { GroupSignal, GroupSignalOptions } from "./groups/group-signal.ts";

// What is in a set of rows, and how hard it is
export { datasetReport } from "./dataset/dataset-report.ts";
export type { DatasetGrid, DatasetOptions, DatasetReport, DatasetWarningCode } from "./dataset/dataset-report.ts";
export { formatDatasetReport } from "./dataset/format-dataset-report.ts";
export { BEHAVIOR_TIERS, behaviorTier, HARD_TIERS } from "./dataset/behavior-tier.ts";
export type { BehaviorTier } from "./dataset/behavior-tier.ts";

// Agreement of a judge with gold, and of raters
export { labelAgreement } from "./agreement/label-agreement.ts";
export type { LabelAgreement } from "./agreement/label-agreement.ts";
export { formatLabelAgreement } from "./agreement/format-label-agreement.ts";
export { cohenKappa } from "./agreement/cohen-kappa.ts";
export type { CohenKappaOptions } from "./agreement/cohen-kappa.ts";
export { kappaStandardError } from "./agreement/kappa-standard-error.ts";
export type { KappaStandardError } from "./agreement/kappa-standard-error.ts";
export { gwetAc1 } from "./agreement/gwet-ac1.ts";
export { pabak } from "./agreement/pabak.ts";
export type { Confusion } from "./agreement/confusion.ts";
export { scottPi } from "./agreement/scott-pi.ts";
export { matthewsCorrelation } from "./agreement/matthews-correlation.ts";
export { KAPPA_WEIGHTS, weightedKappa } from "./agreement/weighted-kappa.ts";
export type { KappaWeights, WeightedKappa, WeightedKappaOptions } from "./agreement/weighted-kappa.ts";
export { concordance } from "./agreement/concordance.ts";
export type { Concordance, ConcordanceOptions } from "./agreement/concordance.ts";
export { fleissKappa } from "./agreement/fleiss-kappa.ts";
export type { FleissKappa } from "./agreement/fleiss-kappa.ts";
export { krippendorffAlpha } from "./agreement/krippendorff-alpha.ts";
export type { AlphaLevel, KrippendorffAlpha, KrippendorffOptions } from "./agreement/krippendorff-alpha.ts";
export { dawidSkene } from "./agreement/dawid-skene.ts";
export type { DawidSkene, RaterLabel, RaterRates } from "./agreement/dawid-skene.ts";
export { effectiveRaters } from "./agreement/effective-raters.ts";
export type { EffectiveRaters, EffectiveRatersOptions } from "./agreement/effective-raters.ts";

// A judge that says how sure it is: does 0.8 mean 0.8?
export { calibration } from "./calibration/calibration.ts";
export type { Calibration, CalibrationOptions } from "./calibration/calibration.ts";
export { BINNINGS, RELIABILITY_BINS, reliabilityBins } from "./calibration/reliability-bins.ts";
export type { Binning, ReliabilityBin, ReliabilityOptions } from "./calibration/reliability-bins.ts";
export { rocArea } from "./calibration/roc-area.ts";
export { isotonicAt, isotonicFit } from "./calibration/isotonic-fit.ts";
export type { IsotonicBlock, IsotonicFit } from "./calibration/isotonic-fit.ts";

// The judge inside the number
export { ppiMean } from "./measurement-error/ppi-mean.ts";
export type { PpiInput, PpiMean, PpiOptions } from "./measurement-error/ppi-mean.ts";
export { roganGladen } from "./measurement-error/rogan-gladen.ts";
export type { RoganGladen, RoganGladenInput } from "./measurement-error/rogan-gladen.ts";

// Two rates: the same tasks twice, or independent rows
export { stratifiedExactTest } from "./proportions/stratified-exact-test.ts";
export type { StratifiedExact, TaskCounts } from "./proportions/stratified-exact-test.ts";
export { mantelHaenszel } from "./proportions/mantel-haenszel.ts";
export type { MantelHaenszel } from "./proportions/mantel-haenszel.ts";
export { mcnemarExact } from "./proportions/mcnemar-exact.ts";
export type { ExactP } from "./proportions/exact-p.ts";
export { bonettPrice } from "./proportions/bonett-price.ts";
export type { PairedOutcomes } from "./proportions/bonett-price.ts";
export { twoProportionP } from "./proportions/two-proportion-p.ts";
export { controlledRate } from "./proportions/controlled-rate.ts";
export type { ControlledRate, ControlledRateOptions } from "./proportions/controlled-rate.ts";
export { fisherExact } from "./proportions/fisher-exact.ts";
export { agrestiCaffo } from "./proportions/agresti-caffo.ts";
export { newcombeIndependent } from "./proportions/newcombe-independent.ts";
export type { RateDifference } from "./proportions/rate-difference.ts";
export type { SuccessCount } from "./proportions/success-count.ts";

// Many metrics at once
export { holmAdjust } from "./multiplicity/holm-adjust.ts";
export { benjaminiHochberg, benjaminiYekutieli } from "./multiplicity/benjamini-hochberg.ts";
export { maxTSignFlip } from "./multiplicity/max-t-sign-flip.ts";
export type { MaxTOptions, MaxTSignFlip } from "./multiplicity/max-t-sign-flip.ts";

// Rows that are not independent
export { clusteredStandardError } from "./clustered/clustered-standard-error.ts";
export type { ClusteredStandardError } from "./clustered/clustered-standard-error.ts";
export { rolloutVarianceSplit } from "./clustered/rollout-variance-split.ts";
export type { RolloutVarianceSplit } from "./clustered/rollout-variance-split.ts";
export { anovaIcc } from "./clustered/anova-icc.ts";
export type { AnovaIcc } from "./clustered/anova-icc.ts";

// Proof of no harm
export { tostPaired } from "./equivalence/tost-paired.ts";
export type { TostPaired } from "./equivalence/tost-paired.ts";
export { nonInferiority } from "./equivalence/non-inferiority.ts";
export type { NonInferiority } from "./equivalence/non-inferiority.ts";

// Log-probabilities
export { logprobReport } from "./logprobs/logprob-report.ts";
export type { LogprobReport, LogprobWarningCode } from "./logprobs/logprob-report.ts";
export { formatLogprobReport } from "./logprobs/format-logprob-report.ts";
export { meanKl } from "./logprobs/mean-kl.ts";
export type { MeanKl } from "./logprobs/mean-kl.ts";
export { formatMeanKl } from "./logprobs/format-mean-kl.ts";
export { stalenessReport } from "./logprobs/staleness-report.ts";
export type { StalenessOptions, StalenessReport, StalenessWarningCode } from "./logprobs/staleness-report.ts";
export { formatStalenessReport } from "./logprobs/format-staleness-report.ts";

// Looking before the end
export { compareSequentially } from "./sequential/compare-sequentially.ts";
export type { SequentialComparison, SequentialOptions } from "./sequential/compare-sequentially.ts";
export { formatSequentialComparison } from "./sequential/format-sequential-comparison.ts";
export { bettingConfidenceSequence } from "./sequential/betting-confidence-sequence.ts";
export type { BettingConfidenceSequence, BettingOptions } from "./sequential/betting-confidence-sequence.ts";
export { signTestEValue } from "./sequential/sign-test-e-value.ts";
export type { SignTestEValue } from "./sequential/sign-test-e-value.ts";
export { betaBinomialConfidenceSequence } from "./sequential/beta-binomial-confidence-sequence.ts";
export type { ConfidenceSequenceOptions } from "./sequential/beta-binomial-confidence-sequence.ts";
export { asymptoticConfidenceSequence } from "./sequential/asymptotic-confidence-sequence.ts";
export type {
  AsymptoticConfidenceSequence,
  AsymptoticConfidenceSequenceOptions,
} from "./sequential/asymptotic-confidence-sequence.ts";

// The Bayesian reading of few rows
export { betaPosterior } from "./bayes/beta-posterior.ts";
export type { BetaPosterior, BetaPosteriorOptions } from "./bayes/beta-posterior.ts";
export { probBBetter } from "./bayes/prob-b-better.ts";
export { passPowKPlugIn, posteriorPassK } from "./bayes/posterior-pass-k.ts";
export type { PosteriorPassK } from "./bayes/posterior-pass-k.ts";
export { bayesianBootstrapMoments } from "./bayes/bayesian-bootstrap-moments.ts";
export type { BayesianBootstrapMoments } from "./bayes/bayesian-bootstrap-moments.ts";
export type { BetaPrior } from "./bayes/check-prior.ts";

// Did the groups move differently?
export { heterogeneityQ } from "./meta-analysis/heterogeneity-q.ts";
export type { GroupEffect, HeterogeneityQ } from "./meta-analysis/heterogeneity-q.ts";

// Correlation
export { pearson } from "./correlation/pearson.ts";
export { spearman } from "./correlation/spearman.ts";
export { withinGroupCorrelation } from "./correlation/within-group-correlation.ts";
export type { WithinGroupCorrelation, WithinGroupOptions } from "./correlation/within-group-correlation.ts";

// What the rows were made with
export { runConfig } from "./config/run-config.ts";
export type { RunConfig } from "./config/run-config.ts";
export { answerCounts } from "./config/answer-counts.ts";
export type { AnswerCounts } from "./config/answer-counts.ts";

// Reading a row
export { binaryReward, passLabel } from "./rows/pass-label.ts";
export { gradedReward } from "./rows/graded-reward.ts";
export { markerNames, markerValue } from "./rows/marker-value.ts";
export { taskMeans } from "./rows/task-means.ts";
export type { TaskMeansOptions } from "./rows/task-means.ts";
export { coverageWarnings } from "./rows/coverage-warnings.ts";
export type { CoverageOptions, CoverageWarningCode } from "./rows/coverage-warnings.ts";
export { isDeadTool, toolOutcomes } from "./rows/tool-outcomes.ts";
export type { ToolOutcome } from "./rows/tool-outcomes.ts";
export type { GroupBy } from "./rows/group-by.ts";
export type { Metric } from "./rows/metric.ts";

// Intervals
export type { Interval } from "./interval/interval.ts";
export { wilsonInterval } from "./interval/wilson-interval.ts";
export type { WilsonOptions } from "./interval/wilson-interval.ts";
export { clopperPearson } from "./interval/clopper-pearson.ts";
export type { RateIntervalOptions } from "./interval/clopper-pearson.ts";
export { meanScoreInterval } from "./interval/mean-score-interval.ts";
export type { MeanScoreInterval } from "./interval/mean-score-interval.ts";
export { jeffreysInterval } from "./interval/jeffreys-interval.ts";
export { expandedPercentileCi } from "./interval/expanded-percentile-ci.ts";
export type { ExpandedPercentileCi } from "./interval/expanded-percentile-ci.ts";
export { exactBootstrapCi } from "./interval/exact-bootstrap-ci.ts";
export { bcaCi } from "./interval/bca-ci.ts";
export type { BcaCi } from "./interval/bca-ci.ts";
export { bootstrapCi } from "./interval/bootstrap-ci.ts";
export type { BootstrapOptions } from "./interval/bootstrap-ci.ts";
export type { CiMethod } from "./interval/task-interval.ts";
export { noIntervalNote } from "./interval/no-interval-note.ts";

// Random numbers
export { MersenneTwister } from "./rng/mersenne-twister.ts";
export { drawSeeds } from "./rng/draw-seeds.ts";

// Distributions and ranks
export { normalCdf, normalQuantile } from "./kernel/normal.ts";
export { tCdf, tQuantile } from "./kernel/student-t.ts";
export { betaInc, betaQuantile } from "./kernel/beta.ts";
export { binomialCdf, binomialPmf } from "./kernel/binomial.ts";
export { hypergeometricPmf } from "./kernel/hypergeometric.ts";
export { percentileIndices } from "./kernel/percentile-indices.ts";
export { quantileNearestRank } from "./kernel/quantile-nearest-rank.ts";

// Numbers that carry a decision
export {
  ALPHA,
  BASE_PASS_RATE,
  BOOTSTRAP_DRAWS,
  CEILING_PASS_RATE,
  CI_LEVEL,
  DIFFICULTY_BAND,
  DIFFICULTY_BAND_ROLLOUTS,
  HACK_THRESHOLD,
  HARD_SHARE_FLOOR,
  HARD_SHARE_MIN_ROWS,
  MAX_CURVE_K,
  MIN_CI_TASKS,
  MIN_PAIRED_TASKS,
  MIN_RERUNS,
  PASS_THRESHOLD,
  POWER,
  PROVE_EFFECT,
  ROLLOUTS_PER_TASK,
  SFT_COMPLETIONS_PER_PROMPT,
  THRESHOLD_SLACK,
  TRAIN_MIN_MIXED_TASKS,
  UNLABELLED_SHARE_WARN,
  Z_95,
} from "./constants.ts";
export type { Inference } from "./inference.ts";
export type { Warning } from "./warning.ts";

// A report as a page
export { htmlPage } from "./page/html-page.ts";
export type { HtmlPage, PageSection, PageVerdict, Tone } from "./page/html-page.ts";
export { forestPlot } from "./page/forest-plot.ts";
export type { ForestColumn, ForestMark, ForestPlotOptions, ForestRow } from "./page/forest-plot.ts";
export { histogram } from "./page/histogram.ts";
export type { HistogramBar, HistogramOptions } from "./page/histogram.ts";
export { countSquares } from "./page/count-squares.ts";
export type { CountCell, CountSquaresOptions } from "./page/count-squares.ts";
export { shareCurves } from "./page/share-curves.ts";
export type { ShareCurve, ShareCurvesOptions } from "./page/share-curves.ts";
export { htmlTable } from "./page/html-table.ts";
export type { TableColumn, TableOptions } from "./page/html-table.ts";
export { htmlFindings } from "./page/html-findings.ts";
export type { Finding, FindingMark } from "./page/html-findings.ts";
export { escapeHtml, html, typographic } from "./page/html.ts";
export type { Html, HtmlContent } from "./page/html.ts";

// Errors
export { StatsError } from "./stats-error.ts";
export type { StatsErrorCode } from "./stats-error.ts";
