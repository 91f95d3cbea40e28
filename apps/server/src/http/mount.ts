import { randomUUID } from "node:crypto";
import { PlatformError } from "@while/platform-client";
import { type ErrorCode, parseBody, parseQuery, type Route } from "@while/platform-client/contract";
import type { Context, Hono } from "hono";
import type { Db } from "../db/open-database.ts";
import type { Services } from "../services.ts";
import { isoTime } from "../services.ts";
import type { Settings } from "../settings.ts";
import { writeAudit } from "./audit.ts";
import { authenticate, type Caller, checkScope, shownKey } from "./caller.ts";
import { CSRF_HEADER, checkCsrf } from "./csrf.ts";
import { HttpError } from "./http-error.ts";
import { once } from "./idempotency.ts";
import type { RateClass, RateLimiter } from "./rate-limits.ts";
import { parseJson, readText } from "./read-body.ts";

export type Env = {
  Variables: { requestId: string };
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } };
};

/** What every handler is given. */
interface Asked<Body, Query> {
  services: Services;
  params: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  /** For what is not JSON: a body that is passed on as it comes. */
  request: Request;
  /** Id of the request, by which both sides find it in their logs. */
  requestId: string;
  /** Address that the request came from, as far as the server may believe it. */
  address: string;
  /** Where this server is reached, without a slash at the end. */
  origin: string;
}

export interface AskedWithKey<Body, Query> extends Asked<Body, Query> {
  caller: Caller;
}

/** A handler answers with the object of the contract, or with a response of its own where the answer is no JSON. */
type Answered<Answer> = Promise<Answer | Response>;

export interface Mounting {
  app: Hono<Env>;
  services: Services;
  limiter: RateLimiter;
  /** Checks each answer against the contract: for tests, where a wrong one is our fault. */
  checkAnswers: boolean;
  /** Filled with the ids of what is mounted. */
  mounted: Set<string>;
}

/** Answers with a key or a one-time code in them are not kept for a repeated request. */
const SECRET_ANSWERS = new Set(["createKey", "createSignInLink", "issueCredential", "refreshCredential"]);

/** What agents wrote is kept as JSON whatever it holds; names and notes are plain text in the database. */
const KEPT_AS_JSON = new Set(["rows", "scores", "traces", "points"]);

/**
 * Calls that touch the database and nothing else: what they write and the line of the audit log are one transaction, so
 * that neither is there without the other and the disk is waited for once.
 */
const ONE_COMMIT = new Set([
  ...["upsertAgent", "deleteAgent", "promote", "rollback", "putBehavior", "putExperiment", "putFigure", "deleteFigure"],
  ...["openRun", "patchRun", "deleteRun", "finishRun", "postEvals", "postRows", "deleteRows", "postLive"],
]);

function rateClass(route: Pick<Route, "method" | "path">): RateClass {
  if (route.method === "GET") return "read";
  return /\/(log|train)$/.test(route.path) && route.path.startsWith("/runs/") ? "log" : "write";
}

/** Address that a request came from; what a proxy says of it is believed only where the operator runs one. */
export function addressOf(context: Context<Env>, trustProxy: boolean): string {
  const forwarded = trustProxy ? context.req.header("x-forwarded-for")?.split(",")[0]?.trim() : undefined;
  return forwarded || context.env?.incoming?.socket?.remoteAddress || "unknown";
}

/** Where this server is reached, without a slash at the end: as its operator says, else as the request has it. */
export function originOf(context: Context<Env>, { publicUrl, trustProxy }: Settings): string {
  if (publicUrl !== null) return publicUrl;
  const { protocol, host } = new URL(context.req.url);
  const forwarded = trustProxy ? context.req.header("x-forwarded-proto")?.split(",")[0]?.trim() : undefined;
  return `${forwarded === "https" ? "https:" : protocol}//${host}`;
}

/** What the contract refuses, as an answer. */
function refused(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { field } = error;
  return new HttpError(error.code as ErrorCode, error.message, field === null ? {} : { field });
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw refused(error);
  }
}

/** A text, or the list of them where one name came more than once. */
function parametersOf(request: Request): Record<string, string | string[]> {
  const parameters = new Map<string, string | string[]>();
  for (const [name, value] of new URL(request.url).searchParams) {
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(parameters);
}

type Handler<Body, Answer, Query> = (asked: AskedWithKey<Body, Query>) => Answered<Answer>;
type OpenHandler<Body, Answer, Query> = (asked: Asked<Body, Query>) => Answered<Answer>;

/** Mounts a call that needs a key (or a session), behind its scopes, caps, limits and the repeat of requests. */
export function mount<Body, Answer, Query>(
  mounting: Mounting,
  route: Route<Body, Answer, Query>,
  handler: Handler<Body, Answer, Query>,
): void {
  serve(mounting, route, async (context, asked, text) => {
    const { services, limiter } = mounting;
    const shown = shownKey(context.req.raw.headers);
    if (shown === null) {
      throw new HttpError("invalid_key", "No key came with this call. Run wai login, or send X-Api-Key.");
    }
    const caller = await authenticate(services, shown.key);
    if (shown.cookie && route.method !== "GET") checkCsrf(services, shown.key, context.req.header(CSRF_HEADER));
    if (route.auth === "session" && caller.kind !== "session") {
      throw new HttpError("scope_missing", "This call wants a signed-in person and not a key. Sign in on the pages.");
    }
    checkScope(caller, route.scopes);
    take(limiter, caller.keyId, rateClass(route), services.now(), context);
    const body = readBody(route, text);
    const query = readQuery(route, context);
    const audited = route.method !== "GET" && rateClass(route) !== "log";
    const audit = (db: Db) =>
      writeAudit(db, {
        at: isoTime(services.now()),
        account_id: caller.accountId,
        key_id: caller.keyId,
        address: asked.address,
        action: route.id,
        resource: context.req.path.slice(0, 400),
        request_id: context.get("requestId"),
        detail: null,
      });
    const oneCommit = audited && ONE_COMMIT.has(route.id);
    const work = () => {
      if (!oneCommit) return handler({ ...asked, caller, body, query });
      return services.db.transaction().execute(async (db) => {
        const answer = await handler({ ...asked, services: { ...services, db }, caller, body, query });
        await audit(db);
        return answer;
      });
    };
    const repeatKey = context.req.header("idempotency-key") ?? "";
    const reply =
      route.method === "GET" || repeatKey === "" || SECRET_ANSWERS.has(route.id)
        ? await answered(mounting, route, work)
        : await repeated(mounting, route, { caller, key: repeatKey.slice(0, 200), body: text, context }, work);
    if (audited && !oneCommit) await audit(services.db);
    return reply;
  });
}

/** Mounts a call that anybody may make: limited by address. */
export function mountOpen<Body, Answer, Query>(
  mounting: Mounting,
  route: Route<Body, Answer, Query>,
  handler: OpenHandler<Body, Answer, Query>,
): void {
  serve(mounting, route, async (context, asked, text) => {
    const kind = route.method === "GET" ? "read" : "open";
    take(mounting.limiter, asked.address, kind, mounting.services.now(), context);
    const body = readBody(route, text);
    return answered(mounting, route, () => handler({ ...asked, body, query: readQuery(route, context) }));
  });
}

type Serving = (
  context: Context<Env>,
  asked: Omit<Asked<never, never>, "body" | "query">,
  text: string,
) => Promise<Response>;

function serve<Body, Answer, Query>(
  { app, services, mounted }: Mounting,
  route: Route<Body, Answer, Query>,
  serving: Serving,
): void {
  mounted.add(route.id);
  app.on(route.method, route.path.replace(/\{(\w+)\}/g, ":$1"), async (context) => {
    const { settings } = services;
    if (decodeURIComponentOr(context.req.url).includes("\0")) {
      throw new HttpError("invalid_request", "The address holds the character U+0000. No name has it.");
    }
    // A body that is no JSON is read by its handler, chunk by chunk.
    const text = isJsonBody(route) ? await readText(context.req.raw, route.maxBytes) : "";
    return serving(
      context,
      {
        services,
        params: context.req.param() as Record<string, string>,
        request: context.req.raw,
        requestId: context.get("requestId"),
        address: addressOf(context, settings.trustProxy),
        origin: originOf(context, settings),
      },
      text,
    );
  });
}

/** The address in clear, or as it came where it is no proper escape. */
function decodeURIComponentOr(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

/** @throws HttpError `rate_limited` */
export function take(limiter: RateLimiter, who: string, kind: RateClass, nowMs: number, context: Context<Env>): void {
  const { limit, remaining, waitS } = limiter.take(who, kind, nowMs);
  context.header("ratelimit-limit", String(limit));
  context.header("ratelimit-remaining", String(remaining));
  if (waitS > 0) {
    throw new HttpError("rate_limited", `More than ${limit} calls of this kind in a minute. Try again in ${waitS} s.`, {
      retryAfterS: waitS,
    });
  }
}

/** Other bodies are rows on their way to the blobs: the handler takes them chunk by chunk. */
function isJsonBody<Body, Answer, Query>(route: Route<Body, Answer, Query>): boolean {
  return route.body !== null && route.bodyType === "application/json";
}

function readBody<Body, Answer, Query>(route: Route<Body, Answer, Query>, text: string): Body {
  if (route.body === null || !isJsonBody(route)) return null as Body;
  const value = parseJson(text, { nul: KEPT_AS_JSON.has(route.tag) });
  return parsed(() => parseBody(route, value === undefined ? {} : value));
}

function readQuery<Body, Answer, Query>(route: Route<Body, Answer, Query>, context: Context<Env>): Query {
  return parsed(() => parseQuery(route, parametersOf(context.req.raw)));
}

async function answered<Body, Answer, Query>(
  { checkAnswers }: Mounting,
  route: Route<Body, Answer, Query>,
  work: () => Answered<Answer>,
): Promise<Response> {
  const answer = await work();
  if (answer instanceof Response) return answer;
  if (checkAnswers) {
    const result = route.answer.safeParse(JSON.parse(JSON.stringify(answer)));
    if (!result.success) throw new TypeError(`${route.id} answers against its contract: ${result.error.message}`);
  }
  return json(JSON.stringify(answer), route.status);
}

function json(text: string, status: number): Response {
  return new Response(text, { status, headers: { "content-type": "application/json" } });
}

async function repeated<Body, Answer, Query>(
  mounting: Mounting,
  route: Route<Body, Answer, Query>,
  { caller, key, body, context }: { caller: Caller; key: string; body: string; context: Context<Env> },
  work: () => Answered<Answer>,
): Promise<Response> {
  const request = { accountId: caller.accountId, method: route.method, path: context.req.path, key, body };
  const { status, text, replayed } = await once(mounting.services, request, async () => {
    const response = await answered(mounting, route, work);
    return { status: response.status, text: await response.text() };
  });
  const response = json(text, status);
  if (replayed) response.headers.set("idempotency-replayed", "true");
  return response;
}

/** An id of the request: the caller's own where it is one, so that both sides find the same line in their logs. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : randomUUID();
}
