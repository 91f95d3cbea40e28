import * as z from "zod";
import { LIST_LIMIT_MAX, LONG_DESCRIPTION_MAX, NAME_MAX, UPLOAD_MAX_BYTES } from "./caps.ts";
import { type FinalizeBody, finalizeBodySchema } from "./dataset-parts.ts";
import { count, freeObject, instant, opt, text } from "./field.ts";
import { type PageQuery, queryCount, queryFlag, type Route, route } from "./route.ts";

export const PURPOSES = ["train", "holdout", "eval"] as const;
export type Purpose = (typeof PURPOSES)[number];

export const MODES = ["explore", "sft", "rl", "adaptive"] as const;
export type Mode = (typeof MODES)[number];

export const GATE_STATES = ["pending", "done", "too_large", "failed"] as const;
export type GateState = (typeof GATE_STATES)[number];

/** One set of rows as lists and answers show it. */
export interface Dataset {
  datasetId: string;
  name: string;
  /** Slug of its agent; null where none was named. */
  agent: string | null;
  /** `raw` are sets that traces fill. */
  purpose: Purpose | "raw";
  mode: Mode | null;
  description: string | null;
  parentDatasetId: string | null;
  /** Null until the upload is finalized. */
  rows: number | null;
  tasks: number | null;
  sizeBytes: number;
  status: "uploading" | "importing" | "processing" | "ready" | "failed";
  /** Of the stored bytes. */
  sha256: string | null;
  /** Of the rows' content: the same for another spelling of the same rows. */
  rowsDigest: string | null;
  /** An earlier set of the account with the same bytes. */
  duplicateOf: string | null;
  /** A holdout that only a key with `eval:read` downloads. */
  sealed: boolean;
  version: number;
  /** What the profile says of it; null where nothing is graded, or before it is finalized. */
  passRate?: number | null;
  mixedTasks?: number | null;
  /**
   * How far the gate is, which reads a set when it is finalized: `pending` behind the answer where the set is large,
   * `too_large` and `failed` say why in the preview. Null before, and of traces until a preview asks.
   */
  gateState?: GateState | null;
  /** Warnings of the gate, once it is `done`. */
  warnings?: number | null;
  createdAt: string;
  finalizedAt: string | null;
  createdBy: string | null;
  children: string[];
  siblings: { train?: string | null; holdout?: string | null };
}

export const datasetSchema: z.ZodType<Dataset> = z
  .object({
    datasetId: z.string(),
    name: z.string(),
    agent: z.string().nullable(),
    purpose: z.enum([...PURPOSES, "raw"]),
    mode: z.enum(MODES).nullable(),
    description: z.string().nullable(),
    parentDatasetId: z.string().nullable(),
    rows: z.int().nullable(),
    tasks: z.int().nullable(),
    sizeBytes: z.int(),
    status: z.enum(["uploading", "importing", "processing", "ready", "failed"]),
    sha256: z.string().nullable(),
    rowsDigest: z.string().nullable(),
    duplicateOf: z.string().nullable(),
    sealed: z.boolean(),
    version: z.int(),
    passRate: opt(z.number()),
    mixedTasks: opt(z.int()),
    gateState: opt(z.enum(GATE_STATES)),
    warnings: opt(z.int()),
    createdAt: instant,
    finalizedAt: instant.nullable(),
    createdBy: z.string().nullable(),
    children: z.array(z.string()),
    siblings: z.object({ train: opt(z.string()), holdout: opt(z.string()) }),
  })
  .meta({ id: "Dataset" });

export interface NewDataset {
  name: string;
  purpose?: Purpose | null;
  mode?: Mode | null;
  /** Created when it is not known. */
  agent?: string | null;
  description?: string | null;
  parentDatasetId?: string | null;
  sealed?: boolean | null;
}

export const createDataset: Route<NewDataset, Dataset & { uploadUrl: string }> = route({
  id: "createDataset",
  call: "POST /datasets",
  summary: "First of three steps: an entry, and the URL that its rows are PUT to.",
  tag: "datasets",
  scopes: ["data:write"],
  body: z
    .object({
      name: text(NAME_MAX, 1),
      purpose: opt(z.enum(PURPOSES)),
      mode: opt(z.enum(MODES)),
      agent: opt(text(NAME_MAX, 1)),
      description: opt(text(LONG_DESCRIPTION_MAX)),
      parentDatasetId: opt(text(64, 1)),
      sealed: opt(z.boolean()),
    })
    .meta({ id: "NewDataset" }),
  answer: z.intersection(datasetSchema, z.object({ uploadUrl: z.string() })),
  status: 201,
  errors: ["dataset_limit", "not_found"],
});

/** Beside the JSON calls: the whole set as one body, with the exact length, uncompressed. */
export const uploadDataset: Route<string, { ok: true; sizeBytes: number }> = route({
  id: "uploadDataset",
  call: "PUT /blobs/{token}",
  summary: "Second step: the rows, one JSON object a line. The URL carries its own permission.",
  tag: "datasets",
  auth: "signed",
  body: z.string(),
  bodyType: "application/jsonl",
  maxBytes: UPLOAD_MAX_BYTES,
  answer: z.object({ ok: z.literal(true), sizeBytes: z.int() }),
  errors: ["upload_expired", "too_large"],
});

export const downloadBlob: Route<null, string> = route({
  id: "downloadBlob",
  call: "GET /blobs/{token}",
  summary: "One part of a set, at the URL that a download grant gave.",
  tag: "datasets",
  auth: "signed",
  answer: z.string(),
  answerType: "application/jsonl",
  errors: ["upload_expired", "gone"],
});

export const finalizeDataset: Route<FinalizeBody | undefined, Dataset> = route({
  id: "finalizeDataset",
  call: "POST /datasets/{id}/finalize",
  summary: "Third step: counts, checks and opens the set. Called again it answers the same.",
  tag: "datasets",
  scopes: ["data:write"],
  body: finalizeBodySchema,
  answer: datasetSchema,
  errors: ["not_found", "upload_missing", "storage_limit", "invalid_rows"],
});

export interface DatasetQuery extends PageQuery {
  agent?: string | null;
  purpose?: Purpose | "raw" | null;
  status?: string | null;
  /** Words in the name. */
  q?: string | null;
}

export interface DatasetList {
  datasets: Dataset[];
  storage: { usedBytes: number; limitBytes: number | null };
  nextCursor?: string | null;
}

export const listDatasets: Route<null, DatasetList, DatasetQuery> = route({
  id: "listDatasets",
  call: "GET /datasets",
  summary: "Sets, newest first; all of them unless a limit is given.",
  tag: "datasets",
  scopes: ["data:read"],
  query: z.object({
    agent: opt(z.string()),
    purpose: opt(z.enum([...PURPOSES, "raw"])),
    status: opt(z.string()),
    q: opt(z.string().max(200)),
    limit: opt(queryCount(1, LIST_LIMIT_MAX)),
    cursor: opt(z.string().max(200)),
  }),
  answer: z.object({
    datasets: z.array(datasetSchema),
    storage: z.object({ usedBytes: z.int(), limitBytes: z.int().nullable() }),
    nextCursor: opt(z.string()),
  }),
});

export const getDataset: Route<null, Dataset> = route({
  id: "getDataset",
  call: "GET /datasets/{id}",
  summary: "One set.",
  tag: "datasets",
  scopes: ["data:read"],
  answer: datasetSchema,
  errors: ["not_found"],
});

export const deleteDataset: Route<null, { ok: true; deleted: true }> = route({
  id: "deleteDataset",
  call: "DELETE /datasets/{id}",
  summary: "Deletes a set for good.",
  tag: "datasets",
  scopes: ["data:write"],
  answer: z.object({ ok: z.literal(true), deleted: z.literal(true) }),
  errors: ["not_found", "in_progress"],
});

export interface DatasetMeta {
  purpose?: Purpose | null;
  mode?: Mode | null;
  agent?: string | null;
  description?: string | null;
  sealed?: boolean | null;
}

export const updateDataset: Route<DatasetMeta, Dataset> = route({
  id: "updateDataset",
  call: "POST /datasets/{id}/meta",
  summary: "Changes what is given and nothing else.",
  tag: "datasets",
  scopes: ["data:write"],
  body: z
    .object({
      purpose: opt(z.enum(PURPOSES)),
      mode: opt(z.enum(MODES)),
      agent: opt(text(NAME_MAX, 1)),
      description: opt(text(LONG_DESCRIPTION_MAX)),
      sealed: opt(z.boolean()),
    })
    .meta({ id: "DatasetMeta" }),
  answer: datasetSchema,
  errors: ["not_found"],
});

export interface Preview {
  /** Three sample rows. */
  rows: Record<string, unknown>[];
  /** What the publish gate says of the set, or `not_run` with the reason; null while it reads the set. */
  report: Record<string, unknown> | null;
}

export const previewDataset: Route<null, Preview> = route({
  id: "previewDataset",
  call: "GET /datasets/{id}/preview",
  summary: "Three rows, and what the gate says of the set.",
  tag: "datasets",
  scopes: ["data:read"],
  answer: z.object({ rows: z.array(freeObject), report: freeObject.nullable() }),
  errors: ["not_found", "not_finalized"],
});

/** Rows as they were pushed. */
export interface DatasetRows {
  rows: Record<string, unknown>[];
  nextCursor?: string | null;
}

/** Rows of one page. */
const DATASET_ROWS_MAX = 200;

export const getDatasetRows: Route<null, DatasetRows, PageQuery> = route({
  id: "getDatasetRows",
  call: "GET /datasets/{id}/rows",
  summary: "Rows of a set in their order, by page.",
  tag: "datasets",
  scopes: ["data:read"],
  query: z.object({ limit: opt(queryCount(1, DATASET_ROWS_MAX)), cursor: opt(z.string().max(200)) }),
  answer: z.object({ rows: z.array(freeObject), nextCursor: opt(z.string()) }),
  errors: ["not_found", "not_finalized", "upload_missing"],
});

/** All sets that were made of one, itself the first. */
export interface Lineage {
  root: string;
  /** Parents before their children. */
  nodes: Dataset[];
}

export const getLineage: Route<null, Lineage> = route({
  id: "getLineage",
  call: "GET /datasets/{id}/lineage",
  summary: "The whole family of a set: what it was made of, and what was made of that.",
  tag: "datasets",
  scopes: ["data:read"],
  answer: z.object({ root: z.string(), nodes: z.array(datasetSchema) }),
  errors: ["not_found"],
});

export const checkContamination: Route<{ against: string }, Record<string, unknown>> = route({
  id: "checkContamination",
  call: "POST /datasets/{id}/contamination",
  summary: "Rows of a set that another one, on which is measured, already holds: the report of wai decontaminate.",
  tag: "datasets",
  scopes: ["data:read"],
  body: z.object({ against: text(64, 1) }).meta({ id: "Against" }),
  answer: freeObject,
  errors: ["not_found", "not_finalized", "too_large", "upload_missing"],
});

export interface TaskProfile {
  task: string;
  n: number;
  graded: number;
  /** A count, so that nobody compares a rounded rate with 0 or 1. */
  passed: number;
  pass_rate: number | null;
}

/** What a trainer would learn from a set. Rates have three decimals. */
export interface Profile {
  rows: number;
  graded: number;
  /** Null when nothing is graded. */
  pass_rate: number | null;
  split: { pass: number; fail: number; ungraded: number };
  tasks: number;
  rows_per_task: number | null;
  tasks_with_repeats: number;
  /** Tasks with a pass and a fail. */
  mixed_tasks: number;
  mixed_fraction: number | null;
  /** Mean of 4p(1 - p) over graded tasks: how much of the gradient a group mean leaves. */
  support: number | null;
  per_task: TaskProfile[];
  /** `per_task` lists every task. */
  per_task_complete: boolean;
  tool_use: { rows_with_calls: number; share: number | null; by_tool: Record<string, number> };
  tokens: { mean: number; p50: number; p95: number; max: number; tokenizer: string } | null;
  /** Sampling temperature to rows. */
  temperatures: Record<string, number>;
  duplicates: number;
  truncated: number;
  reward_values: Record<string, number>;
}

const rate = z.number().nullable();
const counts: z.ZodType<Record<string, number>> = z.record(z.string(), z.int());

export const profileSchema: z.ZodType<Profile> = z
  .object({
    rows: count(),
    graded: count(),
    pass_rate: rate,
    split: z.object({ pass: count(), fail: count(), ungraded: count() }),
    tasks: count(),
    rows_per_task: rate,
    tasks_with_repeats: count(),
    mixed_tasks: count(),
    mixed_fraction: rate,
    support: rate,
    per_task: z.array(z.object({ task: z.string(), n: count(), graded: count(), passed: count(), pass_rate: rate })),
    per_task_complete: z.boolean(),
    tool_use: z.object({ rows_with_calls: count(), share: rate, by_tool: counts }),
    tokens: z
      .object({ mean: z.number(), p50: z.number(), p95: z.number(), max: z.number(), tokenizer: z.string() })
      .nullable(),
    temperatures: counts,
    duplicates: count(),
    truncated: count(),
    reward_values: counts,
  })
  .meta({ id: "Profile" });

export const profileDataset: Route<null, { profile: Profile }, { force?: boolean | null }> = route({
  id: "profileDataset",
  call: "GET /datasets/{id}/profile",
  summary: "What a trainer would learn from the set; kept until the set changes, `force` makes it anew.",
  tag: "datasets",
  scopes: ["data:read"],
  query: z.object({ force: opt(queryFlag) }),
  answer: z.object({ profile: profileSchema }),
  errors: ["not_found", "not_finalized"],
});

/** Where the rows are read: every part, in order. */
export interface DownloadGrant {
  /** The first part. */
  downloadUrl: string;
  parts: string[];
}

export const downloadGrantSchema: z.ZodType<DownloadGrant> = z
  .object({ downloadUrl: z.string(), parts: z.array(z.string()) })
  .meta({ id: "DownloadGrant" });

export const downloadDataset: Route<null, DownloadGrant> = route({
  id: "downloadDataset",
  call: "GET /datasets/{id}/download",
  summary: "URLs of the stored bytes, good for fifteen minutes.",
  tag: "datasets",
  scopes: ["data:read", "eval:read"],
  answer: downloadGrantSchema,
  errors: ["not_found", "scope_missing"],
});
