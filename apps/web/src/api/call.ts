import { fillPath, type Route } from "@while/platform-client/contract";
import { randomKey } from "./random-key.ts";
import { noAnswer, refusalOf } from "./refusal.ts";

export interface CallOptions<Body = unknown, Query = unknown> {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: Body;
  signal?: AbortSignal;
}

/**
 * Sends a call of the contract with the session of this browser.
 *
 * @throws Refusal with the platform's words
 */
export async function call<Body, Answer, Query>(
  route: Route<Body, Answer, Query>,
  { params = {}, query, body, signal }: CallOptions<Body, Query> = {},
): Promise<Answer> {
  const response = await send(fillPath(route.path, params) + queryText(query), {
    method: route.method,
    headers: headersOf(route.method, body !== undefined),
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (!response.ok) throw await refusalOf(response);
  return (route.answerType === "application/json" ? response.json() : response.text()) as Promise<Answer>;
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw noAnswer();
  }
}

/** The session's cookie is sent by the browser; what changes something also shows that it comes from this page. */
function headersOf(method: string, json: boolean): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (json) headers["Content-Type"] = "application/json";
  if (method === "GET") return headers;
  const token = /(?:^|;\s*)while_csrf=([^;]+)/.exec(document.cookie)?.[1];
  if (token !== undefined) headers["X-CSRF-Token"] = decodeURIComponent(token);
  headers["Idempotency-Key"] = randomKey();
  return headers;
}

/** A list is its key again for each item; what is absent or empty is left out. */
export function queryText(query: unknown): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries((query ?? {}) as Record<string, unknown>)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") search.append(key, String(one));
    }
  }
  return search.size === 0 ? "" : `?${search}`;
}
