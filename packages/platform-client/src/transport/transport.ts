import ky, { HTTPError, TimeoutError } from "ky";
import { fillPath, type Method, type Route } from "../contract/route.ts";
import { PlatformError } from "../platform-error.ts";
import { type Credential, checkOrigin } from "../sign-in/credentials.ts";
import { idempotencyKey } from "./idempotency-key.ts";
import { noAnswer, refusedBy } from "./refused-by.ts";

/** Version that the client names in its calls. */
const CLIENT_VERSION = "0.1";

/** Seconds that a call may take, with its retries. */
const TIMEOUT_S = 120;

const RETRIES = 3;
const RETRY_STATUSES = [408, 425, 429, 500, 502, 503, 504];
/** A platform that asks for more patience is answered with its refusal. */
const RETRY_AFTER_MAX_MS = 60_000;

/** Replaces the network: for tests, recordings and hosts that route calls themselves. */
export type Exchange = (method: Method, path: string, body: unknown) => Promise<unknown>;

export interface TransportOptions {
  /** Address of the platform. */
  baseUrl: string;
  credential: () => Promise<Credential | null>;
  fetch?: typeof fetch | undefined;
  exchange?: Exchange | undefined;
  timeoutS?: number | undefined;
  /** False sends each call once. */
  retry?: boolean | undefined;
}

/** What one call carries beside its route. */
export interface CallOptions<Body = unknown, Query = unknown> {
  params?: Readonly<Record<string, string>>;
  query?: Query;
  body?: Body;
  /** The same text for the same act: a repeated call does nothing twice. */
  idempotencyKey?: string;
  timeoutS?: number;
  retry?: boolean;
  /** A session in place of the key. */
  bearer?: string;
  headers?: Readonly<Record<string, string>>;
}

/** A call before it is sent: all of it that is written down when the platform is away. */
export interface RawCall {
  method: Method;
  path: string;
  body: unknown;
  idempotencyKey: string;
}

/**
 * The one way out: everything the client says to a platform goes through `call`, which adds the key, repeats what may
 * be repeated, and turns every refusal into a `PlatformError`.
 */
export class Transport {
  readonly baseUrl: string;
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, "");
    this.#options = options;
  }

  /**
   * Sends a call of the contract and returns the platform's answer as it came.
   *
   * @throws PlatformError with the platform's word, `no_key`, `unreachable`, `foreign_origin`
   */
  async call<Body, Answer, Query>(
    route: Route<Body, Answer, Query>,
    options: CallOptions<Body, Query> = {},
  ): Promise<Answer> {
    const path = fillPath(route.path, options.params ?? {}) + queryText(options.query);
    const auth = options.bearer === undefined && route.auth === "key";
    const headers = await this.#headers(auth, options);
    return (await this.#send(route.method, path, options.body, headers, options)) as Answer;
  }

  /** Sends a call that was written down, once: who keeps it decides when to try again. */
  async sendRaw({ method, path, body, idempotencyKey }: RawCall, timeoutS: number): Promise<unknown> {
    const headers = await this.#headers(true, { idempotencyKey });
    return this.#send(method, path, body, headers, { timeoutS, retry: false });
  }

  /**
   * Opens a call whose answer is read as it comes.
   *
   * @throws PlatformError as `call`
   */
  async open<Query>(
    route: Route<null, string, Query>,
    { params = {}, headers, signal }: CallOptions<null, Query> & { signal?: AbortSignal | undefined },
  ): Promise<ReadableStream<Uint8Array>> {
    const path = fillPath(route.path, params);
    const place = { method: route.method, path, baseUrl: this.baseUrl };
    let response: Response;
    const sent = await this.#headers(true, headers === undefined ? {} : { headers });
    try {
      response = await this.fetch(this.baseUrl + path, { headers: sent, redirect: "manual", signal: signal ?? null });
    } catch (error) {
      throw noAnswer(error, { ...place, timedOut: false, timeoutS: 0 });
    }
    if (!response.ok || response.body === null) throw await refusedBy(response, place);
    return response.body;
  }

  async #headers(auth: boolean, options: CallOptions): Promise<Record<string, string>> {
    const headers: Record<string, string> = { "User-Agent": `while-ts/${CLIENT_VERSION}`, ...options.headers };
    if (options.idempotencyKey !== undefined) headers["Idempotency-Key"] = options.idempotencyKey;
    if (options.bearer !== undefined) headers.Authorization = `Bearer ${options.bearer}`;
    if (!auth || this.#options.exchange !== undefined) return headers;
    const credential = await this.#options.credential();
    if (credential === null) throw noKey();
    checkOrigin(credential, this.baseUrl);
    headers["X-Api-Key"] = credential.key;
    return headers;
  }

  async #send(
    method: Method,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    { timeoutS = this.#options.timeoutS ?? TIMEOUT_S, retry = this.#options.retry ?? true }: CallOptions,
  ): Promise<unknown> {
    const { exchange } = this.#options;
    if (exchange !== undefined) return (await exchange(method, path, body)) ?? {};
    const place = { method, path: path.split("?", 1)[0]!, baseUrl: this.baseUrl };
    // A key of its own makes a repeated call harmless, so that every method may be tried again.
    const once = { "Idempotency-Key": idempotencyKey(), ...headers };
    try {
      const response = await ky(this.baseUrl + path, {
        method,
        headers: method === "GET" ? headers : once,
        ...(body === undefined || body === null ? {} : { json: body }),
        ...(this.#options.fetch === undefined ? {} : { fetch: this.#options.fetch }),
        // The key must not follow a redirect to another host.
        redirect: "manual",
        timeout: timeoutS * 1000,
        retry: {
          limit: retry ? RETRIES : 0,
          methods: ["get", "post", "put", "patch", "delete"],
          statusCodes: RETRY_STATUSES,
          afterStatusCodes: [429, 503],
          maxRetryAfter: RETRY_AFTER_MAX_MS,
          backoffLimit: 20_000,
          delay: (attempt) => 500 * 2 ** (attempt - 1),
          jitter: true,
        },
      });
      return await answerOf(response, place);
    } catch (error) {
      if (error instanceof PlatformError) throw error;
      if (error instanceof HTTPError) throw await refusedBy(error.response, place);
      throw noAnswer(error, { ...place, timedOut: error instanceof TimeoutError, timeoutS });
    }
  }

  /** Plain `fetch` for addresses that carry their own permission; no header of ours goes there. */
  get fetch(): typeof fetch {
    return this.#options.fetch ?? ((...request) => fetch(...request));
  }
}

async function answerOf(response: Response, place: { method: string; path: string }): Promise<unknown> {
  const text = await response.text();
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PlatformError(
      "bad_answer",
      `${place.method} ${place.path} answered ${response.status} with ${JSON.stringify(text.slice(0, 80))}, which is no JSON.`,
      "Is the address that of a platform, and not of its pages or a proxy?",
      { ...place, status: response.status, cause },
    );
  }
}

function queryText(query: unknown): string {
  const pairs = Object.entries((query ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const values = Array.isArray(value) ? value : [value];
    return values.map((one) => [name, typeof one === "boolean" ? (one ? "1" : "0") : String(one)] as [string, string]);
  });
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function noKey(): PlatformError {
  return new PlatformError(
    "no_key",
    "There is no key for the platform.",
    "Sign in with wai login, set WHILEAI_API_KEY, or pass apiKey.",
    { status: 401 },
  );
}
