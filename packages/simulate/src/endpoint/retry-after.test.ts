import { expect, test } from "vitest";
import { retryAfterMs, spentLimitMs } from "./retry-after.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

test.each([
  [{}, null],
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "2", "retry-after-ms": "120" }, 120],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }, 3000],
  [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
  [{ "retry-after": "soon" }, null],
  [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s" }, 360_000],
])("retryAfterMs(%j) is %j", (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
});

test.each([
  [{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms" }, 20],
  [{ "x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": "20ms" }, null],
  [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1.5s" }, 1500],
  [{ "x-ratelimit-remaining-tokens": "0" }, null],
  [
    { "anthropic-ratelimit-requests-remaining": "0", "anthropic-ratelimit-requests-reset": "2026-01-01T00:00:07Z" },
    7000,
  ],
])("spentLimitMs(%j) is %j", (headers, expected) => {
  expect(spentLimitMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
});

test("of several limits that are used up, the one that opens last counts", () => {
  const headers = {
    ...{ "x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1s" },
    ...{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2s" },
  };
  expect(spentLimitMs(new Headers(headers), NOW)).toBe(62_000);
});
