// The rows worth training on
export { optimize, SELECT_MODES } from "./optimize.ts";
export type { OptimizeOptions, RlSelection, Selection, SelectMode, SftSelection } from "./optimize.ts";
export { select } from "./select.ts";
export type { Rejection, SelectOptions } from "./select.ts";
export { recommend, RL_ROLLOUTS_PER_ASK } from "./recommend.ts";
export type { Recommendation, RecommendOptions } from "./recommend.ts";
export { formatSelection } from "./format-selection.ts";

// Selection for a grouped method
export { selectForRl } from "./rl/select-for-rl.ts";
export { BAND_SOURCES, BASELINES, RL_ORDERS, TEXT_GATE_MODES } from "./rl/rl-options.ts";
export type {
  AuditSummary,
  BandSource,
  Baseline,
  RlOptions,
  RlOrder,
  TextGateMode,
  VerifierAudit,
} from "./rl/rl-options.ts";
export type { PriorReport, RlReport, TextGates } from "./rl/rl-report.ts";
export { RL_DROP_REASONS } from "./rl/drop-ledger.ts";
export type { DroppedTask, RlDropReason } from "./rl/drop-ledger.ts";
export { OVERLONG_SCORER, TRUNCATED_POLICIES } from "./rl/mark-overlong.ts";
export type { TruncatedPolicy } from "./rl/mark-overlong.ts";

// The row gates and the unanimous trim alone
export { optimizeForRl, optimizeForRl as optimizeRows } from "./rl/optimize-for-rl.ts";
export type { OptimizeForRlOptions, OptimizeForRlReport } from "./rl/optimize-for-rl.ts";

// Selection for imitation
export { selectForSft } from "./sft/select-for-sft.ts";
export { SFT_GROUPINGS, SFT_SELECTIONS } from "./sft/sft-options.ts";
export type { SftGrouping, SftOptions, SftRule } from "./sft/sft-options.ts";
export { SFT_DROP_REASONS } from "./sft/sft-report.ts";
export type { SftDropReason, SftReport } from "./sft/sft-report.ts";
export { REJECTION_SAMPLING_MIN_K } from "./sft/sft-note.ts";

// What the reward pays for
export { hackScan } from "./hacks/hack-scan.ts";
export { SCAN_GROUPINGS, SCAN_RULES } from "./hacks/scan-options.ts";
export type { ScanGrouping, ScanOptions, ScanRules } from "./hacks/scan-options.ts";
export { SCAN_REGIMES } from "./hacks/scan-report.ts";
export type { HackScanReport, PaidFeature, ScanLead, ScannedFeature, ScanRegime } from "./hacks/scan-report.ts";
export { formatHackScan } from "./hacks/format-hack-scan.ts";
export { hackScanDiff } from "./hacks/hack-scan-diff.ts";
export type { DiffOptions, FeatureShift, HackScanDiff, ScanSide } from "./hacks/hack-scan-diff.ts";
export { formatHackScanDiff } from "./hacks/format-hack-scan-diff.ts";
export type { FloorDraws } from "./hacks/permutation-floor.ts";
export { partialWithinRho } from "./hacks/partial-within-rho.ts";
export type { PartialWithinRho } from "./hacks/partial-within-rho.ts";
export { stratifiedScore } from "./hacks/stratified-score.ts";
export type { StratifiedScore } from "./hacks/stratified-score.ts";
export { permutationFloorExact } from "./hacks/permutation-floor-exact.ts";
export type { PermutationFloorExact } from "./hacks/permutation-floor-exact.ts";
export type { PlainColumns } from "./hacks/plain-columns.ts";
export { handFeatures } from "./hacks/hand-features.ts";
export type { Feature } from "./hacks/hand-features.ts";
export { autoTerms, scanTokens } from "./hacks/scan-tokens.ts";

// The reward while a policy is trained on it
export { HackMonitor } from "./monitor/hack-monitor.ts";
export type { StepOutcome } from "./monitor/hack-monitor.ts";
export { MONITOR_RULES } from "./monitor/monitor-options.ts";
export type {
  GoldScorer,
  MonitorOptions,
  MonitorRule,
  Sampler,
  SampleRequest,
  SamplingOptions,
} from "./monitor/monitor-options.ts";
export type { Completion, MonitorPrompt, RewardFunction } from "./monitor/reward-function.ts";
export type { RunSink } from "./monitor/run-sink.ts";
export { ALARM_KINDS } from "./monitor/monitor-alarm.ts";
export type {
  Alarm,
  AlarmKind,
  DivergenceAlarm,
  DriftAlarm,
  FeatureAlarm,
  LengthAlarm,
} from "./monitor/monitor-alarm.ts";
export type { MonitorEvaluation, MonitorStop, MonitorSummary } from "./monitor/monitor-summary.ts";
export type { GoldChange, MonitorPoint } from "./monitor/window-alarms.ts";
export type { GoldGap } from "./monitor/gold-gap.ts";
export { formatHackMonitor } from "./monitor/format-hack-monitor.ts";
export { monitorHandler } from "./monitor/monitor-handler.ts";

// Pairs: the better and the worse of two replies
export { buildPreferencePairs } from "./preference/build-preference-pairs.ts";
export { PAIR_GROUPINGS, PAIR_MATCHINGS } from "./preference/pair-options.ts";
export type { PairGrouping, PairMatching, PairOptions } from "./preference/pair-options.ts";
export type { PairReport } from "./preference/pair-report.ts";
export { formatPairReport } from "./preference/format-pair-report.ts";
export type { PreferencePair } from "./preference/preference-pair.ts";

// A curriculum: which tasks, in what order
export { curriculum, retireSolved, scheduledRows } from "./curriculum/curriculum.ts";
export type { Curriculum } from "./curriculum/curriculum.ts";
export { MEMBERSHIPS } from "./curriculum/curriculum-options.ts";
export type { CurriculumOptions, Membership } from "./curriculum/curriculum-options.ts";
export { formatCurriculum } from "./curriculum/format-curriculum.ts";
export type { TaskPrior } from "./curriculum/task-prior.ts";
export type { TaskStanding } from "./curriculum/task-standing.ts";

// Sampling: how many rollouts, and which to keep
export { ADA_EXITS, reinforceAda } from "./sampling/reinforce-ada.ts";
export type { AdaExit, AdaGroup, AdaOptions, AdaResult, AdaSample } from "./sampling/reinforce-ada.ts";
export { balancedPick } from "./sampling/balanced-pick.ts";
export { probabilityInBand } from "./sampling/probability-in-band.ts";
export { probabilityMixed } from "./sampling/probability-mixed.ts";
export { groupGradientWeight } from "./sampling/group-gradient-weight.ts";
export type { GroupGradientWeight } from "./sampling/group-gradient-weight.ts";

// Difficulty, stamped on rows
export { calibrate } from "./calibration/calibrate.ts";
export type { CalibrationReport } from "./calibration/calibrate.ts";
export { carryCalibration } from "./calibration/carry-calibration.ts";
export type { CarriedCalibration, StampedTask, StudentOptions } from "./calibration/carry-calibration.ts";

// The gate before rows are published
export { publishGate } from "./gate/publish-gate.ts";
export type { GateOptions, StrictHacks } from "./gate/publish-gate.ts";
export { GATE_PURPOSES, GATE_REFUSALS } from "./gate/gate-report.ts";
export type { GatePurpose, GateRefusal, GateReport } from "./gate/gate-report.ts";
export { PublishGateError } from "./gate/publish-gate-error.ts";
export { formatGate } from "./gate/format-gate.ts";
export { isRlShaped } from "./gate/is-rl-shaped.ts";

// Groups: contrast and difficulty of tasks
export { trimUnanimousGroups } from "./groups/trim-unanimous-groups.ts";
export type { TrimUnanimousOptions, TrimUnanimousReport } from "./groups/trim-unanimous-groups.ts";
export { trimOutOfBand } from "./groups/trim-out-of-band.ts";
export type { Band, TrimOutOfBandOptions, TrimOutOfBandReport } from "./groups/trim-out-of-band.ts";
export { labelsByTask, taskPassRates } from "./groups/task-pass-rates.ts";
export type { TaskRate } from "./groups/task-pass-rates.ts";
export { spreadByRate } from "./groups/spread-by-rate.ts";
export { nextRound } from "./groups/next-round.ts";
export type { NextRound, NextRoundOptions } from "./groups/next-round.ts";
export { groupRewardCounts } from "./groups/group-reward-counts.ts";
export type { GroupRewardCounts } from "./groups/group-reward-counts.ts";
export { stableKey } from "./groups/stable-key.ts";

// Hygiene: what else the rows would teach
export { dedupeGroups } from "./hygiene/dedupe-groups.ts";
export type { DuplicatesReport } from "./hygiene/dedupe-groups.ts";
export { NEAR_DUP_JACCARD, nearDuplicatePrompts } from "./hygiene/near-duplicate-prompts.ts";
export type { NearDuplicateOptions, NearDuplicatesReport } from "./hygiene/near-duplicate-prompts.ts";
export { DEFAULT_MAX_SPREAD, lengthReport } from "./hygiene/length-report.ts";
export type { LengthOptions, LengthReport } from "./hygiene/length-report.ts";
export { dropTruncated } from "./hygiene/drop-truncated.ts";
export type { DropTruncatedReport } from "./hygiene/drop-truncated.ts";
export { rewardCorrelations } from "./hygiene/reward-correlations.ts";
export type { CorrelationOptions, RewardCorrelations } from "./hygiene/reward-correlations.ts";
export { hygieneWarnings } from "./hygiene/hygiene-warnings.ts";
export type { HygieneReports } from "./hygiene/hygiene-warnings.ts";

// Gates: rows that no group can save
export { filterRlRows } from "./rows/filter-rl-rows.ts";
export type { FilterRlRowsReport } from "./rows/filter-rl-rows.ts";
export { dropReason, GATE_REASONS } from "./rows/drop-reason.ts";
export type { DropReasonOptions, GateReason } from "./rows/drop-reason.ts";
export { dropPrivilegedLeaks } from "./rows/drop-privileged-leaks.ts";
export type { PrivilegedLeaksReport } from "./rows/drop-privileged-leaks.ts";
export { isIncompleteJunk, TRUNCATED_REPLY_CHARS } from "./rows/is-incomplete-junk.ts";
export { isDoNothing } from "./rows/is-do-nothing.ts";
export { isTruncated, TRUNCATION_MIN_CHARS } from "./rows/is-truncated.ts";
export { looksFinished } from "./rows/looks-finished.ts";
export { isEvalSourced } from "./rows/is-eval-sourced.ts";

// Reading a row
export { assistantTurns, replyLength, toolCallCount } from "./rows/features.ts";
export { NO_FAULT, traceFault } from "./rows/trace-fault.ts";

// Errors
export { SelectError } from "./select-error.ts";
export type { SelectErrorCode } from "./select-error.ts";
