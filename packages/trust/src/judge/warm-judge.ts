import { checkOptions } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { askWithin } from "./ask-within.ts";
import type { ModelCall } from "./model-call.ts";

/** A server that scales to zero loads its model first, which takes two to three minutes. */
const JUDGE_WARMUP_TIMEOUT_MS = 600_000;
const WARMUP_MAX_TOKENS = 4;

export interface Warmup {
  ok: boolean;
  seconds: number;
  error?: string;
}

/**
 * One tiny request before many: on a cold server the first wave of rows would otherwise be counted as out of time. Never
 * throws; a server that does not answer says so in `error`.
 *
 * @throws TrustError `bad_option`
 */
export async function warmJudge(
  model: ModelCall,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Warmup> {
  checkOptions(options, ["timeoutMs", "signal"], (what, fix) => new TrustError("bad_option", what, fix));
  const { timeoutMs = JUDGE_WARMUP_TIMEOUT_MS, signal } = options;
  const start = performance.now();
  const end = await askWithin(
    (aborted) =>
      model([{ role: "user", content: "Say ok." }], {
        ...{ temperature: 0, maxTokens: WARMUP_MAX_TOKENS, signal: aborted },
      }),
    { timeoutMs, retries: 0, backoffMs: 0, random: () => 0, signal },
  );
  const seconds = Math.round(performance.now() - start) / 1000;
  return "failure" in end ? { ok: false, seconds, error: end.error } : { ok: true, seconds };
}
