import { cutCodePoints, isObject, textOf } from "@while/schema";

/**
 * Why a call of a model came to nothing.
 *
 * `limited`: too many calls; `broken`: connection, server or time, worth another try; `unreachable`: nobody answered the
 * connection; `auth`, `quota`: the key or the money; `overflow`: the conversation is longer than the window; `filtered`:
 * the provider does not let it through; `refused`: the request is wrong, and will be.
 */
type FailureKind = "limited" | "broken" | "unreachable" | "auth" | "quota" | "overflow" | "filtered" | "refused";

/** A call that failed, with what says whether it is worth another try. Holds no header and no key. */
export class CallFailure extends Error {
  readonly kind: FailureKind;
  /** Of HTTP; 0 when there was no answer. */
  readonly status: number;
  /** What the server asked for; null when it said nothing. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: FailureKind,
    message: string,
    { status = 0, retryAfterMs = null, cause }: { status?: number; retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CallFailure";
    this.kind = kind;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

const MESSAGE_CHARS = 300;
const SOON_MS = 120_000;
const OVERFLOW =
  /context[_ -]?length|context[_ -]?window|maximum context|max_model_len|prompt is too long|input is too long|too many (?:input )?tokens|reduce the length/i;
const QUOTA =
  /insufficient_quota|exceeded your current quota|quota exceeded|credit balance is too low|billing|daily (?:quota|limit)/i;
const FILTER = /content[_ ]?filter|content management policy|content_policy/i;

/** The failure that an answer other than 2xx stands for, with the server's own sentence. */
export function failureOf(status: number, body: string, retryAfterMs: number | null): CallFailure {
  const { said, code } = errorIn(body);
  const message = `HTTP ${status}: ${said}`;
  const told = `${code} ${said}`;
  const about = { status, retryAfterMs };
  // Some name a quota that opens again within the minute by the same words.
  const opensSoon = status === 429 && retryAfterMs !== null && retryAfterMs <= SOON_MS;
  if (status === 402 || ((status === 400 || status === 403 || status === 429) && QUOTA.test(told) && !opensSoon)) {
    return new CallFailure("quota", message, about);
  }
  if (status === 429 || status === 529) return new CallFailure("limited", message, about);
  if (status === 401 || status === 403) return new CallFailure("auth", message, about);
  if (status === 408 || status === 409 || status >= 500) return new CallFailure("broken", message, about);
  if (status < 500 && OVERFLOW.test(told)) return new CallFailure("overflow", message, about);
  if (status === 400 && FILTER.test(told)) return new CallFailure("filtered", message, about);
  return new CallFailure("refused", message, about);
}

/** The failure that an error stands for which came in the middle of a stream. */
export function failureInStream(error: unknown): CallFailure {
  const { said, code } = errorIn(JSON.stringify({ error }));
  const told = `${code} ${said}`;
  const message = `an error in the stream: ${said || code || "no reason given"}`;
  if (/rate_limit|too many requests|overloaded/i.test(told)) return new CallFailure("limited", message);
  if (QUOTA.test(told)) return new CallFailure("quota", message);
  if (OVERFLOW.test(told)) return new CallFailure("overflow", message);
  if (FILTER.test(told)) return new CallFailure("filtered", message);
  return new CallFailure("broken", message);
}

/** The failure of a call that got no answer. */
export function failureOfNetwork(cause: unknown): CallFailure {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = isObject(inner) && typeof inner.code === "string" ? inner.code : "";
  const why = code || (inner instanceof Error ? inner.message : textOf(inner)) || "no answer";
  return new CallFailure(NOBODY.has(code) ? "unreachable" : "broken", why);
}

const NOBODY: ReadonlySet<string> = new Set([
  ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"],
  ...[
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  ],
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** The sentence and the word of an error, as OpenAI, Anthropic, Ollama, FastAPI and proxies spell them. */
function errorIn(body: string): { said: string; code: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { said: cutCodePoints(body.trim(), MESSAGE_CHARS) || "no reason given", code: "" }; // A proxy's page.
  }
  const outer = isObject(value) ? value : {};
  const error = isObject(outer.error) ? outer.error : outer;
  const said = textOf(error.message) || textOf(outer.error) || textOf(outer.detail) || textOf(outer.message);
  return {
    said: cutCodePoints(said || body.trim(), MESSAGE_CHARS),
    code: `${textOf(error.code)} ${textOf(error.type)}`.trim(),
  };
}
