import { checkOptions, type Json } from "@while/schema";
import { SimulateError } from "../simulate-error.ts";
import type { CompletionCache } from "./completion-cache.ts";
import type { CallTimeouts } from "./exchange.ts";
import type { ModelPrice, PriceBook } from "./model-price.ts";

/** How an endpoint is called. */
export interface EndpointOptions {
  /** The model's name there, where the endpoint is an address. */
  model?: string;
  /** Sent to the endpoint and nowhere else; else what `keyEnv` names, else the provider's own variable. */
  apiKey?: string;
  /** The variable that holds the key. */
  keyEnv?: string;
  headers?: Readonly<Record<string, string>>;
  /** Reads answers as they come (the default), so that a long one is no silence. */
  stream?: boolean;
  timeouts?: Partial<CallTimeouts>;
  /** Tries more for a call that broke. What is asked stays the same. */
  retries?: number;
  /** Longest wait of one call for a server that has too many, or is down, in milliseconds. */
  patienceMs?: number;
  /** Calls at once to begin with, and at most; all models of one key on one server share them. */
  callsAtOnce?: { start?: number; most?: number };
  /**
   * What the key allows in any minute, where one knows it: calls wait for it instead of being refused. A call counts as
   * its words and the answer it may get, and as what it took once it is answered. Shared as `callsAtOnce` is.
   */
  perMinute?: { requests?: number; tokens?: number };
  prices?: ModelPrice | PriceBook;
  cache?: CompletionCache;
  logprobs?: boolean;
  /** Reads calls that the model wrote as text, for servers that do not. */
  textToolCalls?: boolean;
  /** Turns thinking on or off by `chat_template_kwargs`, where the model's template knows that. */
  thinking?: boolean;
  /** Merged into each request, last. */
  extra?: Readonly<Record<string, Json>>;
  /** The window of the model, which bounds the turns of a conversation. */
  contextTokens?: number;
  /** Where keys are looked for; the process's own variables when left out. */
  env?: Readonly<Record<string, string | undefined>>;
  fetch?: typeof fetch;
}

// biome-ignore format: a list to look things up in
export const ENDPOINT_OPTIONS: readonly string[] = [
  "model", "apiKey", "keyEnv", "headers", "stream", "timeouts", "retries", "patienceMs", "callsAtOnce", "perMinute",
  "prices", "cache", "logprobs", "textToolCalls", "thinking", "extra", "contextTokens", "env", "fetch",
];

/**
 * Refuses options that an endpoint does not have, and numbers that are none.
 *
 * @throws SimulateError `bad_option`
 */
export function checkEndpointOptions(options: EndpointOptions): void {
  checkOptions(options, ENDPOINT_OPTIONS, (what, fix) => new SimulateError("bad_option", what, fix));
  const { retries, patienceMs, contextTokens, timeouts = {}, callsAtOnce = {}, perMinute = {} } = options;
  const refuse = (name: string, value: unknown, least: number) =>
    new SimulateError("bad_option", `${name} is ${String(value)}.`, `Give a whole number of ${least} or more.`);
  const check = (name: string, value: number | undefined, least: number): void => {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least)) throw refuse(name, value, least);
  };
  const refuseName = (what: string, fix: string) => new SimulateError("bad_option", what, fix);
  checkOptions(timeouts, ["firstTokenMs", "idleMs", "wholeMs"], refuseName);
  checkOptions(callsAtOnce, ["start", "most"], refuseName);
  checkOptions(perMinute, ["requests", "tokens"], refuseName);
  check("retries", retries, 0);
  check("patienceMs", patienceMs, 0);
  check("contextTokens", contextTokens, 1);
  for (const [name, value] of Object.entries(timeouts)) check(`timeouts.${name}`, value, 1);
  for (const [name, value] of Object.entries(callsAtOnce)) check(`callsAtOnce.${name}`, value, 1);
  for (const [name, value] of Object.entries(perMinute)) check(`perMinute.${name}`, value, 1);
}
