import { checkOptions } from "@while/schema";
import { TrustError } from "../trust-error.ts";
import { errorText } from "./call-judge.ts";
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
  const controller = new AbortController();
  const start = performance.now();
  const seconds = () => Math.round(performance.now() - start) / 1000;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopped = new Promise<never>((_, reject) => {
    const end = (error: Error) => {
      reject(error);
      controller.abort(error);
    };
    timer = setTimeout(() => end(new Error(`No answer in ${timeoutMs} ms.`)), timeoutMs);
    signal?.addEventListener("abort", () => end(new Error("The grading was stopped.")), { once: true });
  });
  try {
    const asked = model([{ role: "user", content: "Say ok." }], {
      ...{ temperature: 0, maxTokens: WARMUP_MAX_TOKENS, signal: controller.signal },
    });
    asked.catch(() => {}); // In time, the race has it.
    await Promise.race([stopped, asked]);
    return { ok: true, seconds: seconds() };
  } catch (error) {
    return { ok: false, seconds: seconds(), error: errorText(error) };
  } finally {
    clearTimeout(timer);
  }
}
