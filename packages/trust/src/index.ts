// A judge: the shape that a model, a rule, a reward model and a person share
export { JUDGE_KINDS } from "./judge/judge.ts";
export type {
  Judge,
  JudgeContext,
  JudgeInfo,
  JudgeKind,
  JudgeReturn,
  JudgeStatus,
  JudgeVerdict,
} from "./judge/judge.ts";
export type { ModelCall, ModelCallOptions, ModelInfo, ModelMessage, ModelReply } from "./judge/model-call.ts";

// Contamination: training rows that an evaluation already holds
export { decontaminate, decontaminateSync } from "./contamination/decontaminate.ts";
export type { DecontaminateAllOptions, Decontaminated } from "./contamination/decontaminate.ts";
export { decontaminateStream } from "./contamination/decontaminate-stream.ts";
export type { DecontaminationStream, JudgedRow } from "./contamination/decontaminate-stream.ts";
export type { DecontaminateOptions, IndexOptions } from "./contamination/options.ts";
export {
  DECONTAM_CHARS,
  DECONTAM_EXAMPLES,
  DECONTAM_NGRAM,
  DECONTAM_OVERLAP,
  DISTINCT_TASK_PERCENTILE,
  SEMANTIC_SIMILARITY,
} from "./contamination/options.ts";
export type { DecontaminationReport, EvalMarks, SharedSpan } from "./contamination/decontamination-report.ts";
export type { FalseAlarmRate, FalseAlarms } from "./contamination/false-alarms.ts";
export type { DropRule, Hit, ListRule } from "./contamination/finding.ts";
export { formatDecontamination } from "./contamination/format-decontamination.ts";
export { cleanSubset } from "./contamination/clean-subset.ts";
export { evalMatcher } from "./contamination/eval-matcher.ts";
export type { EvalMatcherOptions } from "./contamination/eval-matcher.ts";
export { buildEvalIndex } from "./contamination/build-eval-index.ts";
export type { EvalIndex } from "./contamination/eval-index.ts";
export type { Against, EvalSource, SourceOptions } from "./contamination/eval-sources.ts";
export type { Embed, Embedder, EmbedOptions } from "./contamination/embedder.ts";
export type { SemanticOptions } from "./contamination/semantic-matcher.ts";
export type { SearchRecall } from "./contamination/semantic-reading.ts";
export type { JudgeReading, QuestionJudge, QuestionJudgeOptions } from "./contamination/question-judge.ts";
export { SEARCHES } from "./contamination/vector-search.ts";
export type { Search } from "./contamination/vector-search.ts";
export { PROFILES } from "./contamination/profiles.ts";
export type { Profile, ProfileName } from "./contamination/profiles.ts";
export { RULE_SETS, SHINGLES, wordTokens } from "./contamination/token-scanner.ts";
export type { RuleSet, Shingles } from "./contamination/token-scanner.ts";
export { foldText } from "./contamination/fold-text.ts";
export { NEAR_DUPLICATE_JACCARD, nearDuplicates } from "./contamination/near-duplicates.ts";
export type {
  NearDuplicatePair,
  NearDuplicatesOptions,
  NearDuplicatesReport,
} from "./contamination/near-duplicates.ts";
export { formatNearDuplicates } from "./contamination/format-near-duplicates.ts";

// May the judge be believed?
export { judgeAgreement } from "./agreement/judge-agreement.ts";
export type { ClusteredAgreement, JudgeAgreement } from "./agreement/agreement-report.ts";
export type { JudgeAgreementOptions } from "./agreement/judge-agreement.ts";
export { formatJudgeAgreement } from "./agreement/format-judge-agreement.ts";
export type { JudgeFinding, JudgeFindingCode, JudgeSeverity } from "./agreement/finding.ts";
export { lengthSensitivity } from "./agreement/length-sensitivity.ts";
export type {
  LengthGap,
  LengthSensitivity,
  LengthSensitivityOptions,
  NoLengthGap,
} from "./agreement/length-sensitivity.ts";
export { heldOutHalves, taskHalf } from "./agreement/held-out-halves.ts";
export type { HalfAgreement, HeldOutHalves } from "./agreement/held-out-halves.ts";
export { selfContradictions } from "./agreement/self-contradictions.ts";
export type { SelfContradiction } from "./agreement/self-contradictions.ts";
export { judgeTrust } from "./trust/judge-trust.ts";
export type { JudgeTrustOptions } from "./trust/judge-trust.ts";
export type { JudgeDisagreement, JudgeTrust, LabelPlan, SkippedGold, TrustStatus } from "./trust/trust-report.ts";
export type { LabelEvidence } from "./trust/label-evidence.ts";
export type { LabelTrustOptions } from "./trust/trust-options.ts";
export type { TrustRule } from "./trust/trust-rule.ts";
export { formatJudgeTrust } from "./trust/format-judge-trust.ts";
export { judgeTrustHtml } from "./trust/judge-trust-html.ts";
export type { JudgeTrustHtmlOptions } from "./trust/judge-trust-html.ts";
export { perturbation } from "./probes/perturbation.ts";
export type { Perturbation } from "./probes/perturbation.ts";
export { judgeProbes } from "./probes/judge-probes.ts";
export type { JudgeProbeOptions, JudgeProbes, ProbeResult } from "./probes/judge-probes.ts";
export { variantCheck } from "./probes/variant-check.ts";
export type { VariantCheck, VariantResult } from "./probes/variant-check.ts";
export { PROBES, STANDARD_PROBES } from "./probes/probe-edits.ts";
export type { Probe, ProbeContext, ProbeKind, ProbeName } from "./probes/probe-edits.ts";
export type { ProbeOptions } from "./probes/probe-options.ts";
export { TRUST_MODES, trustAfterGrade, JudgeTrustError } from "./trust/trust-after-grade.ts";
export type {
  GradeTrust,
  TrustAfterGrade,
  TrustAfterGradeOptions,
  TrustMode,
  TrustStamp,
} from "./trust/trust-after-grade.ts";

// A judge that grades on a scale
export { ratingAgreement } from "./agreement/rating-agreement.ts";
export type { RatingAgreementOptions } from "./agreement/rating-agreement.ts";
export type {
  MarkDifference,
  MarkLevel,
  RatingAgreement,
  RatingFinding,
  RatingFindingCode,
} from "./agreement/rating-report.ts";
export type { LengthOfMarks } from "./agreement/length-of-marks.ts";
export type { RaterCeiling } from "./agreement/rater-ceiling.ts";
export type { MarkScale } from "./agreement/rated-rows.ts";
export { formatRatingAgreement } from "./agreement/format-rating-agreement.ts";

// A judge that says how sure it is
export { judgeCalibration } from "./calibration/judge-calibration.ts";
export type { JudgeCalibrationOptions } from "./calibration/judge-calibration.ts";
export type {
  CalibrationFinding,
  CalibrationFindingCode,
  JudgeCalibration,
  MappedScores,
  ScoreThreshold,
} from "./calibration/calibration-report.ts";
export { CALIBRATION_GAP_FLAG } from "./calibration/calibration-findings.ts";
export { formatJudgeCalibration } from "./calibration/format-judge-calibration.ts";
export { stampCalibrated, stampThreshold } from "./calibration/stamp-calibrated.ts";
export type { StampScoreOptions } from "./calibration/stamp-calibrated.ts";

// Do the people agree, and how many labels does it take?
export { formatLabelConsensus } from "./agreement/format-label-consensus.ts";
export type {
  AnnotatorRates,
  ConsensusChange,
  LabelConsensus,
  LabelConsensusOptions,
} from "./agreement/label-consensus.ts";
export { labelConsensus } from "./agreement/label-consensus.ts";
export { annotatorAgreement } from "./agreement/annotator-agreement.ts";
export type {
  AnnotatorAgreement,
  AnnotatorDisagreement,
  AnnotatorPair,
  HumanCeiling,
} from "./agreement/annotator-agreement.ts";
export { alternativeAnnotator } from "./agreement/alternative-annotator.ts";
export type {
  AlternativeAnnotator,
  AlternativeAnnotatorOptions,
  StandIn,
} from "./agreement/alternative-annotator.ts";
export { correctedPassRate } from "./labels/corrected-pass-rate.ts";
export type { CorrectedPassRate, CorrectedPassRateOptions } from "./labels/corrected-pass-rate.ts";
export { labelQueue } from "./labels/label-queue.ts";
export type { LabelQueue, LabelQueueOptions, QueuedRow, QueuedStratum } from "./labels/label-queue.ts";
export { formatLabelQueue } from "./labels/format-label-queue.ts";
export { weightedAgreement } from "./labels/weighted-agreement.ts";
export type { WeightedAgreement, WeightedAgreementOptions } from "./labels/weighted-agreement.ts";
export type { VerdictStratum } from "./labels/verdict-strata.ts";
export { JUDGE_SPLITS, judgeSplitOf, stampJudgeSplit } from "./labels/judge-split.ts";
export type { JudgeSplit, JudgeSplitOptions } from "./labels/judge-split.ts";
export { labelPower } from "./labels/label-power.ts";
export type { LabelPowerInput } from "./labels/label-power.ts";
export { labelBudget } from "./labels/label-budget.ts";
export type { LabelBudget, LabelBudgetInput } from "./labels/label-budget.ts";

// Is the judge still the one that was measured?
export { anchorRun, anchorRunFromJson } from "./drift/anchor-run.ts";
export type { AnchorRun, AnchorRunOptions } from "./drift/anchor-run.ts";
export { judgeDrift } from "./drift/judge-drift.ts";
export type {
  AnchorChange,
  AnchorScore,
  DriftFinding,
  DriftFindingCode,
  DriftStatus,
  JudgeDrift,
  JudgeDriftOptions,
} from "./drift/judge-drift.ts";
export { formatJudgeDrift } from "./drift/format-judge-drift.ts";
export { CUSUM_LIMIT, CUSUM_SLACK, cusum } from "./drift/cusum.ts";
export type { Cusum } from "./drift/cusum.ts";

// Grading: a judge over rows
export { runJudge, JUDGE_CONCURRENCY_CAP } from "./judge/run-judge.ts";
export type { RunJudgeOptions } from "./judge/run-judge.ts";
export { evaluate } from "./judge/evaluate.ts";
export type { EvaluateOptions } from "./judge/evaluate.ts";
export type { EvalCoverage } from "./judge/eval-coverage.ts";
export { formatScoredRows } from "./judge/format-scored-rows.ts";
export { byReward, byRewardRange, failures, partials, passes, unjudged } from "./judge/scored-rows.ts";
export type { ScoredReport, ScoredRows, ScoringWarningCode, UnjudgedCount } from "./judge/scored-rows.ts";
export { MAX_UNJUDGED_SHARE } from "./agreement/thresholds.ts";
export { normalizeJudgeResult } from "./judge/normalize-judge-result.ts";
export type { JudgeScale, NormalizedResult, NormalizeOptions } from "./judge/normalize-judge-result.ts";
export { stampName } from "./judge/stamp-name.ts";
export { JUDGE_FAILURES } from "./judge/judge-failure.ts";
export type { JudgeFailure } from "./judge/judge-failure.ts";
export type { VerdictStore } from "./judge/verdict-store.ts";

// A language model as a judge
export { DECISION_UNSURE_BAND, decisionJudge } from "./judge/decision-judge.ts";
export type { DecisionJudgeOptions } from "./judge/decision-judge.ts";
export { gradeOne, llmJudge } from "./judge/llm-judge.ts";
export type { LlmJudgeOptions } from "./judge/llm-judge.ts";
export { judgeVariants, modelJudge } from "./judge/model-judge.ts";
export type { ModelJudgeOptions } from "./judge/model-judge.ts";
export { warmJudge } from "./judge/warm-judge.ts";
export type { Warmup } from "./judge/warm-judge.ts";
export { DEFAULT_JUDGE_PROMPT, judgePrompt, judgeVersion } from "./judge/judge-prompt.ts";
export type { JudgePromptOptions } from "./judge/judge-prompt.ts";
export { JUDGE_PAYLOAD_CHARS, renderJudgePayload } from "./judge/judge-payload.ts";
export type { JudgePayloadOptions } from "./judge/judge-payload.ts";
export { parseJudgeReply } from "./judge/judge-reply.ts";
export type { JudgeReply } from "./judge/judge-reply.ts";

// Rubrics: checklists as rewards
export { rubric, attachRubric, rubricChecklist, rubricFromJson, rubricOf, rubricVersion } from "./rubric/rubric.ts";
export type { Rubric } from "./rubric/rubric.ts";
export { CRITERION_KINDS, criterion, slugOf } from "./rubric/criterion.ts";
export type { Criterion, CriterionInput, CriterionKind } from "./rubric/criterion.ts";
export { scoreRubric } from "./rubric/score-rubric.ts";
export type { RubricScore } from "./rubric/score-rubric.ts";
export { scoreWithRubric } from "./rubric/score-with-rubric.ts";
export type { RubricVerdict } from "./rubric/score-with-rubric.ts";
export { RUBRIC_JUDGE_PROMPT, RUBRIC_JUDGE_PROMPT_REWORDED, rubricJudge } from "./rubric/rubric-judge.ts";
export type { RubricJudgeOptions } from "./rubric/rubric-judge.ts";
export { writeRubrics } from "./rubric/write-rubrics.ts";
export type { RubricsReport, WriteRubricsOptions } from "./rubric/write-rubrics.ts";
export { rubricSignal } from "./rubric/rubric-signal.ts";
export type { ItemSignal, RubricItemSignal, RubricSignal } from "./rubric/rubric-signal.ts";
export { formatRubricSignal } from "./rubric/format-rubric-signal.ts";

// Grading, and whether its judge is to be believed
export { grade } from "./grade/grade.ts";
export type { GradeOptions, GradeReport, GradeWarningCode } from "./grade/grade.ts";
export { llmGrade } from "./grade/llm-grade.ts";
export type { LlmGradeOptions, LlmGradeReport } from "./grade/llm-grade.ts";
export { formatLlmGrade } from "./grade/format-llm-grade.ts";
export { formatGrade } from "./grade/format-grade.ts";

// Pairs: which of two replies is better
export { judgePairs } from "./pairwise/judge-pairs.ts";
export type {
  JudgePairsOptions,
  Pair,
  PairJudge,
  PairsReport,
  PairVerdict,
  PairWarningCode,
  PairWinner,
  PairwiseStamp,
} from "./pairwise/judge-pairs.ts";
export type { LengthControlled } from "./pairwise/length-controlled.ts";
export { pairsOf } from "./pairwise/pairs-of.ts";
export type { PairsOfOptions } from "./pairwise/pairs-of.ts";
export { formatPairs } from "./pairwise/format-pairs.ts";
export { PAIRWISE_PROMPT, pairwiseJudge } from "./pairwise/pairwise-judge.ts";
export type { PairwiseJudgeOptions } from "./pairwise/pairwise-judge.ts";

// Several judges on the same labels, and a reward model as one
export { compareJudges } from "./compare/compare-judges.ts";
export type { ComparedJudge, CompareJudgesOptions, JudgeComparison, JudgePair } from "./compare/compare-judges.ts";
export { voteJudge } from "./judge/vote-judge.ts";
export type { VoteJudgeOptions } from "./judge/vote-judge.ts";
export { VOTE_RULES } from "./judge/vote.ts";
export type { VoteRule } from "./judge/vote.ts";
export { votedRows } from "./compare/voted-rows.ts";
export type { VotedRowsOptions } from "./compare/voted-rows.ts";
export type { JudgePanel, PanelVote } from "./compare/judge-panel.ts";
export type { PairedTest } from "./compare/paired-test.ts";
export { formatJudges } from "./compare/format-judges.ts";
export { rewardModelJudge } from "./reward-model/reward-model-judge.ts";
export type { RewardModelJudgeOptions, RewardModelScores, ScoreRows } from "./reward-model/reward-model-judge.ts";

// What a reference model thinks of the replies
export { referenceLogprobs } from "./logprobs/reference-logprobs.ts";
export type {
  PromptToken,
  PromptTokens,
  PromptTokensOptions,
  ReferenceLogprobsOptions,
  ReferenceLogprobsReport,
} from "./logprobs/reference-logprobs.ts";

// Grounding: do a call's arguments come from anywhere?
export { toolCallsOf } from "./markers/grounding/tool-calls-of.ts";
export type { CallWithContext } from "./markers/grounding/tool-calls-of.ts";
export {
  argumentGrounding,
  argumentSources,
  markGrounding,
  ungroundedArguments,
} from "./markers/grounding/ungrounded-arguments.ts";
export type { UngroundedArgument } from "./markers/grounding/ungrounded-arguments.ts";
export type { ArgumentSource, GroundingOptions } from "./markers/grounding/ground-arguments.ts";
export type { Grounded, GroundedHow, NumberCheck } from "./markers/grounding/ground-value.ts";
export { groundingReport } from "./markers/grounding/grounding-report.ts";
export type { GroundingReport, GroundingWarningCode, InventedArgument } from "./markers/grounding/grounding-report.ts";
export { formatGroundingReport } from "./markers/grounding/format-grounding-report.ts";
export { GROUNDING_MARKER } from "./markers/marker-families.ts";

// Markers: habits of speech, and whether the reward pays for them
export { phraseHits } from "./markers/phrase-hits.ts";
export type { PhraseHitsOptions, PhrasePosition } from "./markers/phrase-hits.ts";
export type { Phrase, PhraseRule } from "./markers/phrase.ts";
export { PHRASE_FAMILIES, REFUSAL, STYLE_FEATURES, STYLE_MARKERS } from "./markers/phrase-families.ts";
export type { PhraseTable } from "./markers/phrase-families.ts";
export type { PhraseFamily } from "./markers/families/phrase-family.ts";
export { styleMarkers } from "./markers/style-markers.ts";
export type { StyleMarkersOptions } from "./markers/style-markers.ts";
export { styleReport } from "./markers/style-report.ts";
export type { StyleMarker, StyleReport, StyleReportOptions, StyleWarningCode } from "./markers/style-report.ts";
export { formatStyleReport } from "./markers/format-style-report.ts";
export type { RewardLink } from "./markers/reward-link.ts";
export type { NotStamped } from "./markers/marker-families.ts";
export { MARKER_RULES } from "./markers/marker-rules.ts";
export type { MarkerRules } from "./markers/marker-rules.ts";

// Over-refusal
export { refusalReport } from "./markers/refusal-report.ts";
export type {
  RefusalExample,
  RefusalReport,
  RefusalReportOptions,
  RefusalWarningCode,
} from "./markers/refusal-report.ts";
export { formatRefusalReport } from "./markers/format-refusal-report.ts";

// Leaks of privileged context (their home is schema: exports and selections apply the same rule)
export { commonRuns, formatLeakReport, LEAK_OVERLAP, leakReport, rowLeak, shortLeaks } from "@while/schema";
export type { LeakCarrier, LeakHit, LeakOptions, LeakReport, LeakRules, RowLeak, SkippedNeedle } from "@while/schema";
export { LEAK_MARKER, leakMarkers } from "./markers/leak-markers.ts";

// The markers of all families at once
export { STAMPED_FAMILIES, stampMarkers } from "./markers/stamp-markers.ts";
export type { StampedFamily, StampedMarker, StampMarkersOptions, StampReport } from "./markers/stamp-markers.ts";

// Programs that grade
export { verifierOf } from "./verifiers/verifier.ts";
export type {
  Check,
  CheckDetails,
  CheckResult,
  ReferenceOptions,
  Verifier,
  VerifierOfOptions,
} from "./verifiers/verifier.ts";
export { numeric } from "./verifiers/numeric.ts";
export type { NumericOptions } from "./verifiers/numeric.ts";
export { mathEqual } from "./verifiers/math-equal.ts";
export { MATH_TOLERANCE } from "./verifiers/math/same-math.ts";
export { executionMatch } from "./verifiers/execution-match.ts";
export type { ExecutionMatchOptions, RunQuery } from "./verifiers/execution-match.ts";
export type { QueryAnswer } from "./verifiers/result-set.ts";
export { exactMatch } from "./verifiers/exact-match.ts";
export { includes } from "./verifiers/includes.ts";
export type { IncludesOptions } from "./verifiers/includes.ts";
export { multipleChoice } from "./verifiers/multiple-choice.ts";
export type { MultipleChoiceOptions } from "./verifiers/multiple-choice.ts";
export { regex } from "./verifiers/regex.ts";
export type { RegexOptions } from "./verifiers/regex.ts";
export { jsonValid } from "./verifiers/json-valid.ts";
export type { JsonType, JsonValidOptions } from "./verifiers/json-valid.ts";
export { jsonField } from "./verifiers/json-field.ts";
export type { JsonFieldOptions } from "./verifiers/json-field.ts";
export { jsonSchema } from "./verifiers/json-schema.ts";
export { allOf, anyOf, weighted } from "./verifiers/combine.ts";
export { VERIFIERS, verifierByName } from "./verifiers/registry.ts";
export type { VerifierEntry } from "./verifiers/registry.ts";

// What verifiers read, and what their reasons may say
export { candidateText } from "./verifiers/candidate-text.ts";
export { referenceOf } from "./verifiers/reference-of.ts";
export type { Reference } from "./verifiers/reference-of.ts";
export { redactReference } from "./verifiers/redact-reference.ts";
export type { RedactOptions } from "./verifiers/redact-reference.ts";
export { rowToolCalls } from "./verifiers/row-tool-calls.ts";
export { extractAnswer } from "./verifiers/extract-answer.ts";
export { readNumber } from "./verifiers/read-number.ts";
export type { ReadNumber } from "./verifiers/read-number.ts";
export { extractJson } from "./verifiers/extract-json.ts";
export { normalizeText } from "./verifiers/normalize-text.ts";

// What the agent did: flags on its calls and claims, and whether the reward pays for a fake
export { traceSteps } from "./trajectory/trace-steps.ts";
export type { TraceStep } from "./trajectory/trace-steps.ts";
export { STEP_KINDS, stepKind } from "./trajectory/step-kind.ts";
export type { KindOverrides, StepKind, StepKindOptions } from "./trajectory/step-kind.ts";
export { FAIL_STATUSES, stepFailed } from "./trajectory/step-failed.ts";
export { traceFlags } from "./flags/trace-flags.ts";
export type { TraceFlagOptions } from "./flags/trace-flags.ts";
export { traceMarkers } from "./flags/trace-markers.ts";
export { TRACE_MARKERS } from "./flags/trace-marker-table.ts";
export type { TraceMarkerOptions } from "./flags/trace-markers.ts";
export { FLAG_DESCRIPTIONS, FLAGS, TRACE_FLAGS } from "./flags/flag-table.ts";
export { SEVERITIES } from "./flags/flag.ts";
export type { Flag, FlagFamily, FlagHit, Severity } from "./flags/flag.ts";
export type { CheckRun, TraceCall, Trajectory, WrittenFile } from "./trajectory/trajectory.ts";
export type { Effects, FileWrite } from "./trajectory/effects.ts";
export type { Joint, ShellCommand } from "./trajectory/shell-commands.ts";
export type { CheckKind, RunVerdict } from "./trajectory/test-run.ts";
export { traceFlagReport } from "./flags/trace-flag-report.ts";
export type {
  TraceFlag,
  TraceFlagReport,
  TraceFlagReportOptions,
  TraceHit,
  TraceMarker,
  TraceWarningCode,
} from "./flags/trace-flag-report.ts";
export type { FlagCheck } from "./flags/flag-check.ts";
export { flagSample } from "./flags/flag-sample.ts";
export type { FlagQuestion, FlagSampleOptions } from "./flags/flag-sample.ts";
export { formatTraceFlagReport } from "./flags/format-trace-flag-report.ts";

// Rules for agents: a floor of honesty, and what a situation asks for
export { conductGrade, conductJudge } from "./rule-graders/conduct-grade.ts";
export type { ConductGrade, ConductOptions, ConductRule } from "./rule-graders/conduct-grade.ts";
export { checklistJudge, taskChecklist } from "./rule-graders/task-checklist.ts";
export type { ChecklistGrade, ChecklistOptions } from "./rule-graders/task-checklist.ts";
export { expectedOutcome } from "./rule-graders/expected-outcome.ts";
export type { Dimensions, ExpectedOutcome, OutcomeRule } from "./rule-graders/expected-outcome.ts";
export { looksFinished } from "./rule-graders/looks-finished.ts";
export type { FinishedOptions } from "./rule-graders/looks-finished.ts";

// Audits: does the rule fail right answers, is a label disputed, what is paid for doing nothing
export { auditVerifier, AUDIT_QUESTION, FN_WARN } from "./audit/audit-verifier.ts";
export type {
  AuditVerifierOptions,
  JudgeAccuracy,
  ReasonAudit,
  VerifierAudit,
  VerifierAuditExample,
  VerifierAuditWarningCode,
} from "./audit/audit-verifier.ts";
export { formatVerifierAudit } from "./audit/format-verifier-audit.ts";
export { auditGrades } from "./audit/audit-grades.ts";
export type {
  AuditGradesOptions,
  Disagreement,
  GradeAudit,
  GradeFindingCode,
  ReasonDispute,
} from "./audit/audit-grades.ts";
export { formatGradeAudit } from "./audit/format-grade-audit.ts";
export { CHEAT_PROBE_FLAG, cheatProbes } from "./audit/cheat-probes.ts";
export type {
  CheatProbe,
  CheatProbeOptions,
  CheatReport,
  CheatScorer,
  CheatWarningCode,
} from "./audit/cheat-probes.ts";
export { CHEAT_PROBES } from "./audit/cheat-replies.ts";
export type { CheatProbeName } from "./audit/cheat-replies.ts";
export { formatCheatProbes } from "./audit/format-cheat-probes.ts";

// Lineage: which stage of training saw which task
export { stageReport } from "./lineage/stage-report.ts";
export type { SharedBy, StageLeak, StageReport } from "./lineage/stage-report.ts";
export { formatStages } from "./lineage/format-stages.ts";

// What this package refuses
export { TrustError } from "./trust-error.ts";
export type { TrustErrorCode } from "./trust-error.ts";
