import * as z from "zod";
import { type Deleted, deletedSchema } from "./agents.ts";
import { LARGE_BODY_MAX_BYTES } from "./caps.ts";
import { freeObject, instant, opt } from "./field.ts";
import { queryCount, type Route, route } from "./route.ts";

/** One trace of an agent. */
export interface TraceInfo {
  traceId: string;
  /** Null where no span named its agent. */
  agent: string | null;
  datasetId: string;
  rows: number;
  sizeBytes: number;
  createdAt: string;
}

/** Traces of an agent by page; without one, the sets that traces fill. */
export interface TracePage {
  traces: (Partial<TraceInfo> & { datasetId: string; name?: string | null; rows: number; sizeBytes: number })[];
  page: number;
  pages: number;
}

export interface TraceQuery {
  agent?: string | null;
  /** `all`, or an instant to begin at. */
  from?: string | null;
  limit?: number | null;
  page?: number | null;
}

export const listTraces: Route<null, TracePage, TraceQuery> = route({
  id: "listTraces",
  call: "GET /traces",
  summary: "Traces of an agent by page, or the sets that traces fill.",
  tag: "traces",
  scopes: ["data:read"],
  query: z.object({
    agent: opt(z.string()),
    from: opt(z.string().max(40)),
    limit: opt(queryCount(1, 200)),
    page: opt(queryCount(1, 1e9)),
  }),
  answer: z.object({
    traces: z.array(
      z.object({
        traceId: z.string().exactOptional(),
        agent: z.string().nullable().exactOptional(),
        datasetId: z.string(),
        name: opt(z.string()),
        rows: z.int(),
        sizeBytes: z.int(),
        createdAt: instant.exactOptional(),
      }),
    ),
    page: z.int(),
    pages: z.int(),
  }),
});

export const deleteTrace: Route<null, Deleted> = route({
  id: "deleteTrace",
  call: "DELETE /traces/{id}",
  summary: "Deletes a trace and its rows.",
  tag: "traces",
  scopes: ["data:write"],
  answer: deletedSchema,
  errors: ["not_found"],
});

export interface TracesStored {
  datasetId: string;
  dataset: string;
  rows: number;
}

export const postTraces: Route<Record<string, unknown>, TracesStored> = route({
  id: "postTraces",
  call: "POST /v1/traces",
  summary: "OpenTelemetry spans as OTLP/JSON, gzip allowed; `gen_ai.agent.name` creates the agent.",
  tag: "traces",
  scopes: ["data:write"],
  body: freeObject,
  maxBytes: LARGE_BODY_MAX_BYTES,
  answer: z.object({ datasetId: z.string(), dataset: z.string(), rows: z.int() }),
  status: 202,
  errors: ["too_large", "unsupported_media"],
});
