// Rows to train on
export { trainingRows } from "./training-rows.ts";
export type { TrainingRowsOptions } from "./training-rows.ts";
export { lossMask, MASK_MODES } from "./mask/loss-mask.ts";
export type { LossMaskOptions, MaskMode, TurnPredicate } from "./mask/loss-mask.ts";
export { TOOL_OUTPUT_KEEPS } from "./conversation/tool-output-cap.ts";
export type { ToolOutputKeep } from "./conversation/tool-output-cap.ts";
export type { TrainingRow, WireCall, WireMessage, WireRole } from "./training-row.ts";
export type { RunSource, Source } from "./source.ts";

// The lines of a file, and what its trainer will do with it
export { exportLines } from "./export-lines.ts";
export type { ExportedLines } from "./export-lines.ts";
export type { ExportOptions } from "./export-options.ts";
export type { ExportReport, ExportWarning } from "./report/export-report.ts";
export { formatExportReport } from "./report/format-export-report.ts";

// TRL
export { toTrl, TRL_KINDS } from "./trl/to-trl.ts";
export type { TrlKind, TrlMessage, TrlRow, TrlRows } from "./trl/to-trl.ts";
export { CURRENT_TRL, TRL_VERSIONS } from "./trl/trl-version.ts";
export type { TrlVersion } from "./trl/trl-version.ts";

// Pairs, for preference trainers
export { preferenceLines } from "./preference/preference-lines.ts";
export type { PreferenceLines } from "./preference/preference-lines.ts";
export { rewardModelLines } from "./preference/reward-model-lines.ts";
export { PAIR_POINTS } from "./preference/pair-lines.ts";
export type { PairContext, PairPoint, PreferenceOptions, RewardModelOptions } from "./preference/pair-lines.ts";
export type { PreferenceReport } from "./preference/preference-report.ts";
export { formatPreferenceReport } from "./preference/format-preference-report.ts";
export type { PairSide, PairSource, PairWarning, PreferenceWriter, WirePair } from "./preference/wire-pair.ts";
export type { PairQuality } from "./preference/pair-quality.ts";

// Judged replies, for KTO
export { ktoLines } from "./kto/kto-lines.ts";
export type { KtoLines, KtoOptions } from "./kto/kto-lines.ts";
export type { KtoReport } from "./kto/kto-report.ts";
export { formatKtoReport } from "./kto/format-kto-report.ts";
export type { KtoReply, KtoWriter } from "./kto/kto-reply.ts";

// Tasks, for environments and grouped RL
export { buildTasks } from "./tasks/build-tasks.ts";
export type { BuildTasksOptions, OverlapCheck, TaskOverlap, Tasks, TasksReport } from "./tasks/build-tasks.ts";
export { grpoLines } from "./tasks/grpo-lines.ts";
export type { GrpoLines, GrpoOptions } from "./tasks/grpo-lines.ts";
export { formatGrpoReport } from "./tasks/grpo-report.ts";
export type { GrpoReport } from "./tasks/grpo-report.ts";
export type { GrpoTask, GrpoWriter } from "./tasks/grpo-task.ts";
export type { Split, Task, TaskCalibration, TaskInfo } from "./tasks/task.ts";

// Environments: the same tasks, played while a policy is trained
export { environmentFiles } from "./environment/environment-files.ts";
export type { EnvironmentFiles } from "./environment/environment-files.ts";
export type { EnvironmentOptions } from "./environment/environment-options.ts";
export type { EnvironmentReport } from "./environment/environment-report.ts";
export { ENVIRONMENT_RUNTIMES } from "./environment/environment-spec.ts";
export type {
  EnvironmentHarness,
  EnvironmentRuntime,
  EnvironmentSpec,
  EnvironmentTool,
} from "./environment/environment-spec.ts";
export { formatEnvironmentReport } from "./environment/format-environment-report.ts";
export { harnessFor } from "./environment/harness-for.ts";
export type { HarnessMix } from "./environment/harness-for.ts";
export { EnvironmentSessions } from "./environment/environment-sessions.ts";
export type {
  EnvironmentContext,
  EnvironmentRollout,
  Episode,
  ExecuteCall,
  GradeRollout,
  RolloutScore,
  ScoreOutcome,
  SessionsOptions,
  StepOutcome,
  TaskView,
} from "./environment/environment-sessions.ts";

// A dataset folder with its card
export { datasetCardFeatures } from "./dataset-folder/dataset-card-features.ts";
export type { CardFeature } from "./dataset-folder/dataset-card-features.ts";
export type { CardOptions } from "./dataset-folder/dataset-card.ts";
export { datasetFolderFiles } from "./dataset-folder/dataset-folder-files.ts";
export type { DatasetFolderOptions, DatasetFolderReport } from "./dataset-folder/dataset-folder-files.ts";

// Do the tool calls read back?
export { toolCallRoundtrip } from "./roundtrip/tool-call-roundtrip.ts";
export type { RoundtripOptions } from "./roundtrip/tool-call-roundtrip.ts";
export type { ArgumentEncoding, RoundtripReport } from "./roundtrip/roundtrip-check.ts";

// Other consumers
export { formats, registerFormat } from "./formats/registry.ts";
export type {
  DroppedRow,
  FormatRow,
  FormatSettings,
  FormatSpec,
  MaskSupport,
  RowKind,
} from "./formats/format-spec.ts";
export type { FormatCount, FormatCounts } from "./formats/format-counts.ts";
export type { Requirement } from "./formats/requirement.ts";
export { rowProblem } from "./formats/row-problem.ts";
export type { RowProblem } from "./formats/row-problem.ts";

// What a trainer does with a format, on a sample
export { describeFormat } from "./describe/describe-format.ts";
export type { DescribeOptions, FormatDescription, RenderedSample } from "./describe/describe-format.ts";
export { formatFormatDescription } from "./describe/format-description.ts";

// What a model's chat template makes of rows, and which of it trains
export { renderTemplate } from "./template/render-template.ts";
export type { RenderOptions, TemplateInput } from "./template/render-template.ts";
export { trainedSpans } from "./template/trained-spans.ts";
export type { Span, TrainedText, Trains } from "./template/trained-spans.ts";
export { probeTemplate } from "./template/probe-template.ts";
export type { Kept, ProbedRow, ProbeOptions, ProbeReport } from "./template/probe-template.ts";
export { HERMES_TEMPLATE } from "./template/hermes-template.ts";

// Files that column readers load as they were written
export type { AgainstEval, Contaminated } from "./eval-filter.ts";
export { CARRY } from "./arrow/columns.ts";
export type { Carry } from "./arrow/columns.ts";
export type { Seen, TypeConflict } from "./arrow/argument-types.ts";
export { JsonNumber } from "./json/json-number.ts";

// Errors
export { ExportError } from "./export-error.ts";
export type { ExportErrorCode } from "./export-error.ts";
