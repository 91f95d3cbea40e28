import { VERSION_MAX } from "@while/schema";
import * as z from "zod";
import { AGENT_ID, type Deleted, deletedSchema, READ_RUNS, WRITE_RUNS } from "./agents.ts";
import { behaviorName } from "./behaviors.ts";
import {
  ERROR_MAX,
  GPU_MAX,
  LIST_LIMIT_MAX,
  METHOD_MAX,
  MODEL_MAX,
  NAME_MAX,
  NOTES_MAX,
  STATUS_MAX,
  TRAINING_ERROR_MAX,
} from "./caps.ts";
import { type Dismiss, type Dismissals, dismissalsSchema, dismissSchema } from "./dismissals.ts";
import { atLeast, count, freeObject, instant, named, opt, text } from "./field.ts";
import { type TrainPoint, trainPointSchema } from "./points.ts";
import { type PageQuery, queryCount, queryFlag, type Route, route } from "./route.ts";
import { type RunRecord, runRecordSchema } from "./run-record.ts";
import { type StoredScore, storedScoreSchema } from "./scores.ts";

/** What a run may be called by who opens it. */
export const RUN_ID: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

export const runId: z.ZodType<string> = named(
  RUN_ID,
  '1 to 64 letters, digits, ".", "_" and "-", beginning with a letter or digit',
);

/** The words that the pages know; any other of up to 40 characters is shown as it is. */
export const RUN_STATUSES = ["running", "evaluated", "done", "stopped", "failed"] as const;

/** One row of an agent's runs: which version, what it claims, what was recorded and scored. */
export interface RunRow {
  id: string;
  /** The same as `id`, as the training calls name it. */
  runId: string;
  /** Null for a training run that belongs to no agent. */
  agent: string | null;
  version: string;
  /** Name of a training run. */
  name?: string | null;
  base?: string | null;
  /** The same as `base`, as the training calls name it. */
  baseModel?: string | null;
  /** Recorded and not interpreted: `eval`, `SFT`, `GRPO`, `DPO`. */
  method?: string | null;
  /** Behaviors the run claims to move. */
  targets: string[];
  trainedOn: string[];
  /** Label of the harness; its hash is `record.provenance.pins.harness`. */
  harness?: string | null;
  gpu?: string | null;
  hours?: number | null;
  seconds?: number | null;
  costUsd?: number | null;
  steps?: number | null;
  totalSteps?: number | null;
  status: string;
  error?: string | null;
  notes?: string | null;
  archived: boolean;
  summary?: Record<string, unknown> | null;
  record?: RunRecord | null;
  evals: StoredScore[];
  /** What nobody needs to mend of it, and why. */
  dismissed?: Dismissals | null;
  datasetId?: string | null;
  adapter?: string | null;
  config?: Record<string, unknown> | null;
  createdAt: string;
  updatedAt: string;
}

const rowFields = {
  id: z.string(),
  runId: z.string(),
  agent: z.string().nullable(),
  version: z.string(),
  name: opt(z.string()),
  base: opt(z.string()),
  baseModel: opt(z.string()),
  method: opt(z.string()),
  targets: z.array(z.string()),
  trainedOn: z.array(z.string()),
  harness: opt(z.string()),
  gpu: opt(z.string()),
  hours: opt(z.number()),
  seconds: opt(z.number()),
  costUsd: opt(z.number()),
  steps: opt(z.int()),
  totalSteps: opt(z.int()),
  status: z.string(),
  error: opt(z.string()),
  notes: opt(z.string()),
  archived: z.boolean(),
  summary: opt(freeObject),
  record: opt(runRecordSchema),
  evals: z.array(storedScoreSchema),
  dismissed: opt(dismissalsSchema),
  datasetId: opt(z.string()),
  adapter: opt(z.string()),
  config: opt(freeObject),
  createdAt: instant,
  updatedAt: instant,
};

export const runRowSchema: z.ZodType<RunRow> = z.object(rowFields).meta({ id: "Run" });

/** Opens a run of a tracked agent. */
export interface RunSpec {
  agent: string;
  version: string;
  base?: string | null;
  method?: string | null;
  targets?: string[] | null;
  trainedOn?: string[] | null;
  harness?: string | null;
  gpu?: string | null;
  record?: RunRecord | null;
  /** A name of the caller's own; one that exists is opened anew, without its points, scores and rows. */
  id?: string | null;
}

const names = z.array(text(NAME_MAX, 1)).max(200);

export const runSpecSchema: z.ZodType<RunSpec> = z
  .object({
    agent: named(AGENT_ID, "the id of an agent"),
    version: text(VERSION_MAX, 1),
    base: opt(text(MODEL_MAX)),
    method: opt(text(METHOD_MAX)),
    targets: opt(z.array(behaviorName).max(200)),
    trainedOn: opt(names),
    harness: opt(text(NAME_MAX)),
    gpu: opt(text(GPU_MAX)),
    record: opt(runRecordSchema),
    id: opt(runId),
  })
  .meta({ id: "RunSpec" });

/** Opens a run that any trainer reports. */
export interface TrainingRunSpec {
  name: string;
  dataset_id?: string | null;
  after_dataset_id?: string | null;
  base_model?: string | null;
  trainer?: string | null;
  total_steps?: number | null;
  config?: Record<string, unknown> | null;
}

export const trainingRunSpecSchema: z.ZodType<TrainingRunSpec> = z
  .object({
    name: text(NAME_MAX, 1),
    dataset_id: opt(text(64)),
    after_dataset_id: opt(text(64)),
    base_model: opt(text(MODEL_MAX)),
    trainer: opt(text(NAME_MAX)),
    total_steps: opt(count()),
    config: opt(freeObject),
  })
  .meta({ id: "TrainingRunSpec" });

export function isRunSpec(body: RunSpec | TrainingRunSpec): body is RunSpec {
  const { agent, version } = body as Partial<RunSpec>;
  return (agent ?? null) !== null || (version ?? null) !== null;
}

/** The new run; `overwrote` where its id was known and the run before is gone to the audit log. */
export interface Opened extends RunRow {
  overwrote?: boolean | null;
}

export const openRun: Route<RunSpec | TrainingRunSpec, Opened> = route({
  id: "openRun",
  call: "POST /runs",
  summary:
    "Opens a run: with `agent` or `version` of a tracked agent, else of any trainer. If-None-Match: * never overwrites.",
  tag: "runs",
  scopes: WRITE_RUNS,
  body: z.union([runSpecSchema, trainingRunSpecSchema]),
  shapeOf: (body) => (isRunSpec(body as RunSpec) ? runSpecSchema : trainingRunSpecSchema),
  answer: z.object({ ...rowFields, overwrote: opt(z.boolean()) }),
  errors: ["not_found", "invalid_field", "precondition_failed"],
});

/** What a list of runs may be ordered by; `score` and `n` are those of the behavior that the query names. */
export const RUN_SORTS = ["created", "updated", "version", "status", "method", "score", "n", "hours", "cost"] as const;

export type RunSort = (typeof RUN_SORTS)[number];

export interface RunQuery extends PageQuery {
  /** Runs of this agent; without it, training runs. */
  agent?: string | null;
  archived?: boolean | null;
  /** Text in the version, id, name, method, base or notes; each word must be there. */
  q?: string | null;
  /** Any of these; may be given more than once. */
  status?: string | string[] | null;
  method?: string | string[] | null;
  /** These runs and no others; may be given more than once. */
  ids?: string | string[] | null;
  behavior?: string | null;
  /** `created` by default; a run without the value comes last either way. */
  sort?: RunSort | null;
  /** `desc` by default. */
  order?: "asc" | "desc" | null;
}

export interface RunList {
  runs: RunRow[];
  /** Runs that match, on all pages. */
  total?: number | null;
  nextCursor?: string | null;
}

const several = opt(z.union([z.string().max(400), z.array(z.string().max(400)).max(200)]));

export const listRuns: Route<null, RunList, RunQuery> = route({
  id: "listRuns",
  call: "GET /runs",
  summary: "Runs, newest first unless `sort` says otherwise; all of them without a limit. Of sample rows: `ok` alone.",
  tag: "runs",
  scopes: READ_RUNS,
  query: z.object({
    agent: opt(z.string()),
    archived: opt(queryFlag),
    q: opt(z.string().max(400)),
    status: several,
    method: several,
    ids: several,
    behavior: opt(z.string().max(400)),
    sort: opt(z.enum(RUN_SORTS)),
    order: opt(z.enum(["asc", "desc"])),
    limit: opt(queryCount(1, LIST_LIMIT_MAX)),
    cursor: opt(z.string().max(200)),
  }),
  answer: z.object({ runs: z.array(runRowSchema), total: opt(z.int()), nextCursor: opt(z.string()) }),
});

/** A run with its curve: `train` for one of a tracked agent, `series` for any other. */
export interface RunDetail extends RunRow {
  train?: TrainPoint[] | null;
  series?: TrainPoint[] | null;
}

export const getRun: Route<null, RunDetail, { from?: number | null; to?: number | null; max_points?: number | null }> =
  route({
    id: "getRun",
    call: "GET /runs/{id}",
    summary: "One run with its points; `max_points` keeps the extremes of each stretch.",
    tag: "runs",
    scopes: READ_RUNS,
    query: z.object({
      from: opt(queryCount(0, 1e12)),
      to: opt(queryCount(0, 1e12)),
      max_points: opt(queryCount(2, 1e6)),
    }),
    answer: z.object({
      ...rowFields,
      train: opt(z.array(trainPointSchema)),
      series: opt(z.array(trainPointSchema)),
    }),
    errors: ["not_found"],
  });

/** What may change of a run. Absent stays, null clears; `record` is merged field by field, `summary` by key. */
export interface RunPatch {
  status?: string | null;
  record?: RunRecord | null;
  hours?: number | null;
  gpu?: string | null;
  costUsd?: number | null;
  steps?: number | null;
  summary?: Record<string, unknown> | null;
  notes?: string | null;
  error?: string | null;
  archived?: boolean | null;
  targets?: string[] | null;
  method?: string | null;
  trainedOn?: string[] | null;
  /** What is asked of the run and may stay as it is: a reason by its key, or null to ask again. */
  dismiss?: Dismiss | null;
}

/** Named only to be refused. */
const fixed = z
  .undefined({ error: "cannot be changed: open a run of the other version instead" })
  .exactOptional()
  .meta({ not: {} });

export const runPatchSchema: z.ZodType<RunPatch> = z
  .object({
    status: opt(text(STATUS_MAX, 1)),
    record: opt(runRecordSchema),
    hours: opt(atLeast(0)),
    gpu: opt(text(GPU_MAX)),
    costUsd: opt(atLeast(0)),
    steps: opt(count()),
    summary: opt(freeObject),
    notes: opt(text(NOTES_MAX)),
    error: opt(text(ERROR_MAX)),
    archived: opt(z.boolean()),
    targets: opt(z.array(behaviorName).max(200)),
    method: opt(text(METHOD_MAX)),
    trainedOn: opt(names),
    dismiss: opt(dismissSchema),
    version: fixed,
    agent: fixed,
  })
  .meta({ id: "RunPatch" });

export const patchRun: Route<RunPatch, RunRow> = route({
  id: "patchRun",
  call: "PATCH /runs/{id}",
  summary: "Changes what is given; `version` and `agent` stay for good.",
  tag: "runs",
  scopes: WRITE_RUNS,
  body: runPatchSchema,
  answer: runRowSchema,
  errors: ["not_found", "invalid_field", "precondition_failed"],
});

export const deleteRun: Route<null, Deleted> = route({
  id: "deleteRun",
  call: "DELETE /runs/{id}",
  summary: "Deletes a run with its points, scores and rows.",
  tag: "runs",
  scopes: WRITE_RUNS,
  answer: deletedSchema,
  errors: ["not_found"],
});

export interface FinishBody {
  status?: "done" | "failed" | "stopped" | null;
  /** Merged by key. */
  summary?: Record<string, unknown> | null;
  adapter?: string | null;
  error?: string | null;
}

export const finishRun: Route<FinishBody, { runId: string; status: string }> = route({
  id: "finishRun",
  call: "POST /runs/{id}/finish",
  summary: "Ends a training run. It may be sent again: the summary is merged, points stay.",
  tag: "runs",
  scopes: WRITE_RUNS,
  body: z
    .object({
      status: opt(z.enum(["done", "failed", "stopped"])),
      summary: opt(freeObject),
      adapter: opt(text(4 * NAME_MAX)),
      error: opt(text(TRAINING_ERROR_MAX)),
    })
    .meta({ id: "FinishBody" }),
  answer: z.object({ runId: z.string(), status: z.string() }),
  errors: ["not_found", "invalid_field"],
});

/**
 * `point`, `status`, `score` and `alarm` as server-sent events; Last-Event-ID goes on where a connection ended. Without it
 * every point comes, and with `after=now` only what is new: for a page that has the curve already.
 */
export const runEvents: Route<null, string, { after?: "now" | null }> = route({
  id: "runEvents",
  call: "GET /runs/{id}/events",
  summary: "What happens to a run, as it happens.",
  tag: "runs",
  scopes: READ_RUNS,
  query: z.object({ after: opt(z.literal("now")) }),
  answer: z.string(),
  answerType: "text/event-stream",
  errors: ["not_found"],
});
