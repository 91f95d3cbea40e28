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
export type { ModelCall, ModelCallOptions, ModelMessage, ModelReply } from "./judge/model-call.ts";

// Lineage: which stage of training saw which task
export { stageReport } from "./lineage/stage-report.ts";
export type { SharedBy, StageLeak, StageReport } from "./lineage/stage-report.ts";
export { formatStages } from "./lineage/format-stages.ts";

// What this package refuses
export { TrustError } from "./trust-error.ts";
export type { TrustErrorCode } from "./trust-error.ts";
