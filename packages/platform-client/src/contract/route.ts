import { replaceLoneSurrogates } from "@while/schema";
import * as z from "zod";
import { PlatformError } from "../platform-error.ts";
import { BODY_MAX_BYTES } from "./caps.ts";
import type { ErrorCode } from "./error-code.ts";
import type { Scope } from "./scope.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a call shows to be let in: a key, a session of the pages, a signed URL, or nothing. */
export type RouteAuth = "key" | "session" | "signed" | "none";

/**
 * One call of the platform: what the server mounts, the client sends and the OpenAPI document describes. The types of
 * body, query and answer come with it, so that a handler and a caller cannot part from what is written down here.
 */
export interface Route<Body = unknown, Answer = unknown, Query = unknown> {
  /** Name of the call, the same as `operationId`. */
  readonly id: string;
  readonly method: Method;
  /** Parameters in braces: `/runs/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly auth: RouteAuth;
  /** Any one of them lets a key in; empty lets every good key in. */
  readonly scopes: readonly Scope[];
  readonly query: z.ZodType<Query> | null;
  /** Null where a body is not read. */
  readonly body: z.ZodType<Body> | null;
  /** Which shape of a union the body means to be, so that a refusal speaks of that one. */
  readonly shapeOf: ((body: unknown) => z.ZodType<Body>) | null;
  readonly bodyType: string;
  readonly maxBytes: number;
  /** Answer of a 2xx. */
  readonly answer: z.ZodType<Answer>;
  readonly answerType: string;
  readonly status: 200 | 201 | 202;
  /** Refusals of its own, beside those that every call can meet. */
  readonly errors: readonly ErrorCode[];
}

export interface RouteInit<Body, Answer, Query> {
  id: string;
  call: `${Method} /${string}`;
  summary: string;
  tag: string;
  auth?: RouteAuth;
  scopes?: readonly Scope[];
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  shapeOf?: (body: unknown) => z.ZodType<Body>;
  bodyType?: string;
  maxBytes?: number;
  answer: z.ZodType<Answer>;
  answerType?: string;
  status?: 200 | 201 | 202;
  errors?: readonly ErrorCode[];
}

/** A route with what most of them share: a key, JSON both ways, 200. */
export function route<Body = null, Answer = unknown, Query = null>(
  init: RouteInit<Body, Answer, Query>,
): Route<Body, Answer, Query> {
  const [method, path] = init.call.split(" ") as [Method, string];
  return {
    id: init.id,
    method,
    path,
    summary: init.summary,
    tag: init.tag,
    auth: init.auth ?? "key",
    scopes: init.scopes ?? [],
    query: init.query ?? null,
    body: init.body ?? null,
    shapeOf: init.shapeOf ?? null,
    bodyType: init.bodyType ?? "application/json",
    maxBytes: init.maxBytes ?? BODY_MAX_BYTES,
    answer: init.answer,
    answerType: init.answerType ?? "application/json",
    status: init.status ?? 200,
    errors: init.errors ?? [],
  };
}

/** Names in the braces of a path, in order. */
export function pathParams(path: string): string[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name!);
}

/**
 * The path with its parameters filled in and escaped, so that an id never adds a segment or a query of its own.
 *
 * @throws PlatformError `bad_value` for a parameter that is missing, empty, "." or "..": URLs walk over those
 */
export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? "";
    if (value !== "" && value !== "." && value !== "..") return encodeURIComponent(replaceLoneSurrogates(value));
    throw new PlatformError(
      "bad_value",
      `${name} is ${JSON.stringify(value)} in ${path}.`,
      "Give the id or name itself.",
    );
  });
}

/** Query of a list that pages when asked to: without `limit` it is whole. */
export interface PageQuery {
  limit?: number | null;
  cursor?: string | null;
}

/** Numbers in a query are text. */
export function queryCount(min: number, max: number): z.ZodType<number> {
  return z.coerce.number<string>().int().min(min).max(max);
}

/** Any finite number. An empty text is none, and not zero. */
export const queryNumber: z.ZodType<number> = z.string().trim().min(1).pipe(z.coerce.number<string>());

/** `1`, `true` or an empty text switch on. */
export const queryFlag: z.ZodType<boolean> = z
  .enum(["", "1", "true", "0", "false"])
  .transform((value) => value !== "0" && value !== "false");
