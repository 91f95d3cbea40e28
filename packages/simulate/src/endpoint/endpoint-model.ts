import { sha256Hex } from "@while/schema";
import type { Model, ModelAnswer, ModelRequest } from "../agent/model.ts";
import { unitDraw } from "../draw.ts";
import { AdaptiveLimiter } from "../limiter/adaptive-limiter.ts";
import { SimulateError } from "../simulate-error.ts";
import { anthropicDialect } from "./anthropic-dialect.ts";
import { CallFailure } from "./call-failure.ts";
import { completionKey } from "./completion-cache.ts";
import type { Dialect, DialectSettings } from "./dialect.ts";
import { type EndpointFacts, endpointFacts } from "./endpoint-facts.ts";
import { keyOf } from "./endpoint-key.ts";
import { checkEndpointOptions, type EndpointOptions } from "./endpoint-options.ts";
import type { EndpointReport } from "./endpoint-report.ts";
import { type CallTimeouts, exchange } from "./exchange.ts";
import { costUsd, type ModelPrice, priceOf } from "./model-price.ts";
import { openAiDialect } from "./openai-dialect.ts";
import { type EndpointAddress, parseEndpoint } from "./parse-endpoint.ts";

/** A model behind HTTP. */
export type EndpointModel = Model & {
  readonly endpoint: Readonly<EndpointAddress>;
  readonly contextTokens: number | null;
  report(): EndpointReport;
  /**
   * Asks the server what it is, before a run depends on it.
   *
   * @throws SimulateError `endpoint_unreachable`, `agent_auth_failed`
   */
  inspect(signal?: AbortSignal): Promise<EndpointFacts>;
};

const TIMEOUTS: CallTimeouts = { firstTokenMs: 300_000, idleMs: 60_000, wholeMs: 900_000 };
const RETRIES = 6;
const PATIENCE_MS = 900_000;
/** What a chat template puts around messages and tools, before a server has counted it. */
const TEMPLATE_TOKENS = 256;
/** Of English; other languages have fewer, and are corrected by what the server counts. */
const BYTES_A_TOKEN = 4;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** A server that has never answered is given up after so many calls in a row that found nobody. */
const NOBODY_AFTER = 4;

/**
 * A model behind HTTP as a function from messages to an answer: `openai:gpt-4o-mini`, `anthropic:…`, `ollama:…`,
 * `vllm:NAME@URL`, or an address with `model` beside it.
 *
 * Calls queue on one limiter for each server and key, which finds out how many at once are welcome. What breaks on the
 * way (connection, 408, 409, 429, 5xx, time) is tried again with the same words, a bounded number of times. What comes of
 * it is told apart by the code of what is thrown: `infrastructure`, `context_overflow`, and those that end a run
 * (`agent_auth_failed`, `agent_quota_exceeded`, `endpoint_refused`, `endpoint_unreachable`).
 *
 * @throws SimulateError `bad_endpoint`, `bad_option`, `no_key`
 */
export function endpointModel(spec: string, options: EndpointOptions = {}): EndpointModel {
  checkEndpointOptions(options);
  const env = options.env ?? (typeof process === "undefined" ? {} : process.env);
  const { model: name } = options;
  const address = parseEndpoint(spec, { env, ...(name === undefined ? {} : { model: name }) });
  const endpoint = new Endpoint(address, keyOf(address, options, env), options);
  const model = (request: ModelRequest): Promise<ModelAnswer> => endpoint.call(request);
  return Object.assign(model, {
    modelName: address.model,
    provider: address.provider,
    endpoint: address,
    contextTokens: options.contextTokens ?? null,
    report: () => endpoint.report(),
    inspect: (signal?: AbortSignal) => endpoint.inspect(signal),
    mostUsd: (request: ModelRequest) => endpoint.mostUsd(request),
  });
}

/** One limiter for each server and key, whichever models and runs of this process call it. */
const LIMITERS = new Map<string, AdaptiveLimiter>();

class Endpoint {
  private readonly address: EndpointAddress;
  private readonly options: EndpointOptions;
  private readonly dialect: Dialect;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly limiter: AdaptiveLimiter;
  private readonly price: ModelPrice | null;
  private readonly refused = new Set<string>();
  private readonly retriedBy: Record<string, number> = {};
  private overhead = TEMPLATE_TOKENS;
  private calls = 0;
  private hasSucceeded = false;
  private hits = 0;
  private misses = 0;

  constructor(address: EndpointAddress, key: string | null, options: EndpointOptions) {
    this.address = address;
    this.options = options;
    this.dialect = address.api === "anthropic" ? anthropicDialect : openAiDialect;
    this.headers = { ...this.dialect.headers(key), ...options.headers };
    this.price = priceOf(address.model, options.prices);
    const home = sha256Hex(`${address.url}\n${address.model}\n${key ?? ""}`);
    this.limiter = LIMITERS.get(home) ?? new AdaptiveLimiter();
    LIMITERS.set(home, this.limiter);
    if (options.callsAtOnce !== undefined) this.limiter.allow(options.callsAtOnce);
    if (options.perMinute !== undefined) this.limiter.allowPerMinute(options.perMinute);
  }

  async call(request: ModelRequest): Promise<ModelAnswer> {
    const { cache } = this.options;
    const { sample } = request;
    if (cache === undefined) return this.priced(await this.ask(request));
    // A call that nothing tells from another one that says the same is never answered by that one's answer.
    if (sample === undefined) {
      this.misses++;
      if (cache.replayOnly) throw this.notKept();
      return this.priced(await this.ask(request));
    }
    // How the answer travels, and what this server was found not to take, is no part of what is asked.
    const asked = this.dialect.body(request, { ...this.settings(), stream: false, refused: new Set() });
    const key = completionKey(this.address.url, asked, sample);
    const found = await cache.get(key);
    if (found !== null) {
      this.hits++;
      return { ...this.priced(found), isReplayed: true };
    }
    this.misses++;
    if (cache.replayOnly) throw this.notKept();
    const answer = await this.ask(request);
    await cache.set(key, answer);
    return this.priced(answer);
  }

  private notKept(): SimulateError {
    const what = `The cache of completions has no answer to a call of ${this.address.model}.`;
    const fix = "Run it once with the network; a call is found when it says the same, in the same rollout.";
    return new SimulateError("endpoint_refused", what, fix);
  }

  report(): EndpointReport {
    const { model, provider } = this.address;
    // What stands in a query may be a key.
    const url = this.address.url.split("?", 1)[0]!;
    return {
      ...{ model, provider, url, calls: this.calls, retriedBy: { ...this.retriedBy } },
      cache: this.options.cache === undefined ? null : { hits: this.hits, misses: this.misses },
      callsAtOnce: this.limiter.limit,
      notSent: [...this.refused].filter((name) => name !== "max_tokens").sort(),
      price: this.price,
    };
  }

  async inspect(signal?: AbortSignal): Promise<EndpointFacts> {
    const { url, model } = this.address;
    const { fetch = globalThis.fetch } = this.options;
    try {
      return await endpointFacts({ url, model, headers: this.headers, fetch, signal });
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      throw this.errorOf(error, { isNobody: true });
    }
  }

  /** A text of n bytes is at most n tokens; what a server puts around it is learned from what it has counted. */
  mostUsd(request: ModelRequest): number | null {
    const inputTokens = bytesOf(this.dialect.body(request, this.settings())) + this.overhead;
    return costUsd(this.price, { inputTokens, outputTokens: request.maxTokens ?? 0 });
  }

  private priced(answer: ModelAnswer): ModelAnswer {
    return { ...answer, costUsd: costUsd(this.price, answer) };
  }

  /** Asks until there is an answer, or no more sense in it. */
  private async ask(request: ModelRequest): Promise<ModelAnswer> {
    const { retries = RETRIES, patienceMs = PATIENCE_MS } = this.options;
    let waited = 0;
    let broken = 0;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.askOnce(request);
        if (answer !== null) return answer;
      } catch (error) {
        if (!(error instanceof CallFailure)) throw error;
        const { kind } = error;
        if (kind === "filtered") return { text: "", finishReason: "content_filter" };
        if (kind !== "limited" && kind !== "broken" && kind !== "unreachable") throw this.errorOf(error, { request });
        if (kind !== "limited") broken++;
        const isNew = kind === "unreachable" && !this.limiter.isKnown && broken >= NOBODY_AFTER;
        const isNobody = isNew || (this.limiter.downForMs ?? 0) > patienceMs;
        const wait = this.waitOf(error, request, attempt);
        // Too many calls are no fault of this one: it waits its turn as long as its patience lasts.
        if (isNobody || broken > retries || waited + wait > patienceMs)
          throw this.errorOf(error, { request, attempt, isNobody });
        this.retriedBy[kind] = (this.retriedBy[kind] ?? 0) + 1;
        waited += wait;
        const { signal, waiting = whatever } = request;
        await waiting(() => sleep(wait, signal));
      }
    }
  }

  /** null when the server does not know a parameter by name, and is to be asked without it. */
  private async askOnce(request: ModelRequest): Promise<ModelAnswer | null> {
    const { signal, traceparent, waiting = whatever } = request;
    const release = await waiting(() => this.limiter.acquire(signal, this.tokensOf(request)));
    let taken: number | undefined;
    const settings = { ...this.settings(), refused: new Set(this.refused) };
    this.calls++;
    const body = JSON.stringify(this.dialect.body(request, settings));
    try {
      const { answer, spentForMs } = await exchange({
        ...{ url: this.address.url, dialect: this.dialect, settings, signal },
        headers: { ...this.headers, ...(traceparent === undefined ? {} : { traceparent }) },
        body,
        timeouts: { ...TIMEOUTS, ...this.options.timeouts },
        // Looked up at each call, so that what replaces it is used.
        fetch: this.options.fetch ?? globalThis.fetch,
        date: Date.now,
      });
      this.limiter.saw("ok", spentForMs);
      this.hasSucceeded = true;
      this.overhead = Math.max(this.overhead, (answer.inputTokens ?? 0) - body.length);
      if (answer.inputTokens !== undefined) taken = answer.inputTokens + (answer.outputTokens ?? 0);
      return answer;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      const { kind, retryAfterMs } = error;
      // An answer that refuses is an answer: the server is there.
      if (kind === "limited") this.limiter.saw("limited", retryAfterMs);
      else this.limiter.saw(kind === "broken" || kind === "unreachable" ? "broken" : "ok");
      if (kind === "refused" && this.adapt(error, settings.refused)) return null;
      throw error;
    } finally {
      release(taken);
    }
  }

  /** What a call is thought to take of a minute's tokens: its words, and all that it may be answered. */
  private tokensOf(request: ModelRequest): number {
    if (!this.limiter.countsTokens) return 0;
    return Math.ceil(bytesOf(this.dialect.body(request, this.settings())) / BYTES_A_TOKEN) + (request.maxTokens ?? 0);
  }

  private settings(): DialectSettings {
    const { stream = true, logprobs = false, textToolCalls = false, thinking, extra = {} } = this.options;
    return { model: this.address.model, refused: this.refused, stream, logprobs, textToolCalls, thinking, extra };
  }

  /** Leaves out, or renames, a parameter that was sent and that the server does not know; false when it named none. */
  private adapt({ status, message }: CallFailure, sentWithout: ReadonlySet<string>): boolean {
    if (status !== 400 && status !== 422) return false;
    const named = this.dialect.optional.find((name) => !sentWithout.has(name) && mentions(message, name));
    if (named === undefined) return false;
    this.refused.add(named);
    return true;
  }

  /** What a server asks for; else a drawn time below a bound that doubles, so that many do not come back at once. */
  private waitOf({ retryAfterMs }: CallFailure, { sample = "" }: ModelRequest, attempt: number): number {
    const bound = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
    const drawn = bound * unitDraw(`retry:${this.calls}:${sample}:${attempt}`);
    return retryAfterMs === null ? drawn : retryAfterMs + Math.min(drawn, FIRST_WAIT_MS);
  }

  private errorOf(
    failure: CallFailure,
    { request, attempt = 1, isNobody = false }: { request?: ModelRequest; attempt?: number; isNobody?: boolean },
  ): SimulateError {
    const { url, model, keyNames } = this.address;
    const { kind, status, message: said, retryAfterMs } = failure;
    const where = `${model} at ${new URL(url).origin}`;
    const tries = attempt > 1 ? ` after ${attempt} tries` : "";
    const cause = { cause: failure };
    const error = (code: SimulateError["code"], what: string, fix: string) => new SimulateError(code, what, fix, cause);
    switch (kind) {
      case "auth": {
        const key = this.options.keyEnv ?? keyNames[0];
        const fix = key === undefined ? "Give its key." : `Look at ${key}, and at what the key may do.`;
        return error("agent_auth_failed", `${where} refused the key: ${said}.`, fix);
      }
      case "quota":
        return error(
          "agent_quota_exceeded",
          `${where} has no quota left: ${said}.`,
          "Add to it, or wait until it opens again.",
        );
      case "overflow":
        return error(
          "context_overflow",
          `The conversation is longer than the window of ${where}: ${said}.`,
          "Use a model with a larger one.",
        );
      case "refused":
        // A server that has taken other calls means this conversation, and not how it is called.
        if (request !== undefined && this.hasSucceeded && (status === 400 || status === 422)) {
          return isMalformed(request)
            ? error(
                "bad_model",
                `${where} refused a conversation with a malformed call: ${said}.`,
                "The model wrote it.",
              )
            : error("infrastructure", `${where} refused this conversation: ${said}.`, "Mend what it names.");
        }
        return error(
          "endpoint_refused",
          `${where} refused the request: ${said}.`,
          "Mend what it names: address, model or options.",
        );
      case "limited": {
        const asks = retryAfterMs === null ? "" : `, and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
        return error(
          "infrastructure",
          `${where} had too many calls${tries}${asks}: ${said}.`,
          "Raise patienceMs, or lower concurrency.",
        );
      }
      default:
        if (isNobody) {
          return error(
            "endpoint_unreachable",
            `${where} cannot be reached: ${said}.`,
            "Is the server running, and is that its address?",
          );
        }
        return error(
          "infrastructure",
          `${where} did not answer${tries}: ${said}.`,
          "Look at the endpoint, or lower concurrency.",
        );
    }
  }
}

const whatever = <Result>(work: () => Promise<Result>): Promise<Result> => work();

function bytesOf(body: Readonly<Record<string, unknown>>): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}

/** Whether the model has written arguments that are no JSON in this conversation. */
function isMalformed({ messages }: ModelRequest): boolean {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
  return calls.some(({ arguments: given }) => {
    try {
      JSON.parse(given || "{}");
      return false;
    } catch {
      return true; // That is what is asked.
    }
  });
}

/** Whether a sentence names a parameter, and not only a longer one that ends so. */
function mentions(message: string, name: string): boolean {
  return new RegExp(`(?<![a-z_])${name}(?![a-z_])`, "i").test(message);
}

/** @throws The reason of the signal */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) return end();
    signal?.addEventListener("abort", end, { once: true });
  });
}
