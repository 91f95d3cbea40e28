// Every call

export type { OpenApiOptions } from "./contract/openapi.ts";
export { openApi } from "./contract/openapi.ts";
export { checkValue, parseBody, parseQuery } from "./contract/parse-body.ts";
export type { Method, PageQuery, Route, RouteAuth } from "./contract/route.ts";
export { fillPath, pathParams } from "./contract/route.ts";
export { ROUTES } from "./contract/routes.ts";

// Refusals

export type { ErrorBody } from "./contract/error-body.ts";
export { errorBody, errorBodySchema } from "./contract/error-body.ts";
export type { ErrorCode } from "./contract/error-code.ts";
export { ERROR_STATUS } from "./contract/error-code.ts";

// How much is accepted

export {
  AGENT_ID_MAX,
  AGENT_TEXT_MAX_BYTES,
  BEHAVIOR_NAME_MAX,
  BODY_MAX_BYTES,
  COST_BASIS_MAX,
  DELEGATED_TTL_MAX_S,
  DELEGATED_TTL_MIN_S,
  DESCRIPTION_MAX,
  DEVICE_CODE_LIFE_S,
  DEVICE_POLL_S,
  EMAIL_MAX,
  ERROR_BODY_MAX_BYTES,
  ERROR_MAX,
  EXAMPLE_TEXT_MAX,
  EXAMPLE_WHY_MAX,
  EXAMPLES_MAX,
  EXPERIMENT_FIELD_MAX,
  FIGURE_CAPTION_MAX,
  FIGURE_DROPPED_LAYOUT_KEYS,
  FIGURE_MAX_BYTES,
  FIGURE_MAX_TRACES,
  FIGURE_TRACE_TYPES,
  GPU_MAX,
  JSON_DEPTH_MAX,
  KEY_NAME_MAX,
  KEYS_MAX,
  LARGE_BODY_MAX_BYTES,
  LIST_LIMIT_MAX,
  LIVE_DAYS_PER_CALL,
  LONG_DESCRIPTION_MAX,
  METHOD_MAX,
  MODEL_MAX,
  NAME_MAX,
  NOTES_MAX,
  POINT_KEYS_MAX,
  POINTS_PER_LOG,
  POINTS_PER_TRAIN,
  ROW_TEXT_MAX,
  ROWS_MAX,
  ROWS_PER_CALL,
  RUBRIC_MAX,
  SAMPLE_FAILS,
  SAMPLE_PASSES,
  SCORES_PER_CALL,
  STATUS_MAX,
  SUMMARY_MAX_BYTES,
  TAG_KEY_MAX,
  TAG_VALUE_MAX,
  TAGS_MAX,
  TRAINING_ERROR_MAX,
  UPLOAD_MAX_BYTES,
  UPLOAD_PART_BYTES,
  UPLOAD_PARTS_MAX,
  UPLOAD_PARTS_PER_CALL,
} from "./contract/caps.ts";

// What a key may do

export type { Scope } from "./contract/scope.ts";
export { hasScope, LOGIN_SCOPES, SCOPES } from "./contract/scope.ts";

// Accounts and keys

export type { Account, EmailCode, Limits, SignedIn, SignedUp, SignUp, Tier, Trial, Usage } from "./contract/account.ts";
export { accountSchema, finishEmailSignIn, getAccount, signOut, signUp, startEmailSignIn } from "./contract/account.ts";
export type { DeviceCode, DeviceCodeRequest, DeviceRequest, DeviceToken } from "./contract/device.ts";
export { decideDevice, pollDevice, showDevice, startDevice } from "./contract/device.ts";
export type { Delegated, KeyInfo, KeyList, NewKey } from "./contract/keys.ts";
export {
  createKey,
  deleteKey,
  issueCredential,
  listKeys,
  refreshCredential,
  revokeCredential,
} from "./contract/keys.ts";
export type { SessionInfo, SignInLink } from "./contract/sessions.ts";
export { claimEmail, createSignInLink, deleteSession, listSessions } from "./contract/sessions.ts";

// Datasets, the catalog and traces

export type { Card, Catalog } from "./contract/catalog.ts";
export { downloadCard, getCatalog, publishDataset, unpublishDataset } from "./contract/catalog.ts";
export type { FinalizeBody, PartsAsked, PartUrl, StoredPart } from "./contract/dataset-parts.ts";
export { listParts, uploadParts } from "./contract/dataset-parts.ts";
export type {
  Dataset,
  DatasetList,
  DatasetMeta,
  DatasetQuery,
  DatasetRows,
  DownloadGrant,
  GateState,
  Lineage,
  Mode,
  NewDataset,
  Preview,
  Profile,
  Purpose,
  TaskProfile,
} from "./contract/datasets.ts";
export {
  checkContamination,
  createDataset,
  datasetSchema,
  deleteDataset,
  downloadBlob,
  downloadDataset,
  downloadGrantSchema,
  finalizeDataset,
  GATE_STATES,
  getDataset,
  getDatasetRows,
  getLineage,
  listDatasets,
  MODES,
  PURPOSES,
  previewDataset,
  profileDataset,
  profileSchema,
  updateDataset,
  uploadDataset,
} from "./contract/datasets.ts";
export type { TraceInfo, TracePage, TraceQuery, TracesStored } from "./contract/traces.ts";
export { deleteTrace, listTraces, postTraces } from "./contract/traces.ts";

// Agents, behaviors and what is told of them

export type {
  AgentVerdict,
  Deleted,
  Frontier,
  HarnessRecord,
  Promoted,
  Promotion,
  PromotionEntry,
  Purged,
  RegisterAgent,
  TrackAgent,
  TrackedInfo,
} from "./contract/agents.ts";
export {
  AGENT_ID,
  deleteAgent,
  deletedSchema,
  frontierSchema,
  isTrackAgent,
  listAgents,
  listPromotions,
  promote,
  purgeAgent,
  READ_RUNS,
  rollback,
  trackedInfoSchema,
  upsertAgent,
  WRITE_RUNS,
} from "./contract/agents.ts";
export type { Behavior, BehaviorFields, Judge } from "./contract/behaviors.ts";
export {
  behaviorFieldsSchema,
  behaviorName,
  behaviorSchema,
  judgeSchema,
  listBehaviors,
  putBehavior,
} from "./contract/behaviors.ts";
export type { Experiment } from "./contract/experiment.ts";
export { experimentSchema, getExperiment, putExperiment } from "./contract/experiment.ts";
export type { Figure, NewFigure, PlotlyFigure } from "./contract/figures.ts";
export {
  deleteFigure,
  FIGURE_NAME,
  figureName,
  figureSchema,
  listFigures,
  newFigureSchema,
  plotlyFigureSchema,
  putFigure,
} from "./contract/figures.ts";
export type { LiveDay, PostedDay } from "./contract/live.ts";
export { liveDaySchema, postLive } from "./contract/live.ts";

// Runs, points, scores and rows

export type { Dismiss, Dismissal, Dismissals, Dismissible } from "./contract/dismissals.ts";
export { DISMISSIBLE } from "./contract/dismissals.ts";

export type { LogBody, Logged, PointsStored, TrainPoint } from "./contract/points.ts";
export { postLog, postTrain, trainPointSchema } from "./contract/points.ts";
export type { RowTask, RowTasksPage, RowTasksQuery } from "./contract/row-tasks.ts";
export { getRowTasks, TASK_ROLLOUTS_MAX, TASK_SORTS } from "./contract/row-tasks.ts";
export type {
  Flips,
  FlipsQuery,
  RowDifference,
  RowScores,
  RowsBody,
  RowsPage,
  RowsQuery,
  RowsSummary,
  TagCount,
} from "./contract/rows.ts";
export { deleteRows, FLIP_KINDS, getFlips, getRows, getRowsSummary, postRows } from "./contract/rows.ts";
export type { Data, EvalSetup, Optimizer, Provenance, RunRecord } from "./contract/run-record.ts";
export {
  dataSchema,
  evalSetupSchema,
  optimizerSchema,
  provenanceSchema,
  runRecordSchema,
} from "./contract/run-record.ts";
export type {
  FinishBody,
  Opened,
  RunDetail,
  RunList,
  RunPatch,
  RunQuery,
  RunRow,
  RunSort,
  RunSpec,
  TrainingRunSpec,
} from "./contract/runs.ts";
export {
  deleteRun,
  finishRun,
  getRun,
  isRunSpec,
  listRuns,
  openRun,
  patchRun,
  RUN_ID,
  RUN_SORTS,
  RUN_STATUSES,
  runEvents,
  runId,
  runPatchSchema,
  runRowSchema,
  runSpecSchema,
  trainingRunSpecSchema,
} from "./contract/runs.ts";
export type { Example, Score, StoredScore } from "./contract/scores.ts";
export { exampleSchema, postEvals, scoreSchema, storedScoreSchema } from "./contract/scores.ts";

// What is concluded from them

export type {
  AgentScores,
  CurveQuery,
  Dashboard,
  Delta,
  LiveSeries,
  SeedPool,
  TrainCurve,
  VersionScore,
} from "./contract/dashboard.ts";
export {
  getAgentScores,
  getBrief,
  getCurve,
  getDashboard,
  getEvals,
  getVerdict,
  liveSeriesSchema,
  trainCurveSchema,
  versionScoreSchema,
} from "./contract/dashboard.ts";
export type { GpuPrice, ModelPrice, PriceBook } from "./contract/price-book.ts";
export { getPriceBook, priceBookSchema } from "./contract/price-book.ts";
export type { Brief, EvalCheck, EvalCheckKey, EvalHealth, Step, Verdict, VerdictKind } from "./contract/verdict.ts";
export { briefSchema, EVAL_CHECKS, evalHealthSchema, VERDICT_KINDS, verdictSchema } from "./contract/verdict.ts";

// The server itself

export type { AuditEntry, AuditPage, Version } from "./contract/service.ts";
export { getHealth, getMetrics, getOpenApi, getVersion, listAudit } from "./contract/service.ts";

// Errors

export type { PlatformErrorCode, PlatformErrorFacts } from "./platform-error.ts";
export { PlatformError } from "./platform-error.ts";
