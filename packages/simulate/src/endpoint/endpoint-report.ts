import type { ModelPrice } from "./model-price.ts";

/** What came of the calls to an endpoint so far. Holds no key. */
export interface EndpointReport {
  model: string;
  provider: string;
  url: string;
  /** Calls that went out, tries included. */
  calls: number;
  /** Tries more, by why: `limited`, `broken`, `unreachable`. */
  retriedBy: Record<string, number>;
  /** Answers from the cache, and calls that it had none for; null without a cache. */
  cache: { hits: number; misses: number } | null;
  /** Calls at once that the server was found to take. */
  callsAtOnce: number;
  /** Parameters that the server does not take and that are not sent: rows were sampled without them. */
  notSent: string[];
  /** USD for a million tokens; null when no price is known. */
  price: ModelPrice | null;
}

/** What came of the calls between two looks. */
export function reportSince(now: EndpointReport, before: EndpointReport | undefined): EndpointReport {
  if (before === undefined) return now;
  const retriedBy: Record<string, number> = {};
  for (const [why, n] of Object.entries(now.retriedBy)) {
    if (n > (before.retriedBy[why] ?? 0)) retriedBy[why] = n - (before.retriedBy[why] ?? 0);
  }
  const cache =
    now.cache === null || before.cache === null
      ? now.cache
      : { hits: now.cache.hits - before.cache.hits, misses: now.cache.misses - before.cache.misses };
  return { ...now, calls: now.calls - before.calls, retriedBy, cache };
}
