import { Hono } from "hono";
import { GateQueue } from "./datasets/gate-queue.ts";
import { errorResponse, HttpError } from "./http/http-error.ts";
import { type Env, type Mounting, requestIdOf } from "./http/mount.ts";
import { packedAnswer } from "./http/packed-answer.ts";
import { RateLimiter, type RateLimits } from "./http/rate-limits.ts";
import { accountRoutes } from "./routes/account.ts";
import { agentRoutes } from "./routes/agents.ts";
import { behaviorRoutes } from "./routes/behaviors.ts";
import { blobRoutes } from "./routes/blobs.ts";
import { catalogRoutes } from "./routes/catalog.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { datasetPartRoutes } from "./routes/dataset-parts.ts";
import { datasetRoutes } from "./routes/datasets.ts";
import { deviceRoutes } from "./routes/device.ts";
import { experimentRoutes } from "./routes/experiment.ts";
import { figureRoutes } from "./routes/figures.ts";
import { keyRoutes } from "./routes/keys.ts";
import { liveRoutes } from "./routes/live.ts";
import { runRoutes } from "./routes/runs.ts";
import { scoreRoutes } from "./routes/scores.ts";
import { serviceRoutes } from "./routes/service.ts";
import { sessionRoutes } from "./routes/sessions.ts";
import { traceRoutes } from "./routes/traces.ts";
import { type ServerMetrics, serverMetrics } from "./server-metrics.ts";
import type { Services } from "./services.ts";
import { pagesFolder } from "./static/pages-folder.ts";
import { policyReports } from "./static/policy-reports.ts";
import { servePages } from "./static/serve-pages.ts";

export interface AppOptions {
  rateLimits?: RateLimits;
  /** Checks each answer against the contract: for tests. */
  checkAnswers?: boolean;
  /** How long an answer waits for the gate that reads its set, in milliseconds. */
  gateWaitMs?: number;
}

export interface App {
  fetch: Hono<Env>["fetch"];
  request: Hono<Env>["request"];
  /** Ids of the calls that are answered. */
  mounted: ReadonlySet<string>;
  /** Reads finalized sets behind the answers; who opened the services starts and stops it. */
  gates: GateQueue;
}

/** Headers for every answer: an API is neither framed, sniffed, run nor cached, nor read by another site's page. */
const HEADERS: readonly (readonly [string, string])[] = [
  ["x-content-type-options", "nosniff"],
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'"],
  ["cross-origin-resource-policy", "same-origin"],
  ["referrer-policy", "no-referrer"],
  ["cache-control", "no-store"],
];

/** The HTTP side of the server, over services that are already open. Nothing here listens, so tests call it directly. */
export function createApp(services: Services, { rateLimits, checkAnswers = false, gateWaitMs }: AppOptions = {}): App {
  const app = new Hono<Env>();
  const metrics: ServerMetrics = serverMetrics();
  const gates = new GateQueue(services, { waitMs: gateWaitMs });
  const mounting: Mounting = { app, services, limiter: new RateLimiter(rateLimits), checkAnswers, mounted: new Set() };

  app.use(async (context, next) => {
    const began = performance.now();
    context.set("requestId", requestIdOf(context.req.header("x-request-id")));
    await next();
    context.res = await packedAnswer(context.res, context.req.header("accept-encoding") ?? "");
    for (const [name, value] of HEADERS) if (!context.res.headers.has(name)) context.res.headers.set(name, value);
    context.res.headers.set("x-request-id", context.get("requestId"));
    const { method, routePath } = context.req;
    const ms = performance.now() - began;
    metrics.answered({ method, route: routePath, status: context.res.status, seconds: ms / 1000 });
    services.log.info("request", {
      id: context.get("requestId"),
      method,
      // The route and not the path: a link's token is a permission.
      route: routePath,
      status: context.res.status,
      ms: Math.round(ms * 10) / 10,
    });
  });

  app.onError((error, context) => {
    const requestId = context.get("requestId");
    if (error instanceof HttpError) return errorResponse(error, requestId);
    services.log.error("failed", {
      id: requestId,
      route: context.req.routePath,
      error: error.message,
      stack: error.stack,
    });
    return errorResponse(
      new HttpError("internal", "The server failed. Its log has the reason under this request id."),
      requestId,
    );
  });

  const page = servePages(services.settings.pagesDir ?? pagesFolder());
  app.notFound(async (context) => {
    const answer = await page(context.req);
    if (answer !== null) return answer;
    const error = new HttpError("not_found", "There is no such call. GET /openapi.json lists them.");
    return errorResponse(error, context.get("requestId"));
  });

  serviceRoutes(mounting, metrics);
  accountRoutes(mounting);
  sessionRoutes(mounting);
  deviceRoutes(mounting);
  keyRoutes(mounting);
  datasetRoutes(mounting, gates);
  datasetPartRoutes(mounting);
  blobRoutes(mounting);
  agentRoutes(mounting);
  behaviorRoutes(mounting);
  experimentRoutes(mounting);
  figureRoutes(mounting);
  liveRoutes(mounting);
  runRoutes(mounting);
  scoreRoutes(mounting);
  dashboardRoutes(mounting);
  traceRoutes(mounting);
  catalogRoutes(mounting);
  policyReports(mounting, metrics);
  return { fetch: app.fetch, request: app.request, mounted: mounting.mounted, gates };
}
