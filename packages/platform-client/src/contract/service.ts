import * as z from "zod";
import { LIST_LIMIT_MAX } from "./caps.ts";
import { freeObject, instant, opt } from "./field.ts";
import { type PageQuery, queryCount, type Route, route } from "./route.ts";

// The server itself: what it is, whether it is well, what was done to it.

export interface Version {
  server: string;
  /** Grows when a call changes its meaning; new fields do not change it. */
  api: number;
  /** What this server can beyond the first level, such as `sse` or `traces`. */
  features: string[];
  served_bases: string[];
}

export const getVersion: Route<null, Version> = route({
  id: "getVersion",
  call: "GET /version",
  summary: "Server version, API level and features.",
  tag: "service",
  auth: "none",
  answer: z
    .object({
      server: z.string(),
      api: z.int(),
      features: z.array(z.string()),
      served_bases: z.array(z.string()),
    })
    .meta({ id: "Version" }),
});

export const getHealth: Route<null, { ok: boolean }> = route({
  id: "getHealth",
  call: "GET /healthz",
  summary: "The process runs and its database answers.",
  tag: "service",
  auth: "none",
  answer: z.object({ ok: z.boolean() }),
  errors: ["unavailable"],
});

export const getMetrics: Route<null, string> = route({
  id: "getMetrics",
  call: "GET /metrics",
  summary: "Prometheus metrics.",
  tag: "service",
  auth: "none",
  answer: z.string(),
  answerType: "text/plain",
});

export const getOpenApi: Route<null, Record<string, unknown>> = route({
  id: "getOpenApi",
  call: "GET /openapi.json",
  summary: "This document.",
  tag: "service",
  auth: "none",
  answer: freeObject,
});

/** One thing that was done, by whom, from where. Each entry holds the hash of the one before. */
export interface AuditEntry {
  seq: number;
  at: string;
  key: string | null;
  user_id: string | null;
  address: string | null;
  action: string;
  resource: string;
  /** What was there before, as JSON, where the act took it away: a run that was opened anew. */
  before: string | null;
  after: string | null;
  requestId: string | null;
  hash: string;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextCursor?: string | null;
}

export const listAudit: Route<null, AuditPage, PageQuery> = route({
  id: "listAudit",
  call: "GET /audit",
  summary: "What was done on the account, newest first.",
  tag: "service",
  scopes: ["admin"],
  query: z.object({ limit: opt(queryCount(1, LIST_LIMIT_MAX)), cursor: opt(z.string().max(200)) }),
  answer: z.object({
    entries: z.array(
      z
        .object({
          seq: z.int(),
          at: instant,
          key: z.string().nullable(),
          user_id: z.string().nullable(),
          address: z.string().nullable(),
          action: z.string(),
          resource: z.string(),
          before: z.string().nullable(),
          after: z.string().nullable(),
          requestId: z.string().nullable(),
          hash: z.string(),
        })
        .meta({ id: "AuditEntry" }),
    ),
    nextCursor: opt(z.string()),
  }),
});
