import { isObject } from "@while/schema";
import { ERROR_STATUS, type ErrorCode } from "../contract/error-code.ts";
import { PlatformError } from "../platform-error.ts";

interface Place {
  method: string;
  path: string;
  baseUrl: string;
}

/** What to do about a refusal, by its word. */
const FIX: Partial<Record<ErrorCode, string>> = {
  invalid_key: "Sign in again with wai login, or give another key.",
  expired_key: "Make a new key, or sign in again with wai login.",
  scope_missing: "Use a key with one of the scopes that the call wants.",
  not_found: "List what this key can see: it may be of another account.",
  too_large: "Send less in one call.",
  idempotency_key_reused: "Use a new idempotency key for another act.",
  precondition_failed: "Read it again and repeat the change.",
};

const FIX_BY_STATUS: readonly (readonly [status: number, fix: string])[] = [
  [300, "Give the final address of the platform: calls do not follow redirects, which could carry the key elsewhere."],
  [400, "Correct what the sentence names."],
  [429, "Wait, then try again."],
  [500, "Try again later, and give its operator the request id."],
];

/** The error of an answer that is not 2xx, with the platform's own sentence and word. */
export async function refusedBy(response: Response, { method, path }: Place): Promise<PlatformError> {
  const { status, headers } = response;
  const { sentence, word, field } = readBody(await response.text().catch(() => ""));
  const code = word !== null && Object.hasOwn(ERROR_STATUS, word) ? (word as ErrorCode) : "refused";
  const byStatus = FIX_BY_STATUS.findLast(([from]) => status >= from)?.[1] ?? "Correct what the sentence names.";
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  return new PlatformError(
    code,
    `${method} ${path} answered ${status}: ${sentence ?? "no reason given"}`.replace(/\.?$/, "."),
    (code === "refused" ? undefined : FIX[code]) ?? byStatus,
    {
      ...{ status, method, path, field },
      requestId: headers.get("x-request-id"),
      retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
    },
  );
}

/** The error of a call that got no answer. */
export function noAnswer(
  cause: unknown,
  { method, path, baseUrl, timedOut, timeoutS }: Place & { timedOut: boolean; timeoutS: number },
): PlatformError {
  const { origin } = new URL(baseUrl);
  const why = timedOut ? `no answer within ${timeoutS} s` : reasonOf(cause);
  return new PlatformError(
    "unreachable",
    `${method} ${path}: ${origin} cannot be reached, ${why}.`,
    "Is it running, and is WHILEAI_API_URL its address?",
    // The HTTP library's timeout holds the request, and with it the key: whoever prints the error would print that.
    { method, path, status: 0, ...(timedOut ? {} : { cause }) },
  );
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = isObject(inner) && typeof inner.code === "string" ? inner.code : null;
  return code ?? (inner instanceof Error ? inner.message : String(inner));
}

/** A sentence, as the platform writes it; an object with a message, as OpenAI's routes do. */
function readBody(text: string): { sentence: string | null; word: string | null; field: string | null } {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy's page: its beginning is all there is to show.
    return { sentence: text.trim() === "" ? null : text.trim().slice(0, 200), word: null, field: null };
  }
  if (!isObject(body)) return { sentence: text.slice(0, 200), word: null, field: null };
  const inner = isObject(body.error) ? body.error : body;
  const said = isObject(body.error) ? body.error.message : body.error;
  const textOf = (value: unknown) => (typeof value === "string" ? value : null);
  return { sentence: textOf(said), word: textOf(inner.code) ?? textOf(body.error), field: textOf(body.field) };
}
