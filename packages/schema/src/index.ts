// The row
export { labelRecordSchema, messageSchema, ratingRecordSchema, rowSchema, stepSchema } from "./row.ts";
export { AXES, GOLD_KINDS, STAGES, VERDICT_KEYS } from "./row.ts";
export type { Json, LabelRecord, Lineage, Message, RatingRecord, Row, Sampling, Step, ToolSchema } from "./row.ts";
export { preferenceRowSchema, trainingRowSchema } from "./training-row.ts";
export type { PreferenceRow, TrainingRow } from "./training-row.ts";
export type { RowSource } from "./row-source.ts";

// Is it a row?
export { checkRows, validateRow } from "./checks/validate-row.ts";
export type { CheckLevel, CheckRowsOptions, RowKind, ValidateOptions } from "./checks/validate-row.ts";
export { detectShape, SCHEMA_VERSION, stamp, versionOf } from "./checks/shape.ts";
export type { RowShape } from "./checks/shape.ts";
export { rowJsonSchema } from "./checks/json-schema.ts";

// Text that turns into rows
export { readRows } from "./readers/read-rows.ts";
export type { ReadRows, ReadTextOptions } from "./readers/read-rows.ts";
export { checkReadOptions, READ_OPTIONS } from "./readers/check-read-options.ts";
export type { ReadOptions } from "./readers/read-options.ts";
export type { BadLine, FileReport, NoRows, ReadReport, ReadWarning } from "./readers/read-report.ts";
export type { HeadlineRule, ToolHeadline } from "./readers/tool-headline.ts";
export { detectFormat } from "./readers/detect-format.ts";
export { gunzip } from "./json/gunzip.ts";
export { parseJsonText } from "./json/json-text.ts";
export type { JsonNotes, JsonTextOptions, UnsafeIntegers } from "./json/json-text.ts";
export { parseJsonl } from "./json/parse-jsonl.ts";
export type { ParsedJsonl, ParseJsonlOptions } from "./json/parse-jsonl.ts";
export { loadTraces } from "./readers/load-traces.ts";
export type { LoadedTraces, LoadTracesOptions, LabelOptions } from "./readers/load-traces.ts";
export { labelCensus } from "./readers/label-census.ts";
export type { LabelCensus, NonBinaryLabels } from "./readers/label-census.ts";

// Rows as files of other tools
export { WRITE_FORMATS, writeRowsAs } from "./writers/write-rows-as.ts";
export type { RowsAsText } from "./writers/write-rows-as.ts";
export type { WriteAsOptions } from "./writers/rows-writer.ts";
export type { WrittenRows } from "./writers/write-tally.ts";
export { formatWritten } from "./writers/format-written.ts";

// OpenTelemetry
export { rowsFromOtel } from "./otel/rows-from-otel.ts";
export type { OtelOptions, OtelReport, RowsFromOtel } from "./otel/rows-from-otel.ts";
export { otlpLines, spansFromRows } from "./otel/spans-from-rows.ts";
export type { SpansOptions } from "./otel/spans-from-rows.ts";
export type { OtlpAttribute, OtlpSpan, OtlpTraces, OtlpValue } from "./otel/otlp.ts";

// What a set of rows is
export { CensusCollector, censusOf } from "./census/census.ts";
export type { Census, CensusReading, Coverage, RewardCount } from "./census/census.ts";
export { formatCensus } from "./census/format-census.ts";

// Which task a row belongs to
export { groupByTask, taskKey } from "./task-key.ts";
export type { TaskGroups } from "./task-key.ts";
export { holdoutBucket, splitHoldout } from "./split-holdout.ts";
export type { HoldoutSplit, SplitOptions } from "./split-holdout.ts";
export { formatSplit, splitReport } from "./split-report.ts";
export type { SplitReport } from "./split-report.ts";

// Which row it is
export { SeenIds } from "./readers/seen-ids.ts";
export type { SeenAt } from "./readers/seen-ids.ts";
export { rowKey } from "./identity/row-key.ts";
export { rolloutIdOf, scenarioIdOfPrompt, shortHash, taskIdOfPrompt } from "./identity/derived-ids.ts";
export type { RolloutIdOptions } from "./identity/derived-ids.ts";
export { assignRolloutIds } from "./identity/assign-rollout-ids.ts";
export type { AssignedRolloutIds, AssignRolloutIdsOptions } from "./identity/assign-rollout-ids.ts";
export { systemPromptStamp } from "./identity/system-prompt-stamp.ts";
export type { SystemPromptStamp } from "./identity/system-prompt-stamp.ts";

// Conversations
export { AGENT_ERROR_PREFIX, conversation, messagesOf } from "./conversation/conversation.ts";
export { fromMessages } from "./conversation/from-messages.ts";
export type { RowConversation } from "./conversation/from-messages.ts";
export { toolCalls } from "./conversation/tool-calls.ts";
export type { ToolCall } from "./conversation/tool-calls.ts";
export { blockText } from "./conversation/block-text.ts";
export { assistantText } from "./conversation/assistant-text.ts";

// What the agent did
export { toolFault } from "./tool/tool-fault.ts";
export { behaviorSignature, behaviorText } from "./tool/behavior-signature.ts";
export { stepsOf } from "./conversation/steps-of.ts";
export { isAnsweredCall, toolNames, toolsCalled } from "./tool/tools-called.ts";

// Difficulty, as stamped on rows
export { calibrationOf, calibrationSchema, calibrationStamp, policyRef } from "./calibration.ts";
export type { Calibration, PolicyRef } from "./calibration.ts";

// Task, rollout, judgment, marker: a row taken apart
export { fromRow } from "./typed/from-row.ts";
export { migrate } from "./typed/migrate.ts";
export { toRow } from "./typed/to-row.ts";
export { attach } from "./typed/attach.ts";
export { datasetJson, judgmentJson, markerJson, rolloutJson, taskJson, typedRowJson } from "./typed/typed-json.ts";
export { buildRows } from "./typed/build-rows.ts";
export type { BuildRowsOptions, PerCompletion, ScoreRowsOptions, Verdict } from "./typed/build-rows.ts";
export { SCORER_KINDS } from "./typed/typed-row.ts";
export type { Dataset, FaultEvent, Judgment, Marker, Privileged, Rollout, RolloutExtra } from "./typed/typed-row.ts";
export type { RowOrigin, Scorer, ScorerKind, Task, TaskLineage, TypedRow, World } from "./typed/typed-row.ts";

// What people, programs and models say about a row
export { attachLabels } from "./labels/attach-labels.ts";
export type { AttachedLabels, AttachLabelsOptions, LabelReport } from "./labels/attach-labels.ts";
export { attachRatings, latestRatings } from "./labels/attach-ratings.ts";
export type { AttachedRatings, AttachRatingsOptions, RatingReport } from "./labels/attach-ratings.ts";
export { recordsOf, resolveLabels } from "./labels/resolve-labels.ts";
export type { GivenLabel, LabelMatch, Labels, ResolvedLabels } from "./labels/resolve-labels.ts";
export { formatLabels } from "./labels/format-labels.ts";
export type { Voters } from "./labels/deciding-records.ts";
export { VOTERS } from "./labels/deciding-records.ts";
export { goldKindOf, isTrustedKind } from "./labels/gold-kind.ts";
export { goldVotes, isTrustedGold } from "./labels/gold-votes.ts";
export { LabelError } from "./labels/label-error.ts";

// What rows were made for, and under which spec
export { stageOf, stampStage } from "./stages.ts";
export { loadSpec, specVersion } from "./spec/load-spec.ts";
export type { LoadSpecOptions, Spec, SpecInput, Trait } from "./spec/load-spec.ts";
export { formatSpec } from "./spec/format-spec.ts";
export { specReport } from "./spec/spec-report.ts";
export type { SpecReport } from "./spec/spec-report.ts";
export { specBehaviors, specPrinciple, stampSpec } from "./spec/spec-parts.ts";

// The program around the model, by its content
export { fingerprint, harnessVersion, VERSION_MAX } from "./harness/fingerprint.ts";
export type { Harness } from "./harness/fingerprint.ts";
export { checkBehaviorName } from "./harness/behavior-name.ts";

// What may leave
export { EXPORT_BLOCKED, scrub } from "./privileged/scrub.ts";
export { scrubRow } from "./privileged/scrub-row.ts";
export type { ScrubbedRow, ScrubRowOptions } from "./privileged/scrub-row.ts";
export { cleanFaults, exportRow } from "./privileged/export-row.ts";
export { LEAK_OVERLAP, LeakTally, leakReport, rowLeak, shortLeaks } from "./privileged/leaks.ts";
export type { LeakHit, LeakOptions, LeakReport, LeakRules, RowLeak, SkippedNeedle } from "./privileged/leaks.ts";
export type { LeakCarrier } from "./privileged/carriers.ts";
export { LEAK_MIN_QUOTE_CHARS } from "./privileged/needles.ts";
export { commonRuns } from "./privileged/quote-runs.ts";
export type { Runs } from "./privileged/quote-runs.ts";
export { formatLeakReport } from "./privileged/format-leak-report.ts";

// Reports on the wire and in print
export { toWire } from "./wire.ts";
export { roundHalfEven } from "./text/half-even.ts";
export { formatFixed, formatInterval, formatPercent, formatSigned } from "./text/format-number.ts";
export type { FormatOptions } from "./text/format-number.ts";
export { cutToWidth, displayWidth, padToWidth } from "./text/display-width.ts";

// Text that is the same on every machine
export { codePointLength, compareCodePoints, cutCodePoints } from "./text/code-points.ts";
export { normText, splitWords } from "./text/norm-text.ts";
export { canonicalJson } from "./text/canonical-json.ts";
export { pyJson } from "./text/python-json.ts";
export type { PyJsonOptions } from "./text/python-json.ts";
export { textOf } from "./text/text-of.ts";
export { countLoneSurrogates, replaceLoneSurrogates } from "./text/lone-surrogates.ts";
export { sha1Hex } from "./hash/sha1.ts";
export { sha256Hex } from "./hash/sha256.ts";

// Options
export { checkOptions } from "./options/check-options.ts";
export { nearestName } from "./options/nearest-name.ts";
export { isObject } from "./is-object.ts";

// Errors
export { WhileError } from "./while-error.ts";
export { SchemaError } from "./schema-error.ts";
export type { Place, SchemaErrorCode } from "./schema-error.ts";
