// The client
export { PlatformClient } from "./client.ts";
export type { ClientOptions } from "./client.ts";
export { DEFAULT_API_URL, readSettings } from "./settings.ts";
export type { Environment, Settings } from "./settings.ts";

// A tracked agent and its runs
export { Tracked } from "./tracked/tracked.ts";
export type { ReadOptions } from "./tracked/tracked.ts";
export type { RunOptions, TrackedAgent } from "./tracked/run-options.ts";
export type { TrackOptions } from "./tracked/track.ts";
export { Run } from "./runs/run.ts";
export type { FinishOptions } from "./runs/run.ts";
export type { ScoreOptions } from "./runs/score-body.ts";
export type { FigureLike, FigureOptions } from "./runs/figure-body.ts";

// What an agent object says of itself
export { describe } from "./describe/describe.ts";
export type { Described } from "./describe/described.ts";

// Runs that any trainer reports
export { TrainingRun } from "./runs/training-run.ts";
export type { Finished, FinishTrainingOptions, HoldoutMetrics } from "./runs/training-run.ts";
export type { TrainingRunOptions, TrainingStatus } from "./runs/training-run.ts";
export { mapTrainerLogs } from "./runs/map-trainer-logs.ts";
export { trainerCallback } from "./runs/trainer-callback.ts";
export type { LoggedRun, TrainerCallback, TrainerState } from "./runs/trainer-callback.ts";
export type { Letter, Spool } from "./runs/outbox.ts";
export type { Resent } from "./runs/resend.ts";
export type { RunEvent, WatchOptions } from "./runs/watch-run.ts";

// Datasets
export type { Gate, Gated, GateOptions, Pushed, PushOptions, PushRowsOptions } from "./datasets/push.ts";
export type { SendRunsOptions } from "./send-runs.ts";
export type { PurgeReport } from "./purge-agent.ts";

// Signing in
export { maskKey } from "./sign-in/credentials.ts";
export type { Credential, CredentialStore, PendingLogin, SavedLogin } from "./sign-in/credentials.ts";
export { formatTrial, trialSituations } from "./sign-in/trial.ts";
export type { LoginOptions } from "./sign-in/login.ts";
export type { Status } from "./sign-in/status.ts";

// The way to a platform
export type { Exchange } from "./transport/transport.ts";
export type { PlatformWarning, Warn } from "./transport/warning.ts";

// Errors
export { PlatformError } from "./platform-error.ts";
export type { PlatformErrorCode, PlatformErrorFacts } from "./platform-error.ts";
