/** What a server says of when it takes calls again, in milliseconds from `now`; null when it says nothing readable. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const millis = numberIn(headers.get("retry-after-ms"));
  if (millis !== null) return millis;
  const said = headers.get("retry-after");
  if (said !== null) {
    const seconds = numberIn(said);
    if (seconds !== null) return Math.ceil(seconds * 1000);
    const date = Date.parse(said);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  return spentLimitMs(headers, now);
}

const LIMITS = [
  ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"],
  ["x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"],
  ["anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"],
  ["anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"],
  ["anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"],
  ["anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"],
] as const;

/**
 * When the last of the limits that are used up opens again, in milliseconds from `now`; null when none is. Read on every
 * answer: a server that says that nothing is left need not be asked to hear a refusal.
 */
export function spentLimitMs(headers: Headers, now: number): number | null {
  let longest: number | null = null;
  for (const [remaining, reset] of LIMITS) {
    const left = numberIn(headers.get(remaining));
    if (left === null || left > 0) continue;
    const wait = resetMs(headers.get(reset), now);
    if (wait !== null) longest = Math.max(longest ?? 0, wait);
  }
  return longest;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `20ms`, `1.5s`, `6m0s`, a number of seconds, or a date. */
function resetMs(text: string | null, now: number): number | null {
  if (text === null || text.trim() === "") return null;
  const seconds = numberIn(text);
  if (seconds !== null) return Math.ceil(seconds * 1000);
  if (/^(?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+$/.test(text)) {
    let sum = 0;
    for (const [, n, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) sum += Number(n) * UNITS[unit!]!;
    return Math.ceil(sum);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function numberIn(text: string | null): number | null {
  if (text === null || text.trim() === "") return null;
  const number = Number(text);
  return Number.isFinite(number) && number >= 0 ? number : null;
}
